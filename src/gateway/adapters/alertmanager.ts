import { after, isObject, MINUTE, parseTime, type Instant, type JsonObject } from '../../base/index.ts';
import { instanceOfLabels } from '../../api/remediation-request/signal-instance.ts';
import { PROMETHEUS_PATH } from '../problem.ts';
import type { Signal } from '../signal.ts';
import { malformedAlert, noTarget, type Rejected } from '../signal-verdict.ts';
import { malformed, type Batch, type SignalAdapter } from './adapter.ts';
import { isPlainName } from './plain-text.ts';
import { targetIn, type AlertTarget } from './target-labels.ts';

type Texts = Readonly<Record<string, string>>;

/** Clocks differ a little; an alert from further ahead is a mistake or a forgery. */
const MOST_AHEAD_MS = 2 * MINUTE;

/** Alertmanager's webhook, version 4. */
export const alertmanager: SignalAdapter = { source: 'prometheus', path: PROMETHEUS_PATH, read: readWebhook };

/** Reads a webhook of Alertmanager, version 4. Unknown members are ignored. */
export function readWebhook(body: unknown, now: Instant): Batch {
  if (!isObject(body)) return malformed('the body is not a JSON object');
  if (body['version'] !== '4') return malformed(`version is ${JSON.stringify(body['version']) ?? 'absent'}, only "4" is understood`);
  return readAlerts(body, now, 'prometheus');
}

/** Reads the alerts of a body in the form of Alertmanager, whatever its version. */
export function readAlerts(body: JsonObject, now: Instant, source: string): Batch {
  const { alerts, truncatedAlerts } = body;
  if (!Array.isArray(alerts) || alerts.length === 0) return malformed('alerts is not a list with at least one alert');
  const labels = textsIn(body['commonLabels']);
  const annotations = textsIn(body['commonAnnotations']);
  if (!labels || !annotations) return malformed('commonLabels and commonAnnotations must map strings to strings');
  const { groupKey, receiver, externalURL } = body;
  const shared: Shared = { source, labels, annotations, groupKey, receiver, externalURL };
  return {
    kind: 'alerts',
    alerts: alerts.map((alert: unknown) => readAlert(alert, shared, now)),
    truncated: Number.isSafeInteger(truncatedAlerts) ? Math.max(0, Number(truncatedAlerts)) : 0,
  };
}

/** What a webhook says about all of its alerts. */
interface Shared {
  readonly source: string;
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly groupKey: unknown;
  readonly receiver: unknown;
  readonly externalURL: unknown;
}

const NAMELESS: AlertTarget = { kind: 'none', why: 'the alert has no label alertname' };

function readAlert(alert: unknown, shared: Shared, now: Instant): Signal | Rejected {
  if (!isObject(alert)) return malformedAlert('the alert is not a JSON object');
  const own = textsIn(alert['labels']);
  const annotations = textsIn(alert['annotations']);
  if (!own || !annotations) return malformedAlert('labels and annotations must map strings to strings');
  const labels = { ...own, ...shared.labels };
  const name = labels['alertname'] ?? '';
  const core = readCore(alert, name, now);
  if ('fault' in core) return malformedAlert(core.fault, core.named);
  const target: AlertTarget = name === '' ? NAMELESS : targetIn(labels);
  if (target.kind === 'none') return withoutTarget(name, target.why);
  const said = { ...saidIn(labels), instance: instanceOf(alert, labels) };
  const texts = { labels, annotations: { ...annotations, ...shared.annotations } };
  return { ...core, ...said, ...texts, about: target.object, source: shared.source, name, ...sourceTexts(alert, shared) };
}

const saidIn = (labels: Texts): Pick<Signal, 'severity' | 'clusterID'> => ({
  severity: labels['severity'] || 'unknown',
  clusterID: labels['cluster'] ?? '',
});

const withoutTarget = (name: string, why: string): Rejected => noTarget(name === '' ? why : `${name}: ${why}`, name);

interface Fault {
  readonly fault: string;
  readonly named: string;
}

/** What can be malformed in an alert besides its maps. */
function readCore(alert: JsonObject, name: string, now: Instant): Pick<Signal, 'state' | 'startsAt'> | Fault {
  // Such a name is not repeated: a terminal would obey it.
  if (name !== '' && !isPlainName(name)) return { fault: 'labels.alertname is not a line of at most 253 printable characters', named: '' };
  const { status, startsAt } = alert;
  const faulty = (fault: string): Fault => ({ fault: `${name || 'an alert'}: ${fault}`, named: name });
  // Go writes an unset time as the first day of the year 1.
  const at = typeof startsAt === 'string' && !startsAt.startsWith('0001-01-01') ? parseTime(startsAt) : undefined;
  if (status !== 'firing' && status !== 'resolved') return faulty('status must be firing or resolved');
  if (at === undefined) return faulty('startsAt is not an RFC 3339 time');
  if (at > after(now, MOST_AHEAD_MS)) return faulty('startsAt is more than 2 minutes in the future; compare the clocks');
  return { state: status, startsAt: at };
}

/** Alertmanager's own fingerprint where the alert has one. */
function instanceOf({ fingerprint }: JsonObject, labels: Texts): string {
  return typeof fingerprint === 'string' && /^[0-9a-f]{1,64}$/.test(fingerprint) ? fingerprint : instanceOfLabels(labels);
}

/** The instance of the alert that opened a request, from the payload in the request. */
export function instanceKept(payload: string | undefined, labels: Texts = {}): string {
  const alert = parsed(payload ?? '');
  return instanceOf(isObject(alert) ? alert : {}, labels);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sourceTexts(alert: JsonObject, { groupKey, receiver, externalURL }: Shared): Pick<Signal, 'providerData' | 'payload'> {
  const { generatorURL } = alert;
  return { providerData: JSON.stringify({ groupKey, receiver, externalURL, generatorURL }), payload: JSON.stringify(alert) };
}

/** A map of strings; undefined when it is something else. An absent value is an empty map. */
function textsIn(value: unknown): Texts | undefined {
  if (value === undefined || value === null) return {};
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string') ? (value as Texts) : undefined;
}
