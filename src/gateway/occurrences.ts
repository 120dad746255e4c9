import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { toTime, type Instant } from '../base/index.ts';
import { instanceKept } from './adapters/alertmanager.ts';
import type { Signal } from './signal.ts';

/** What a request knows of the signals that it stands for. */
export type Deduplication = NonNullable<NonNullable<RemediationRequest['status']>['deduplication']>;
type Alert = NonNullable<Deduplication['alerts']>[number];

/** As many as the schema allows; the alerts reported longest ago are dropped. */
const MOST_ALERTS = 256;

/** After the signal that opened the request. A gateway that recorded a signal before has counted this one. */
export const opened = (request: RemediationRequest, signal: Signal, now: Instant): Deduplication =>
  withAlert(known(request), alertOf(signal, now));

/** After another firing signal. */
export function joined(request: RemediationRequest, signal: Signal, now: Instant): Deduplication {
  const before = known(request);
  const occurrenceCount = (before.occurrenceCount ?? 0) + 1;
  return withAlert({ ...before, lastSeenAt: toTime(now), occurrenceCount }, alertOf(signal, now));
}

/** After the alert of a workload that the failed Node of this request made unhealthy: counted, but its resolution is not the Node's. */
export function counted(request: RemediationRequest, _: Signal, now: Instant): Deduplication {
  const before = known(request);
  return { ...before, lastSeenAt: toTime(now), occurrenceCount: (before.occurrenceCount ?? 0) + 1 };
}

/** After the alert is reported resolved, which is not a new occurrence. */
export const calmed = (request: RemediationRequest, signal: Signal, now: Instant): Deduplication =>
  withAlert(known(request), { ...alertOf(signal, now), resolvedAt: toTime(now) });

/**
 * What status has; where it has nothing, the signal that opened the request, because a crash can come between the two writes. Without it, the
 * resolution of another alert would be all that is known, and the request would appear resolved.
 */
const known = ({ spec, status }: RemediationRequest): Deduplication => ({
  firstSeenAt: spec.receivedTime,
  lastSeenAt: spec.receivedTime,
  occurrenceCount: 1,
  alerts: spec.signalName === '' ? [] : [opener(spec)],
  ...status?.deduplication,
});

const opener = ({ signalName, severity, signalLabels, originalPayload, receivedTime }: RemediationRequest['spec']): Alert => ({
  name: signalName,
  severity,
  instance: instanceKept(originalPayload, signalLabels),
  lastSeenAt: receivedTime,
});

/** As long as the schema allows. A source that writes more than that names no severity that is known. */
const LONGEST_SEVERITY = 50;

const alertOf = ({ name, instance, severity }: Signal, now: Instant): Alert => ({
  name,
  instance,
  severity: severity.slice(0, LONGEST_SEVERITY),
  lastSeenAt: toTime(now),
});

function withAlert(before: Deduplication, alert: Alert): Deduplication {
  const others = (before.alerts ?? []).filter(({ name, instance }) => name !== alert.name || instance !== alert.instance);
  return { ...before, alerts: [...others, alert].slice(-MOST_ALERTS) };
}
