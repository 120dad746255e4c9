import { isTerminal } from '../../../api/phases.ts';
import { fingerprintStateOf, type FingerprintState } from '../../../api/remediation-request/fingerprint-state.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { requestName } from '../../../api/remediation-request/request-name.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { instanceOfLabels } from '../../../api/remediation-request/signal-instance.ts';
import { after, instant, MINUTE, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { FiringAlert } from '../../../monitoring/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { suppressesOnlyJudged } from '../../../api/remediation-request/suppression.ts';
import { severityOf, compareSeverity } from '../../../api/parts/severity.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import type { RemediationSeen } from '../observe.ts';
import { TARGET_BLOCKED_REASONS } from '../suppression/suppress-until-cleared.ts';
import type { RemediationStatus } from '../status.ts';
import { signalsOf } from '../urgency.ts';
import { draftResumed } from './draft-resumed.ts';

/** How soon Alertmanager is asked again where it did not answer. */
const ASK_AGAIN_MS = MINUTE;

/**
 * Whether the signal of a request was left without remediation for a while, so that it has to be resumed afterwards: after a failure, a
 * refusal, a block, or a judgement that suppressed it.
 */
export const isLeftOpen = (request: RemediationRequest): boolean =>
  isOfAlert(request) && request.status?.alertsCheckedAt === undefined && hasWaited(request.status ?? {});

/** Only alerts are resumed; a Machine or a person repeats their own requests, and an undo is followed by none. */
const isOfAlert = ({ spec, status }: RemediationRequest): boolean =>
  spec.signalType === 'alert' && !spec.undoOf && !status?.undo && spec.dryRun !== true;

function hasWaited({
  overallPhase,
  failurePhase,
  blockReason,
  cancellation,
  skipReason,
  outcome,
  suppression,
}: RemediationStatus): boolean {
  switch (overallPhase) {
    case 'Failed':
      // What is not managed is left alone, whatever fires.
      return failurePhase !== 'Blocked' || blockReason !== 'UnmanagedResource';
    case 'TimedOut':
      return true;
    case 'Cancelled':
      return cancellation !== undefined;
    case 'Skipped':
      return TARGET_BLOCKED_REASONS.includes(skipReason);
    case 'Completed':
      return outcome === 'Inconclusive' || suppression !== undefined;
    default:
      return false;
  }
}

/** When the wait of an ended request is over, by time; a change or an operator may end it earlier. */
export function endOfWait(request: RemediationRequest): Instant {
  const { status = {} } = request;
  if (hasUnjudged(request)) return instant(0);
  return instant(Math.max(parseTime(status.nextAllowedExecution) ?? 0, parseTime(status.refusal?.until) ?? 0));
}

/** Whether alerts joined the request that its end does not suppress: if they still fire, they are remediated at once. */
const hasUnjudged = (request: RemediationRequest): boolean =>
  suppressesOnlyJudged(request) &&
  request.status?.suppression !== undefined &&
  signalsOf(request).some(({ name }) => !request.status?.suppression?.signals.some((judged) => judged.name === name));

type Asking = Pick<RemediationSeen, 'object' | 'siblings' | 'settings'>;

/** Whether it is time to ask whether its alerts still fire: its wait is over, and no other request of the fingerprint followed it. */
export function isResumptionDue({ object, siblings, settings }: Asking, now: Instant): boolean {
  if (!isLeftOpen(object) || now < endOfWait(object) || siblings.kind !== 'value') return false;
  const { metadata, spec } = object;
  const state = stateFor({ object, siblings, settings }, now);
  // It must be the youngest: the name of the next request follows from its UID.
  if (state?.kind === 'free') return state.name === requestName(spec.signalFingerprint, metadata.uid);
  // An earlier request may suppress some of the alerts, and not others.
  return state?.kind === 'suppressing' && siblings.value.every((other) => other.metadata.creationTimestamp <= metadata.creationTimestamp);
}

function stateFor({ object, siblings, settings }: Asking, now: Instant, alert?: FiringAlert): FingerprintState | undefined {
  if (siblings.kind !== 'value') return undefined;
  const others = siblings.value;
  return fingerprintStateOf(object.spec.signalFingerprint, others, {
    now,
    chainIntervalMs: settings.routing.ineffectiveTimeWindowMs,
    ...(alert && { signal: signalOf(alert) }),
  });
}

const signalOf = ({ labels }: FiringAlert) => ({ name: labels['alertname'] ?? '', severity: labels['severity'] ?? '' });

/**
 * Opens the next request of a fingerprint whose wait is over, where Alertmanager reports that an alert of the request still fires: by itself
 * Alertmanager repeats an alert only after its repeat_interval, which is 4 h by default (ruling 131). Its name is the one that the gateway
 * would give it, so that there is never a second one.
 */
export function resumeAfterWait(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const { object, firing } = seen;
  if (!isTerminal(remediationPhases, object.status?.overallPhase) || !isLeftOpen(object)) return decision;
  const end = endOfWait(object);
  if (now < end) return wakeBy(decision, end);
  if (!firing) return decision;
  if (firing.kind === 'unreadable') return wakeBy(decision, after(now, ASK_AGAIN_MS));
  const still = stillFiring(object, firing.value);
  if (still.length === 0) return { ...decision, status: { ...(decision.status as RemediationStatus), alertsCheckedAt: toTime(now) } };
  return open(seen, { decision, still }, now);
}

function open(
  seen: RemediationSeen,
  { decision, still }: { readonly decision: Decision; readonly still: readonly FiringAlert[] },
  now: Instant,
): Decision {
  let freeAt = Infinity;
  for (const alert of still) {
    const state = stateFor(seen, now, alert);
    if (state?.kind === 'suppressing') freeAt = Math.min(freeAt, parseTime(state.until) ?? Infinity);
    if (state?.kind !== 'free') continue;
    const draft = draftResumed(seen.object, alert, { name: state.name, now });
    const effects = [{ kind: 'Create', resource: RemediationRequest, object: draft } as const, ...decision.effects];
    return wakeBy({ ...decision, effects }, after(now, RECHECK_INTERVAL_MS));
  }
  return freeAt === Infinity ? decision : wakeBy(decision, instant(freeAt));
}

/**
 * The alerts of the request that still fire, the most severe first. A silenced or inhibited alert would not have been sent, and is left alone.
 */
function stillFiring({ spec, status }: RemediationRequest, firing: readonly FiringAlert[]): readonly FiringAlert[] {
  const known = new Set(status?.deduplication?.alerts?.map(({ name, instance }) => `${name} ${instance}`));
  const isKnown = ({ labels, fingerprint = instanceOfLabels(labels) }: FiringAlert): boolean =>
    known.has(`${labels['alertname'] ?? spec.signalName} ${fingerprint}`);
  return firing.filter((alert) => alert.state === 'active' && isKnown(alert)).toSorted(bySeverity);
}

const bySeverity = (one: FiringAlert, other: FiringAlert): number =>
  compareSeverity(severityOf(other.labels['severity'] ?? ''), severityOf(one.labels['severity'] ?? ''));

const wakeBy = (decision: Decision, at: Instant): Decision => ({ ...decision, wakeAt: instant(Math.min(decision.wakeAt ?? Infinity, at)) });
