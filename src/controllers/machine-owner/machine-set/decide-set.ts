import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { after, instant, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { withConditions, type DesiredCondition } from '../../machine-health/conditions/cluster-api-conditions.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { isBeingReplaced, isFailing, isLeaving } from '../machine-state.ts';
import { planNewMachines } from './create-machines.ts';
import type { SetSeen } from './observe-set.ts';
import type { ReadSet } from './parse-set.ts';
import { isToBeReleased, replace } from './replace-machines.ts';

/** Keeps a set at its size, and replaces those of its Machines that fail. It never deletes a healthy Machine, not even a surplus one. */
export function decideSet(seen: SetSeen, now: Instant): Decision {
  const { object, read, pausedBy, unreadable } = seen;
  // Its Machines are garbage-collected.
  if (object.metadata.deletionTimestamp !== undefined) return { effects: [] };
  if (read.kind === 'invalid') return only(object, [invalid(read.message)], now);
  if (pausedBy.length > 0) return { ...only(object, [VALID, paused(pausedBy)], now), wakeAt: after(now, RECHECK_INTERVAL_MS) };
  // Whether the set is paused may be unreadable, so that its Paused condition stays.
  if (unreadable !== undefined) return { ...only(object, [VALID, unknown(unreadable)], now), wakeAt: after(now, RECHECK_INTERVAL_MS) };
  return judged({ ...seen, read }, now);
}

/** Writes these conditions only, and keeps the counts. */
const only = ({ status = {}, metadata }: MachineSet, statements: readonly DesiredCondition[], now: Instant): Decision => ({
  status: withConditions(status, statements, { generation: metadata.generation ?? 0, now }),
  effects: [],
});

function judged(seen: SetSeen & { readonly read: ReadSet }, now: Instant): Decision {
  const { object, machines, toReplace, read } = seen;
  const staying = machines.filter((machine) => !isLeaving(machine));
  const made = planNewMachines(object, { machines, missing: read.replicas - staying.length, names: seen.names });
  const replacing = replace(seen, now);
  const generation = object.metadata.generation ?? 0;
  const status = {
    ...object.status,
    replicas: staying.length,
    readyReplicas: staying.filter(isReady).length,
    created: made.created,
    observedGeneration: generation,
  };
  const isBusy =
    toReplace.length > 0 || made.effects.length > 0 || machines.some((machine) => isLeaving(machine) || isToBeReleased(machine));
  const wakeAt = instant(Math.min(after(now, RECHECK_INTERVAL_MS), ...replacing.roomAt));
  return {
    status: withConditions(status, [VALID, RUNNING, remediating(machines)], { generation, now }),
    effects: [...replacing.effects, ...made.effects],
    // Each Machine by itself: where one may not be deleted, as a webhook has it, or none be made, as a quota has it, the others are still seen to.
    isSplitByName: true,
    ...(isBusy && { wakeAt }),
  };
}

const isReady = (machine: Machine): boolean => machine.status?.nodeRef !== undefined && !isFailing(machine);

const VALID: DesiredCondition = { type: 'ConfigurationValid', holds: true, reason: 'Valid', message: '' };
const RUNNING: DesiredCondition = { type: 'Paused', holds: false, reason: 'NotPaused', message: '' };
const invalid = (message: string): DesiredCondition => ({ type: 'ConfigurationValid', holds: false, reason: 'Invalid', message });
const paused = (by: readonly string[]): DesiredCondition => ({ type: 'Paused', holds: true, reason: 'Paused', message: by.join(', ') });
const unknown = (message: string): DesiredCondition => ({ type: 'Remediating', holds: false, reason: 'MachinesUnknown', message });

function remediating(machines: readonly Machine[]): DesiredCondition {
  const going = machines.filter((machine) => isLeaving(machine) && isBeingReplaced(machine)).map(({ metadata }) => metadata.name);
  if (going.length === 0) return { type: 'Remediating', holds: false, reason: 'NotRemediating', message: '' };
  return { type: 'Remediating', holds: true, reason: 'Remediating', message: `being replaced: ${going.toSorted().join(', ')}` };
}
