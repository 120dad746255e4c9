import { knownSpecHash } from '../target/index.ts';
import { driftText, goneText, isAnythingKnown } from './assess.ts';
import type { AssessmentSeen } from './observe.ts';
import { hasDrifted } from './scorers/spec-hash.ts';
import type { Components, AssessmentVerdict } from './status.ts';
import { isAsync } from './timing.ts';

/**
 * At the deadline no component is scored any more, but the target is compared with its recorded state: earlier results count only if it has
 * not changed since. Undefined if the target has not changed, or cannot be read.
 */
export function driftAtDeadline(seen: AssessmentSeen): AssessmentVerdict | undefined {
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

const drifted = (seen: AssessmentSeen, components: Components): AssessmentVerdict => ({
  phase: 'Completed',
  reason: 'SpecDrift',
  message: withResults(seen, driftText(seen)),
  components: { ...components, hashComputed: true },
});

const gone = (seen: AssessmentSeen, components: Components): AssessmentVerdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: withResults(seen, goneText(seen)),
  components: { ...components, healthAssessed: true, healthScore: 0 },
});

const withResults = ({ object }: AssessmentSeen, what: string): string => [what, object.status?.message].filter(Boolean).join('; ');
