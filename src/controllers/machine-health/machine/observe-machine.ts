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

/** The Machine, and what each check that is about it says. Nothing is said while the checks cannot be read. */
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
  // Where nobody asks for its Node, no other cluster is followed for it.
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
 * What its Node is blamed for has not been said yet, or not that it is gone: owners destroy a Machine over it. Nor has it that all is well again:
 * what was asked for the Machine is taken back over it. What the Machine itself is blamed for needs no asking: that is said under the version
 * that was seen.
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
 * The checks that are about a Machine, by name; those that are paused say nothing, nor do those being deleted that have nobody on record. None is, where one is not ours: then
 * somebody else says on the Machine how it is, and would say it again whatever we wrote.
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
 * Whether no check is about a Machine any more, so that nobody stands by what was said of it. A pause is no end, a check that cannot be
 * understood may be about anything, and what another controller said is for it to take back.
 */
function isNoLongerSelected(machine: Machine, reader: Reader, { definitions = 'sickbay' }: ObserveContext): boolean {
  const listed = reader.list(MachineHealthCheck);
  if (definitions !== 'sickbay' || listed.kind !== 'value' || ANNOTATIONS.paused in (machine.metadata.annotations ?? {})) return false;
  return listed.value
    .filter(({ metadata }) => metadata.namespace === machine.metadata.namespace)
    .map(parseCheckSelector)
    .every((scope) => scope.kind === 'valid' && !selectsMachine(scope, machine));
}
