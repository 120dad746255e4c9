import { assessmentPhases, type AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { after, instant, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { knownSpecHash, targetAddress, type Target } from '../target/index.ts';
import { assess, nameOf } from './assess.ts';
import { expire } from './expire.ts';
import type { AssessmentSeen } from './observe.ts';
import { end, enter, LOOK_AGAIN_MS, stay, type AssessmentStatus, type Verdict } from './status.ts';
import { isAsync, recordOf, timingOf, type Timing } from './timing.ts';

type Decide = (seen: AssessmentSeen, now: Instant, timing: Timing) => Decision;

/** The life of an assessment: wait until the change has arrived and settled, look once at each component, say what was found. */
const PHASES: Readonly<Record<AssessmentPhase, Decide>> = {
  Pending: begin,
  WaitingForPropagation: (seen, now, timing) =>
    now < timing.settlesFrom ? stay(seen.object, timing.settlesFrom) : settle(seen, now, timing),
  Stabilizing: (seen, now, { checkAfter }) => (now < checkAfter ? stabilize(seen, now, checkAfter) : enter(seen.object, 'Assessing', now)),
  Assessing: (seen, now, timing) => (now < timing.deadline ? assess(seen, now, timing) : expire(seen, now)),
  Completed: rest,
  Failed: rest,
};

/** What is to be done about an assessment as it stands. */
export function decide(seen: AssessmentSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const phase = object.status?.phase;
  if (phase === undefined) return enter(object, 'Pending', now);
  if (!isTerminal(assessmentPhases, phase) && isUnusable(object.spec.remediationTarget)) return end(object, unusable(seen), now);
  return PHASES[phase](seen, now, timingOf(object, settings));
}

/** The times go on record once and for all. A monitor that was down goes to where it would be by now. */
function begin({ object }: AssessmentSeen, now: Instant, timing: Timing): Decision {
  const settlesLater = isAsync(object) && now < timing.settlesFrom;
  const phase = settlesLater ? 'WaitingForPropagation' : now < timing.checkAfter ? 'Stabilizing' : 'Assessing';
  return enter(object, phase, now, recordOf(timing));
}

/** The change has arrived: from here on any other is somebody else's. */
function settle(seen: AssessmentSeen, now: Instant, timing: Timing): Decision {
  return enter(seen.object, 'Stabilizing', now, { ...recordOf(timing), ...baselineOf(seen) });
}

/** A state that could not be read when the change had arrived is tried again, as long as nothing is judged. */
function stabilize(seen: AssessmentSeen, now: Instant, checkAfter: Instant): Decision {
  const { object } = seen;
  const { components } = baselineOf(seen);
  const isOpen = isAsync(object) && components?.baselineSpecHash === undefined;
  return stay(object, isOpen ? instant(Math.min(after(now, LOOK_AGAIN_MS), checkAfter)) : checkAfter, components);
}

/** The state of a target that others apply changes to, taken once. */
function baselineOf({ object, target }: AssessmentSeen): Pick<AssessmentStatus, 'components'> {
  const { components } = object.status ?? {};
  const known = components?.baselineSpecHash ?? (isAsync(object) && target.kind === 'value' ? knownSpecHash(target.value) : undefined);
  return known === undefined ? {} : { components: { ...components, baselineSpecHash: known } };
}

/** Of a kind that lives in namespaces, and in none: it can never be read. */
function isUnusable(target: Target): boolean {
  const address = targetAddress(target);
  return address !== undefined && address.resource.namespaced && address.key.namespace === '';
}

const unusable = (seen: AssessmentSeen): Verdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: `${nameOf(seen)} names no namespace, so that it cannot be looked at: nothing can be said about the remediation`,
  components: seen.object.status?.components ?? {},
});

function rest({ object }: AssessmentSeen): Decision {
  return { status: object.status, effects: [] };
}
