import type { DaemonSet, Deployment } from '../../api/builtin/index.ts';
import type { AssessmentReason } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases, type AssessmentPhase } from '../../api/effectiveness-assessment/phases.ts';
import type { KubeObject } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { after, instant, parseTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { knownSpecHash, targetAddress, targetText, type Target } from '../target/index.ts';
import type { AssessmentSeen } from './observe.ts';
import { HEALTH_NOT_APPLICABLE, scoreHealth, type Health } from './scorers/health.ts';
import { hasDrifted } from './scorers/spec-hash.ts';
import { end, enter, LOOK_AGAIN_MS, stay, type AssessmentStatus, type Components, type Verdict } from './status.ts';
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

/** One look at what is not known yet. It is over when all is known, when the target is gone, or when somebody else has changed it. */
function assess(seen: AssessmentSeen, now: Instant, timing: Timing): Decision {
  const { object, target } = seen;
  const { components: before = {} } = object.status ?? {};
  if (target.kind === 'absent') return end(object, targetGone(seen, before), now);
  const health = judgeHealth(seen);
  const specHash = target.kind === 'value' ? knownSpecHash(target.value) : undefined;
  const components: Components = { ...before, ...NOT_CONFIGURED, ...hashes(seen, specHash), ...(health && healthOf(health)) };
  const reason = verdictOn(seen, components, specHash);
  if (reason) return end(object, { phase: 'Completed', reason, message: findings(seen, reason, health), components }, now);
  return stay(object, instant(Math.min(after(now, LOOK_AGAIN_MS), timing.deadline)), components);
}

const targetGone = (seen: AssessmentSeen, before: Components): Verdict => ({
  phase: 'Failed',
  reason: 'Unrecoverable',
  message: `${nameOf(seen)} no longer exists: nothing can be said about the remediation`,
  components: { ...before, ...ILL },
});

/** Nothing is concluded from a look that did not show the whole target: it may be another one by now, and it may not. */
function verdictOn(seen: AssessmentSeen, components: Components, specHash: string | undefined): 'SpecDrift' | 'Full' | undefined {
  if (specHash === undefined) return undefined;
  return isDrifted(seen, specHash) ? 'SpecDrift' : isFull(components) ? 'Full' : undefined;
}

const isFull = ({ healthAssessed, hashComputed }: Components): boolean => healthAssessed === true && hashComputed === true;

function findings(seen: AssessmentSeen, reason: AssessmentReason, health: Health | undefined): string {
  const pods = health?.message ?? 'its pods could not be read';
  return reason === 'SpecDrift'
    ? `somebody changed ${nameOf(seen)} after the workflow ran, so that its state says nothing about the remediation; ${pods}`
    : pods;
}

/** Time is up: what is known stands, and nothing is looked at any more. */
function expire(seen: AssessmentSeen, now: Instant): Decision {
  const components = seen.object.status?.components ?? {};
  const isPartial = components.healthAssessed === true || components.hashComputed === true;
  const verdict = isPartial ? ({ reason: 'Partial', known: 'in part' } as const) : ({ reason: 'Expired', known: 'not at all' } as const);
  const why = `${nameOf(seen)} could not be read in time; see whether it is well, and whether Sickbay may read it, its pods and their ConfigMaps`;
  const message = `assessed ${verdict.known}: ${why}`;
  return end(seen.object, { phase: 'Completed', reason: verdict.reason, message, components }, now);
}

const ILL: Components = { healthAssessed: true, healthScore: 0 };

/** Neither Alertmanager nor Prometheus is asked: nothing is missing, and nothing is known. */
const NOT_CONFIGURED: Components = { alertAssessed: true, metricsAssessed: true };

const healthOf = ({ score }: Health): Components => ({ healthAssessed: true, ...(score !== undefined && { healthScore: score }) });

/** Undefined as long as the pods cannot be read: unknown is neither well nor ill. */
function judgeHealth({ object, target, pods }: AssessmentSeen): Health | undefined {
  if (target.kind !== 'value') return undefined;
  if (!pods) return HEALTH_NOT_APPLICABLE;
  if (pods.kind !== 'value') return undefined;
  const { remediationCreatedAt, scalesToZero } = object.spec;
  return scoreHealth({
    desired: desiredReplicas(target.value),
    pods: pods.value,
    since: parseTime(remediationCreatedAt),
    scalesToZero: scalesToZero ?? false,
  });
}

function desiredReplicas(target: KubeObject): number {
  if (target.kind === 'DaemonSet') return (target as DaemonSet).status?.desiredNumberScheduled ?? 0;
  // Kubernetes takes an absent number for one; a Pod is one by itself.
  return (target as Deployment).spec.replicas ?? 1;
}

function hashes({ object }: AssessmentSeen, currentSpecHash: string | undefined): Components {
  if (currentSpecHash === undefined) return {};
  const { postRemediationSpecHash = currentSpecHash } = object.status?.components ?? {};
  return { hashComputed: true, postRemediationSpecHash, currentSpecHash };
}

function isDrifted({ object }: AssessmentSeen, current: string): boolean {
  const { postRemediationSpecHash: first, baselineSpecHash: baseline } = object.status?.components ?? {};
  return hasDrifted({ current, applied: object.spec.appliedSpecHash, baseline, first }, { isAsync: isAsync(object) });
}

const nameOf = ({ object }: AssessmentSeen): string => targetText(object.spec.remediationTarget);
