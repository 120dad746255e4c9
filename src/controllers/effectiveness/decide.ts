import { assessmentPhases, type AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { after, instant, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { knownSpecHash, targetAddress, type Target } from '../target/index.ts';
import { assess, nameOf } from './assess.ts';
import { expire } from './expire.ts';
import type { AssessmentSeen } from './observe.ts';
import { end, enter, READ_RETRY_MS, stay, type AssessmentStatus, type AssessmentVerdict } from './status.ts';
import { isAsync, recordOf, timingOf, type Timing } from './timing.ts';

type DecidePhase = (seen: AssessmentSeen, now: Instant, timing: Timing) => Decision;

/** Each phase: wait until the change is applied and has stabilized, check each component, report the verdict. */
const PHASES: Readonly<Record<AssessmentPhase, DecidePhase>> = {
  Pending: startWaiting,
  WaitingForPropagation: (seen, now, timing) =>
    now < timing.settlesFrom ? stay(seen.object, timing.settlesFrom) : startStabilizing(seen, now, timing),
  Stabilizing: (seen, now, { checkAfter }) => (now < checkAfter ? stabilize(seen, now, checkAfter) : enter(seen.object, 'Assessing', now)),
  Assessing: (seen, now, timing) => (now < timing.deadline ? assess(seen, now, timing) : expire(seen, now)),
  Completed: keepStatus,
  Failed: keepStatus,
};

/** Leads an assessment from phase to phase. */
export function decide(seen: AssessmentSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const phase = object.status?.phase;
  if (phase === undefined) return enter(object, 'Pending', now);
  if (!isTerminal(assessmentPhases, phase) && lacksNamespace(object.spec.remediationTarget))
    return end(object, withoutNamespace(seen), now);
  return PHASES[phase](seen, now, timingOf(object, settings));
}

/** The times are recorded once. If the controller was down meanwhile, the assessment enters the phase that is due by now. */
function startWaiting({ object }: AssessmentSeen, now: Instant, timing: Timing): Decision {
  const isPropagating = isAsync(object) && now < timing.settlesFrom;
  const phase = isPropagating ? 'WaitingForPropagation' : now < timing.checkAfter ? 'Stabilizing' : 'Assessing';
  return enter(object, phase, now, recordOf(timing));
}

/** The change is applied: any later change of the spec is drift. */
function startStabilizing(seen: AssessmentSeen, now: Instant, timing: Timing): Decision {
  return enter(seen.object, 'Stabilizing', now, { ...recordOf(timing), ...baselineOf(seen) });
}

/** A baseline that could not be read when the change was applied is read again until the checks start. */
function stabilize(seen: AssessmentSeen, now: Instant, checkAfter: Instant): Decision {
  const { object } = seen;
  const { components } = baselineOf(seen);
  const isOpen = isAsync(object) && components?.baselineSpecHash === undefined;
  return stay(object, isOpen ? instant(Math.min(after(now, READ_RETRY_MS), checkAfter)) : checkAfter, components);
}

/** The state of a target that GitOps or an operator changes, recorded once. */
function baselineOf({ object, target }: AssessmentSeen): Pick<AssessmentStatus, 'components'> {
  const { components } = object.status ?? {};
  const known = components?.baselineSpecHash ?? (isAsync(object) && target.kind === 'value' ? knownSpecHash(target.value) : undefined);
  return known === undefined ? {} : { components: { ...components, baselineSpecHash: known } };
}

/** A namespaced kind without a namespace can never be read. */
function lacksNamespace(target: Target): boolean {
  const address = targetAddress(target);
  return address !== undefined && address.resource.namespaced && address.key.namespace === '';
}

const withoutNamespace = (seen: AssessmentSeen): AssessmentVerdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: `${nameOf(seen)} names no namespace and cannot be read: the remediation cannot be assessed`,
  components: seen.object.status?.components ?? {},
});

function keepStatus({ object }: AssessmentSeen): Decision {
  return { status: object.status, effects: [] };
}
