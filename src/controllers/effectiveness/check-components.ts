import { Node, type DaemonSet, type Deployment } from '../../api/builtin/index.ts';
import { ALERTMANAGER_ANSWERS } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import { after, instant, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { getCondition, isTrue, type WantedCondition } from '../../kube/objects/conditions.ts';
import type { FiringAlert } from '../../monitoring/index.ts';
import { fingerprint, knownSpecHash } from '../target/index.ts';
import type { AssessmentSeen } from './observe.ts';
import { alertsOfTarget, scoreAlert } from './scorers/alert.ts';
import { HEALTH_NOT_APPLICABLE, scoreHealth, type Health } from './scorers/health.ts';
import { scoreNodeHealth } from './scorers/node-health.ts';
import { scoreMetrics } from './scorers/metrics.ts';
import { READ_RETRY_MS, type Components } from './status.ts';
import { faultSpan, type Timing } from './timing.ts';

/** When to query a monitoring server again that did not answer, or whose alert should clear soon. */
const MONITORING_RETRY_MS = 30 * SECOND;

export const ALERT_DECAY = 'AlertDecayDetected';

/** What one pass found, about all components or about one. */
export interface Findings {
  readonly components: Components;
  /** Added to the status message once each, when it becomes known. */
  readonly notes: readonly string[];
  readonly waits: readonly Wait[];
  /** The whole target was read, so that it can be compared with its recorded state. */
  readonly isWhole?: boolean;
  /** Why metrics can never be known, however long the assessment waits. */
  readonly unmeasured?: string;
  readonly decay?: WantedCondition;
  readonly answer?: WantedCondition;
}

/** A component that is not known yet, and when it is checked again. */
interface Wait {
  readonly what: string;
  readonly until: Instant;
}

/** What the check of one component works from; `known` includes the components that were checked before it. */
interface CheckInput {
  readonly seen: AssessmentSeen;
  readonly now: Instant;
  readonly timing: Timing;
  readonly known: Components;
}

type ComponentFindings = Partial<Findings> | undefined;

/** Checks each component that is not known yet: the spec, then health, the alert and the metrics. None blocks another. */
export function checkComponents(seen: AssessmentSeen, now: Instant, timing: Timing): Findings {
  let found: Findings = { components: seen.object.status?.components ?? {}, notes: [], waits: [] };
  for (const component of [checkSpec, checkHealth, checkAlert, checkMetrics]) {
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

function checkSpec({ seen: { target, historyKeys }, known, now }: CheckInput): ComponentFindings {
  if (target.kind !== 'value') return retry(now, target.kind === 'unreadable' ? `the target: ${target.reason}` : 'the target');
  const currentSpecHash = knownSpecHash(target.value);
  if (currentSpecHash === undefined) return retry(now, `its spec: ${unknownPart(target.value)}`);
  const { postRemediationSpecHash = currentSpecHash } = known;
  return { components: { hashComputed: true, postRemediationSpecHash, currentSpecHash, ...historyKeys }, isWhole: true };
}

function unknownPart(target: Parameters<typeof fingerprint>[0]): string {
  const found = fingerprint(target);
  return found.isComplete ? '' : found.reason;
}

/** Scored once, and again while a firing alert counts as one that only has to clear: that holds only while the target is healthy. */
function checkHealth(input: CheckInput): ComponentFindings {
  const { seen, known } = input;
  if (known.healthAssessed === true && !isDecaying(seen)) return undefined;
  const health = judgeHealth(input);
  if ('until' in health) return { waits: [health] };
  const isChanged = known.healthAssessed !== true || known.healthScore !== health.score;
  return {
    components: { healthAssessed: true, ...(health.score !== undefined && { healthScore: health.score }) },
    notes: isChanged ? [health.message] : [],
  };
}

/** What is waited for while the pods cannot be read, or a Node has not settled: unknown is neither healthy nor unhealthy. */
function judgeHealth({ seen: { object, target, pods }, now, timing }: CheckInput): Health | Wait {
  const unread = { what: 'its pods', until: after(now, READ_RETRY_MS) };
  if (target.kind !== 'value') return unread;
  if (target.value.kind === Node.kind) return scoreNodeHealth(target.value as Node, { now, ...timing });
  if (!pods) return HEALTH_NOT_APPLICABLE;
  if (pods.kind !== 'value') return unread;
  const { remediationCreatedAt, scalesToZero } = object.spec;
  return scoreHealth({
    desired: desiredReplicas(target.value),
    pods: pods.value,
    since: parseTime(remediationCreatedAt),
    scalesToZero: scalesToZero ?? false,
  });
}

/** How many pods a target should have. */
export function desiredReplicas(target: KubeObject): number {
  if (target.kind === 'DaemonSet') return (target as DaemonSet).status?.desiredNumberScheduled ?? 0;
  // Kubernetes defaults replicas to one, and a Pod counts as one.
  return (target as Deployment).spec.replicas ?? 1;
}

function checkAlert(input: CheckInput): ComponentFindings {
  const { seen, known, now, timing } = input;
  const { alerts } = seen;
  if (known.alertAssessed === true) return undefined;
  if (alerts.kind === 'off') return { components: { alertAssessed: true } };
  if (now < timing.alertCheckAfter || alerts.kind === 'not-read')
    return wait(timing.alertCheckAfter, `the alert, which is checked from ${toTime(timing.alertCheckAfter)} on`);
  if (alerts.kind === 'unreadable') return noAnswer(alerts.reason, now);
  return { ...answered(seen), ...judgeAlert(input, alerts.value) };
}

function judgeAlert(input: CheckInput, alerts: readonly FiringAlert[]): ComponentFindings {
  const { seen, now } = input;
  const { object } = seen;
  const firing = alertsOfTarget(alerts, { target: object.spec.remediationTarget, pods: seen.pods });
  if (firing.kind === 'unreadable') return retry(now, `the alert: ${firing.reason}`);
  const name = object.spec.signalName ?? '';
  if (scoreAlert(firing.value) === 1) return resolved(input, `${name} no longer fires`);
  return stillFires(input, `${name} still fires (${firing.value.length})`);
}

/** An alert may resolve because nothing runs that it could be about: where health is 0 that is no evidence of a fix, and has no score. */
function resolved(input: CheckInput, note: string): ComponentFindings {
  if (input.known.healthScore !== 0) return judged(input, 1, note);
  return judged(input, undefined, `${note}, which says nothing while the target is unhealthy`);
}

/** Recorded in a condition: an alert that could not be read differs from one that was never queried. */
const noAnswer = (reason: string, now: Instant): ComponentFindings => ({
  ...wait(after(now, MONITORING_RETRY_MS), `the alert: ${reason}`),
  answer: { type: ALERTMANAGER_ANSWERS, status: 'False', reason: 'NoAnswer', message: reason },
});

const answered = ({ object }: AssessmentSeen): ComponentFindings =>
  getCondition(object.status?.conditions, ALERTMANAGER_ANSWERS) && {
    answer: { type: ALERTMANAGER_ANSWERS, status: 'True', reason: 'Answered', message: 'Alertmanager answers again' },
  };

/** The alert of a healthy target may take a while to clear. If the target is unhealthy, the alert fires for a reason. */
function stillFires(input: CheckInput, what: string): ComponentFindings {
  const { seen, known, now } = input;
  if (!isHealthKnown(input)) return retry(now, `whether the target is healthy: ${what}`);
  if ((known.healthScore ?? 0) === 0) return judged(input, 0, what);
  const message = `${what} though the target is healthy: it is given time to clear`;
  const retries = Math.floor((now - decayingSince(seen, now)) / MONITORING_RETRY_MS) + 1;
  return {
    ...wait(after(now, MONITORING_RETRY_MS), message),
    // From the elapsed time, not from the number of passes: other events cause passes too.
    components: { alertDecayRetries: Math.max(known.alertDecayRetries ?? 0, retries) },
    decay: { type: ALERT_DECAY, status: 'True', reason: 'AlertDecaying', message },
  };
}

/** As of this pass, where the alert depends on it. */
const isHealthKnown = (input: CheckInput): boolean =>
  input.known.healthAssessed === true && input.known.hashComputed === true && (!isDecaying(input.seen) || !('until' in judgeHealth(input)));

function decayingSince({ object }: AssessmentSeen, now: Instant): Instant {
  const condition = getCondition(object.status?.conditions, ALERT_DECAY);
  return (condition?.status === 'True' ? parseTime(condition.lastTransitionTime) : undefined) ?? now;
}

function judged({ seen }: CheckInput, alertScore: 0 | 1 | undefined, note: string): ComponentFindings {
  const reason = alertScore === 1 ? 'AlertCleared' : 'TargetUnhealthy';
  return {
    components: { alertAssessed: true, ...(alertScore !== undefined && { alertScore }) },
    notes: [note],
    ...(isDecaying(seen) && { decay: { type: ALERT_DECAY, status: 'False', reason, message: note } }),
  };
}

/** Whether the alert fired although the target was healthy, and has not been scored since. */
export const isDecaying = ({ object }: Pick<AssessmentSeen, 'object'>): boolean =>
  object.status?.components?.alertAssessed !== true && isTrue(object.status?.conditions, ALERT_DECAY);

/** Metrics do not wait for the alert. */
function checkMetrics({ seen, known, now, timing }: CheckInput): ComponentFindings {
  const { metrics, object, settings } = seen;
  if (known.metricsAssessed === true) return undefined;
  if (metrics.kind === 'off') return { components: { metricsAssessed: true } };
  const { scrapeIntervalMs } = settings.external;
  const nextScrape = instant((Math.floor(now / scrapeIntervalMs) + 1) * scrapeIntervalMs);
  if (metrics.kind === 'unreadable') return wait(after(now, MONITORING_RETRY_MS), `metrics: ${metrics.reason}`);
  if (metrics.kind === 'not-read') return retry(now, 'metrics');
  const finding = scoreMetrics(metrics.value, { ...faultSpan(object, scrapeIntervalMs), from: timing.checkAfter });
  if (finding.kind === 'missing')
    return { ...wait(nextScrape, `metrics: ${finding.reason}`), ...(finding.isForGood && { unmeasured: finding.reason }) };
  return {
    components: { metricsAssessed: true, ...(finding.score !== undefined && { metricsScore: finding.score }) },
    notes: [finding.message],
  };
}

const wait = (until: Instant, what: string): { readonly waits: readonly Wait[] } => ({ waits: [{ what, until }] });

const retry = (now: Instant, what: string): ComponentFindings => wait(after(now, READ_RETRY_MS), what);
