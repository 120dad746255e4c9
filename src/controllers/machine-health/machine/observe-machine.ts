import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { MachineObservation } from './decide-machine.ts';
import { targetFromCache, withLiveNode } from '../targets/node-of-machine.ts';
import { pauseReasons, type ObserveContext } from '../check/observe-check.ts';
import { selectsMachine, isCheckActive, parseCheckSelector, type ParsedCheck } from '../targets/parse-check.ts';
import { conditionOf } from '../conditions/cluster-api-conditions.ts';
import type { HealthTarget } from '../targets/target.ts';
import { managerOf } from '../other-controllers/managing-controller.ts';

/** The Machine, and the verdict of each check that selects it. There is no verdict while the checks cannot be read. */
export function observeMachine(
  key: ObjectKey,
  reader: Reader,
  how: ObserveContext,
): MachineObservation | Promise<MachineObservation> | undefined {
  const found = reader.get(Machine, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const checks = checksSelecting(object, reader, how);
  const seen = { object, annotationRemediates: how.annotationRemediates, isNoLongerSelected: isNoLongerSelected(object, reader, how) };
  // Without a check the Nodes of its cluster need not be watched.
  if (checks.length === 0) return { ...seen, verdicts: [] };
  const judged = (target: HealthTarget): MachineObservation => ({
    ...seen,
    verdicts: checks.map((check) => ({ check: check.name, verdict: how.evaluator.evaluate(check, target, how).verdict })),
  });
  const target = targetFromCache(object, reader, how.nodes);
  const kept = judged(target);
  return changesHealthCondition(kept) ? withLiveNode(target, reader, how).then(judged) : kept;
}

/**
 * Whether the verdict would newly report a fault of the Node, or a recovery. Both are confirmed with a live read, since owners destroy Machines
 * over the one and requests are withdrawn over the other. Faults of the Machine need none: they are written under the version that was read.
 */
function changesHealthCondition({ object, verdicts }: MachineObservation): boolean {
  const said = conditionOf(object.status ?? {}, 'HealthCheckSucceeded');
  const faults = verdicts.map(({ verdict }) => (verdict.kind === 'unhealthy' ? verdict.fault : undefined));
  const isWell = verdicts.every(({ verdict }) => verdict.kind === 'healthy');
  if (said?.status === 'False' && isWell) return true;
  return (
    (said?.status !== 'False' && faults.includes('UnhealthyNode')) || (said?.reason !== 'NodeDeleted' && faults.includes('NodeDeleted'))
  );
}

/**
 * The active checks that select a Machine. Paused checks give no verdict, nor do deleted ones without recorded remediations. If another
 * controller manages one of the checks, the result is empty: that controller writes the conditions of the Machine, and would overwrite ours.
 */
function checksSelecting(machine: Machine, reader: Reader, { evaluator, definitions = 'sickbay' }: ObserveContext): readonly ParsedCheck[] {
  const listed = reader.list(MachineHealthCheck);
  if (listed.kind !== 'value') return [];
  const isOurs = (check: MachineHealthCheck): boolean => managerOf(check, definitions) === 'ours';
  if (listed.value.some((check) => !isOurs(check) && isSelectedBy(check, machine))) return [];
  return listed.value
    .filter((check) => isCheckActive(check) && pauseReasons(check, reader, definitions).length === 0)
    .map((check) => evaluator.parse(check))
    .filter((read) => read.kind === 'valid')
    .filter((read) => selectsMachine(read, machine));
}

const isSelectedBy = (check: MachineHealthCheck, machine: Machine): boolean => {
  const scope = check.metadata.namespace === machine.metadata.namespace ? parseCheckSelector(check) : undefined;
  return scope?.kind === 'valid' && selectsMachine(scope, machine);
};

/**
 * Whether no check selects a Machine any more, so that its failure must be cleared. A paused check still counts, an invalid check may
 * select any Machine, and conditions written by another controller are that controller's to clear.
 */
function isNoLongerSelected(machine: Machine, reader: Reader, { definitions = 'sickbay' }: ObserveContext): boolean {
  const listed = reader.list(MachineHealthCheck);
  if (definitions !== 'sickbay' || listed.kind !== 'value' || ANNOTATIONS.paused in (machine.metadata.annotations ?? {})) return false;
  return listed.value
    .filter(({ metadata }) => metadata.namespace === machine.metadata.namespace)
    .map(parseCheckSelector)
    .every((scope) => scope.kind === 'valid' && !selectsMachine(scope, machine));
}
