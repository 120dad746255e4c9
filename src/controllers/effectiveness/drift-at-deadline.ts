import { knownSpecHash } from '../target/index.ts';
import { driftText, goneText, isAnythingKnown } from './assess.ts';
import type { AssessmentSeen } from './observe.ts';
import { hasDrifted } from './scorers/spec-hash.ts';
import type { Components, Verdict } from './status.ts';
import { isAsync } from './timing.ts';

/**
 * When time is up nothing is judged any more, but the target is held once more against what it was: what was found out before is worth
 * something only as long as nobody else has changed it since. Undefined where nobody has, or nobody can tell.
 */
export function overtaken(seen: AssessmentSeen): Verdict | undefined {
  const { object, target } = seen;
  const components = object.status?.components ?? {};
  if (!isAnythingKnown(components)) return undefined;
  if (target.kind === 'absent') return gone(seen, components);
  const current = target.kind === 'value' ? knownSpecHash(target.value) : undefined;
  if (current === undefined) return undefined;
  const { baselineSpecHash: baseline, postRemediationSpecHash: first } = components;
  const hashes = { current, applied: object.spec.appliedSpecHash, baseline, first };
  return hasDrifted(hashes, { isAsync: isAsync(object) }) ? drifted(seen, { ...components, currentSpecHash: current }) : undefined;
}

const drifted = (seen: AssessmentSeen, components: Components): Verdict => ({
  phase: 'Completed',
  reason: 'SpecDrift',
  message: told(seen, driftText(seen)),
  components: { ...components, hashComputed: true },
});

const gone = (seen: AssessmentSeen, components: Components): Verdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: told(seen, goneText(seen)),
  components: { ...components, healthAssessed: true, healthScore: 0 },
});

const told = ({ object }: AssessmentSeen, what: string): string => [what, object.status?.message].filter(Boolean).join('; ');
