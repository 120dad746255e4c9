import type { DaemonSet, Deployment } from '../../api/builtin/index.ts';
import { ALERTMANAGER_ANSWERS } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import { after, instant, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { getCondition, isTrue, type WantedCondition } from '../../kube/objects/conditions.ts';
import type { FiringAlert } from '../../monitoring/index.ts';
import { fingerprint, knownSpecHash } from '../target/index.ts';
import type { AssessmentSeen } from './observe.ts';
import { alertsOfTarget, scoreAlert } from './scorers/alert.ts';
import { HEALTH_NOT_APPLICABLE, scoreHealth, type Health } from './scorers/health.ts';
import { scoreMetrics } from './scorers/metrics.ts';
import { LOOK_AGAIN_MS, type Components } from './status.ts';
import type { Timing } from './timing.ts';

/** Who is down is left alone for a while, and so is an alert that should clear. */
export const ASK_AGAIN_MS = 30 * SECOND;

export const DECAY = 'AlertDecayDetected';

/** What one look found, about all components or about one. */
export interface Found {
  readonly components: Components;
  /** For people; each is said once, when it becomes known. */
  readonly notes: readonly string[];
  readonly waits: readonly Wait[];
  /** The whole target was seen, so that it can be held against what it was. */
  readonly isWhole?: boolean;
  /** Why metrics will never be known, however long they are waited for. */
  readonly unmeasured?: string;
  readonly decay?: WantedCondition;
  readonly answer?: WantedCondition;
}

/** What is not known yet, and when it is looked for again. */
interface Wait {
  readonly what: string;
  readonly until: Instant;
}

/** What a look at one component has at hand: what is known so far, also from the components before it. */
interface Sight {
  readonly seen: AssessmentSeen;
  readonly now: Instant;
  readonly timing: Timing;
  readonly known: Components;
}

type Part = Partial<Found> | undefined;

/** One look at all that is not known yet: first the spec, then health, the alert and the metrics. None keeps another from being looked at. */
export function look(seen: AssessmentSeen, now: Instant, timing: Timing): Found {
  let found: Found = { components: seen.object.status?.components ?? {}, notes: [], waits: [] };
  for (const component of [lookAtSpec, lookAtHealth, lookAtAlert, lookAtMetrics]) {
    const part = component({ seen, now, timing, known: found.components }) ?? {};
    found = {
      ...found,
      ...part,
      components: { ...found.components, ...part.components },
      notes: [...found.notes, ...(part.notes ?? [])],
      waits: [...found.waits, ...(part.waits ?? [])],
    };
  }
  return found;
}

function lookAtSpec({ seen: { target, forTheRecord }, known, now }: Sight): Part {
  if (target.kind !== 'value') return again(now, target.kind === 'absent' ? 'the target' : `the target: ${target.reason}`);
  const currentSpecHash = knownSpecHash(target.value);
  if (currentSpecHash === undefined) return again(now, `its spec: ${unknownPart(target.value)}`);
  const { postRemediationSpecHash = currentSpecHash } = known;
  return { components: { hashComputed: true, postRemediationSpecHash, currentSpecHash, ...forTheRecord }, isWhole: true };
}

function unknownPart(target: Parameters<typeof fingerprint>[0]): string {
  const found = fingerprint(target);
  return found.isComplete ? '' : found.reason;
}

/** Judged once, and again for as long as an alert is taken for one that only has to clear: that holds only while the target is well. */
function lookAtHealth({ seen, known, now }: Sight): Part {
  if (known.healthAssessed === true && !isDecaying(seen)) return undefined;
  const health = judgeHealth(seen);
  if (!health) return again(now, 'its pods');
  const isNews = known.healthAssessed !== true || known.healthScore !== health.score;
  return {
    components: { healthAssessed: true, ...(health.score !== undefined && { healthScore: health.score }) },
    notes: isNews ? [health.message] : [],
  };
}

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

function lookAtAlert(sight: Sight): Part {
  const { seen, known, now, timing } = sight;
  const { alerts } = seen;
  if (known.alertAssessed === true) return undefined;
  if (alerts.kind === 'off') return { components: { alertAssessed: true } };
  if (now < timing.alertCheckAfter)
    return wait(timing.alertCheckAfter, `the alert, which may be looked at from ${toTime(timing.alertCheckAfter)} on`);
  if (alerts.kind === 'unreadable') return noAnswer(alerts.reason, now);
  return { ...answered(seen), ...judgeAlert(sight, alerts.value) };
}

function judgeAlert(sight: Sight, alerts: readonly FiringAlert[]): Part {
  const { seen, now } = sight;
  const { object } = seen;
  const firing = alertsOfTarget(alerts, { target: object.spec.remediationTarget, pods: seen.pods });
  if (firing.kind === 'unreadable') return again(now, `the alert: ${firing.reason}`);
  const name = object.spec.signalName ?? '';
  if (scoreAlert(firing.value) === 1) return judged(sight, 1, `${name} no longer fires`);
  return stillFires(sight, `${name} still fires (${firing.value.length})`);
}

/** On record, so that it is not taken for an alert that nobody was there to look at. */
const noAnswer = (reason: string, now: Instant): Part => ({
  ...wait(after(now, ASK_AGAIN_MS), `the alert: ${reason}`),
  answer: { type: ALERTMANAGER_ANSWERS, status: 'False', reason: 'NoAnswer', message: reason },
});

const answered = ({ object }: AssessmentSeen): Part =>
  getCondition(object.status?.conditions, ALERTMANAGER_ANSWERS) && {
    answer: { type: ALERTMANAGER_ANSWERS, status: 'True', reason: 'Answered', message: 'Alertmanager answers again' },
  };

/** A target that is well again outlives its alert for a while; one that is not, or of which nobody can tell, has it for a reason. */
function stillFires(sight: Sight, what: string): Part {
  const { seen, known, now } = sight;
  if (!isHealthKnown(sight)) return again(now, `whether the target is well: ${what}`);
  if ((known.healthScore ?? 0) === 0) return judged(sight, 0, what);
  const message = `${what} though the target is well: it is given time to clear`;
  const retries = Math.floor((now - decayingSince(seen, now)) / ASK_AGAIN_MS) + 1;
  return {
    ...wait(after(now, ASK_AGAIN_MS), message),
    // From the time that has passed, not from the number of looks: a look that something else led to is none of these.
    components: { alertDecayRetries: Math.max(known.alertDecayRetries ?? 0, retries) },
    decay: { type: DECAY, status: 'True', reason: 'AlertDecaying', message },
  };
}

/** As of this look, where the answer depends on it. */
const isHealthKnown = ({ seen, known }: Sight): boolean =>
  known.healthAssessed === true && known.hashComputed === true && (!isDecaying(seen) || judgeHealth(seen) !== undefined);

function decayingSince({ object }: AssessmentSeen, now: Instant): Instant {
  const condition = getCondition(object.status?.conditions, DECAY);
  return (condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined) ?? now;
}

function judged({ seen }: Sight, alertScore: 0 | 1, note: string): Part {
  const reason = alertScore === 1 ? 'AlertCleared' : 'TargetUnhealthy';
  return {
    components: { alertAssessed: true, alertScore },
    notes: [note],
    ...(isDecaying(seen) && { decay: { type: DECAY, status: 'False', reason, message: note } }),
  };
}

/** Whether the alert was seen to fire though the target was well, and has not been judged since. */
export const isDecaying = ({ object }: Pick<AssessmentSeen, 'object'>): boolean =>
  object.status?.components?.alertAssessed !== true && isTrue(object.status?.conditions, DECAY);

/** They do not wait for the alert. */
function lookAtMetrics({ seen, known, now, timing }: Sight): Part {
  const { metrics, object, settings } = seen;
  if (known.metricsAssessed === true) return undefined;
  if (metrics.kind === 'off') return { components: { metricsAssessed: true } };
  const { scrapeIntervalMs } = settings.external;
  const nextScrape = instant((Math.floor(now / scrapeIntervalMs) + 1) * scrapeIntervalMs);
  if (metrics.kind === 'unreadable') return wait(after(now, ASK_AGAIN_MS), `metrics: ${metrics.reason}`);
  const before = parseTime(object.metadata.creationTimestamp) ?? now;
  const finding = scoreMetrics(metrics.value, { before, from: timing.checkAfter });
  if (finding.kind === 'missing')
    return { ...wait(nextScrape, `metrics: ${finding.reason}`), ...(finding.isForGood && { unmeasured: finding.reason }) };
  return {
    components: { metricsAssessed: true, ...(finding.score !== undefined && { metricsScore: finding.score }) },
    notes: [finding.message],
  };
}

const wait = (until: Instant, what: string): { readonly waits: readonly Wait[] } => ({ waits: [{ what, until }] });

const again = (now: Instant, what: string): Part => wait(after(now, LOOK_AGAIN_MS), what);
