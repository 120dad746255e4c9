import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/controller.ts';
import type { MachineSeen } from './decide-machine.ts';
import type { Judge } from './judge.ts';
import { targetOf } from './judge.ts';
import { whoPaused } from './observe-check.ts';
import { isAbout, type ReadCheck } from './read-check.ts';

/** The Machine, and what each check that is about it says. Nothing is said while the checks cannot be read. */
export function observeMachine(
  key: ObjectKey,
  reader: Reader,
  how: { readonly judge: Judge; readonly now: Instant; readonly annotationRemediates: boolean },
): MachineSeen | undefined {
  const found = reader.get(Machine, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const target = targetOf(object, reader);
  const verdicts = checksAbout(object, reader, how.judge).map((check) => ({
    check: check.name,
    verdict: how.judge.judge(check, target, how).verdict,
  }));
  return { object, verdicts, annotationRemediates: how.annotationRemediates };
}

/** The checks that are about a Machine, by name; those that are paused or being deleted say nothing. */
export function checksAbout(machine: Machine, reader: Reader, judge: Judge): readonly ReadCheck[] {
  const listed = reader.list(MachineHealthCheck);
  if (listed.kind !== 'value') return [];
  return listed.value
    .filter((check) => check.metadata.deletionTimestamp === undefined && whoPaused(check, reader).length === 0)
    .map((check) => judge.read(check))
    .filter((read) => read.kind === 'valid')
    .filter((read) => isAbout(read, machine));
}
