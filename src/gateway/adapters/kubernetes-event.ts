import { resourceOfKind } from '../../api/builtin/index.ts';
import { KUBERNETES_EVENTS } from '../../api/remediation-request/signal-source.ts';
import { instanceOfLabels } from '../../api/remediation-request/signal-instance.ts';
import { after, given, isObject, MINUTE, parseTime, type Instant, type JsonObject } from '../../base/index.ts';
import type { Signal } from '../signal.ts';
import { malformedAlert, noTarget, type Rejected } from '../signal-verdict.ts';
import { malformed, type Batch, type SignalAdapter } from './adapter.ts';
import { isPlainName } from './plain-text.ts';

/** Events tell what happened just now; one from before is the repetition of a list, and no news. */
const OLDEST_MS = 5 * MINUTE;
/** Clocks differ a little. */
const MOST_AHEAD_MS = 2 * MINUTE;

/** One Event of Kubernetes, in the form of core/v1 or of events.k8s.io/v1. */
export const kubernetesEvent: SignalAdapter = {
  source: KUBERNETES_EVENTS,
  path: '/api/v1/signals/kubernetes-event',
  read(body, now) {
    if (!isObject(body)) return malformed('the body is not a JSON object');
    const fault = faultOf(body, now);
    if (fault !== undefined) return malformed(fault);
    const about = aboutOf(body);
    return about ? oneSignal(signalOf(body, about, now)) : malformed('involvedObject must name the kind and the name of an object');
  },
};

const oneSignal = (signal: Signal | Rejected): Batch => ({ kind: 'alerts', alerts: [signal], truncated: 0 });

/** What makes a body no Event that can be acted on; the member is named. */
function faultOf(event: JsonObject, now: Instant): string | undefined {
  const { type, reason } = event;
  if (event['kind'] !== undefined && event['kind'] !== 'Event') return `kind is ${shown(event['kind'])}, and only an Event is understood`;
  if (type !== 'Warning' && type !== 'Error') return `type is ${shown(type)}: only Warning reports a fault`;
  if (!isPlainName(reason)) return 'reason is not a line of at most 253 printable characters';
  const last = lastSeen(event);
  if (last === undefined) return 'none of lastTimestamp, series.lastObservedTime, eventTime and firstTimestamp is an RFC 3339 time';
  if (last > after(now, MOST_AHEAD_MS)) return 'the Event is from more than 2 minutes in the future; compare the clocks';
  return last < after(now, -OLDEST_MS) ? 'the Event is older than 5 minutes' : undefined;
}

const shown = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value).slice(0, 60));

interface About {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly apiVersion?: string;
}

/** events.k8s.io/v1 calls it `regarding`. */
function aboutOf(event: JsonObject): About | undefined {
  const object = event['involvedObject'] ?? event['regarding'];
  if (!isObject(object)) return undefined;
  const { kind, name, namespace = '', apiVersion } = object;
  if (typeof kind !== 'string' || typeof name !== 'string' || typeof namespace !== 'string' || kind === '' || name === '') return undefined;
  return { kind, name, namespace, ...given({ apiVersion: typeof apiVersion === 'string' ? apiVersion : undefined }) };
}

function lastSeen(event: JsonObject): Instant | undefined {
  const { series, lastTimestamp, deprecatedLastTimestamp, eventTime, firstTimestamp } = event;
  const observed = isObject(series) ? series['lastObservedTime'] : undefined;
  const times = [lastTimestamp, deprecatedLastTimestamp, observed, eventTime, firstTimestamp, event['deprecatedFirstTimestamp']];
  return times.map(timeOf).find((time) => time !== undefined);
}

const timeOf = (value: unknown): Instant | undefined => (typeof value === 'string' ? parseTime(value) : undefined);

/** An Event that `faultOf` finds nothing wrong with. */
function signalOf(event: JsonObject, about: About, now: Instant): Signal | Rejected {
  const reason = String(event['reason']);
  const resource = resourceOfKind(about.kind, about.apiVersion);
  if (!resource) return noTarget(`${reason}: a ${about.kind} is of no kind that can be remediated`, reason);
  const key = { namespace: resource.namespaced ? about.namespace || 'default' : '', name: about.name };
  if (!isObjectName(key.name) || !isObjectName(key.namespace || 'none'))
    return malformedAlert(`${reason}: involvedObject.name or .namespace is not the name of an object`, reason);
  const labels = { namespace: key.namespace, kind: resource.kind, name: key.name };
  return {
    state: 'firing',
    source: KUBERNETES_EVENTS,
    name: reason,
    instance: instanceOfLabels(labels),
    severity: 'warning',
    startsAt: timeOf(event['firstTimestamp']) ?? lastSeen(event) ?? now,
    labels,
    annotations: given({ message: textOf(event['message'] ?? event['note']) }),
    clusterID: '',
    about: { resource, key },
    ...sourceTexts(event),
  };
}

function sourceTexts(event: JsonObject): Pick<Signal, 'providerData' | 'payload'> {
  const { type, count, reportingComponent, reportingController, source } = event;
  const providerData = JSON.stringify({ type, count, reportingComponent: reportingComponent ?? reportingController, source });
  return { providerData, payload: JSON.stringify(event) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const isObjectName = (name: string): boolean => name.length <= 253 && /^[a-z0-9]([-a-z0-9.:]*[a-z0-9])?$/.test(name);
