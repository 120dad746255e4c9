import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';

/** Whose definitions of Machines and checks a cluster has. Where they are Cluster API's, its own controller is at work. */
export type Definitions = 'sickbay' | 'cluster-api';

/**
 * Who works on a check.
 * - `ours`: we do, and nobody else.
 * - `theirs`: somebody else does; we look on and write nothing.
 * - `contested`: it is labelled for us, but nothing keeps Cluster API's controller off; we look on until that is settled.
 */
export type CheckManager = 'ours' | 'theirs' | 'contested';

/** What the label says where a check is meant for us. */
export const WATCH_FILTER_SICKBAY = 'sickbay';

/**
 * Follows from the check alone, so that two controllers that read it come to the same answer. The label by itself keeps Cluster API's
 * controller off only where that runs with a filter of its own, which nobody can see from here; the annotation always does.
 */
export function managerOf({ metadata }: Pick<MachineHealthCheck, 'metadata'>, definitions: Definitions): CheckManager {
  const named = metadata.labels?.[LABELS.watchFilter] ?? '';
  if (definitions === 'sickbay') return named === '' || named === WATCH_FILTER_SICKBAY ? 'ours' : 'theirs';
  if (named !== WATCH_FILTER_SICKBAY) return 'theirs';
  return ANNOTATIONS.paused in (metadata.annotations ?? {}) ? 'ours' : 'contested';
}

/** Whether the annotation that pauses a check means us: not where it is what keeps Cluster API's controller off a check of ours. */
export const isPausedForSickbay = (check: Pick<MachineHealthCheck, 'metadata'>, definitions: Definitions): boolean =>
  ANNOTATIONS.paused in (check.metadata.annotations ?? {}) && !(definitions === 'cluster-api' && managerOf(check, definitions) === 'ours');

/**
 * What we may write about a check of ours: where Cluster API's controller is kept off by a pause, it goes on saying so itself
 * (`Paused`), and two who each correct the other would never end.
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
