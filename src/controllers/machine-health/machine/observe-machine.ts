import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { ObjectKey } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { MachineSeen } from './decide-machine.ts';
import { confirmed, targetOf } from '../verdict/health-evaluator.ts';
import { whoPaused, type How } from '../check/observe-check.ts';
import { isAbout, isAtWork, readScope, type ReadCheck } from '../targets/parse-check.ts';
import { statedOf } from '../conditions/cluster-api-conditions.ts';
import type { Target } from '../targets/target.ts';
import { whoseCheck } from '../other-controllers/managing-controller.ts';

/** The Machine, and what each check that is about it says. Nothing is said while the checks cannot be read. */
export function observeMachine(key: ObjectKey, reader: Reader, how: How): MachineSeen | Promise<MachineSeen> | undefined {
  const found = reader.get(Machine, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const checks = checksAbout(object, reader, how);
  const seen = { object, annotationRemediates: how.annotationRemediates, isForgotten: isForgotten(object, reader, how) };
  // Where nobody asks for its Node, no other cluster is followed for it.
  if (checks.length === 0) return { ...seen, verdicts: [] };
  const judged = (target: Target): MachineSeen => ({
    ...seen,
    verdicts: checks.map((check) => ({ check: check.name, verdict: how.judge.judge(check, target, how).verdict })),
  });
  const target = targetOf(object, reader, how.nodes);
  const kept = judged(target);
  return isNews(kept) ? confirmed(target, reader, how).then(judged) : kept;
}

/**
 * What its Node is blamed for has not been said yet, or not that it is gone: owners destroy a Machine over it. Nor has it that all is well again:
 * what was asked for the Machine is taken back over it. What the Machine itself is blamed for needs no asking: that is said under the version
 * that was seen.
 */
function isNews({ object, verdicts }: MachineSeen): boolean {
  const said = statedOf(object.status ?? {}, 'HealthCheckSucceeded');
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
export function checksAbout(machine: Machine, reader: Reader, { judge, definitions = 'sickbay' }: How): readonly ReadCheck[] {
  const listed = reader.list(MachineHealthCheck);
  if (listed.kind !== 'value') return [];
  const isOurs = (check: MachineHealthCheck): boolean => whoseCheck(check, definitions) === 'ours';
  if (listed.value.some((check) => !isOurs(check) && isAboutThis(check, machine))) return [];
  return listed.value
    .filter((check) => isAtWork(check) && whoPaused(check, reader, definitions).length === 0)
    .map((check) => judge.read(check))
    .filter((read) => read.kind === 'valid')
    .filter((read) => isAbout(read, machine));
}

const isAboutThis = (check: MachineHealthCheck, machine: Machine): boolean => {
  const scope = check.metadata.namespace === machine.metadata.namespace ? readScope(check) : undefined;
  return scope?.kind === 'valid' && isAbout(scope, machine);
};

/**
 * Whether no check is about a Machine any more, so that nobody stands by what was said of it. A pause is no end, a check that cannot be
 * understood may be about anything, and what another controller said is for it to take back.
 */
function isForgotten(machine: Machine, reader: Reader, { definitions = 'sickbay' }: How): boolean {
  const listed = reader.list(MachineHealthCheck);
  if (definitions !== 'sickbay' || listed.kind !== 'value' || ANNOTATIONS.paused in (machine.metadata.annotations ?? {})) return false;
  return listed.value
    .filter(({ metadata }) => metadata.namespace === machine.metadata.namespace)
    .map(readScope)
    .every((scope) => scope.kind === 'valid' && !isAbout(scope, machine));
}
