import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';

/** Whose definitions of Machines and checks are installed. Cluster API's come with its own controller. */
export type Definitions = 'sickbay' | 'cluster-api';

/**
 * Which controller manages a check.
 * - `ours`: Sickbay alone.
 * - `theirs`: another controller; Sickbay only observes.
 * - `contested`: labelled for Sickbay, but Cluster API's controller is not kept off; Sickbay only observes until that is settled.
 */
export type CheckManager = 'ours' | 'theirs' | 'contested';

/** The value of the watch-filter label for checks that Sickbay manages. */
export const WATCH_FILTER_SICKBAY = 'sickbay';

/**
 * Depends on the check alone, so that two controllers agree. The label keeps Cluster API's controller off only if that controller runs
 * with a filter of its own, which is not visible here; the annotation always does.
 */
export function managerOf({ metadata }: Pick<MachineHealthCheck, 'metadata'>, definitions: Definitions): CheckManager {
  const named = metadata.labels?.[LABELS.watchFilter] ?? '';
  if (definitions === 'sickbay') return named === '' || named === WATCH_FILTER_SICKBAY ? 'ours' : 'theirs';
  if (named !== WATCH_FILTER_SICKBAY) return 'theirs';
  return ANNOTATIONS.paused in (metadata.annotations ?? {}) ? 'ours' : 'contested';
}

/** Whether the paused annotation pauses Sickbay: not where it only keeps Cluster API's controller off a check that Sickbay manages. */
export const isPausedForSickbay = (check: Pick<MachineHealthCheck, 'metadata'>, definitions: Definitions): boolean =>
  ANNOTATIONS.paused in (check.metadata.annotations ?? {}) && !(definitions === 'cluster-api' && managerOf(check, definitions) === 'ours');

/**
 * Where the annotation keeps Cluster API's controller off, that controller still writes the condition `Paused`. Sickbay keeps its value,
 * or both controllers would overwrite each other forever.
 */
export function keepPausedCondition(
  status: MachineHealthCheck['status'],
  { status: before }: MachineHealthCheck,
  definitions: Definitions,
): MachineHealthCheck['status'] {
  if (definitions === 'sickbay' || !status?.conditions) return status;
  const theirs = before?.conditions?.find(isPaused);
  const ours = status.conditions.filter((condition) => !isPaused(condition));
  const conditions = theirs ? [...ours, theirs].toSorted((a, b) => (a.type < b.type ? -1 : 1)) : ours;
  return { ...status, conditions };
}

const isPaused = ({ type }: { readonly type: string }): boolean => type === 'Paused';
