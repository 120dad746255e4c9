import { after, isObject, MINUTE, parseTime, type Instant, type JsonObject } from '../../base/index.ts';
import { instanceOfLabels } from '../../api/remediation-request/signal-instance.ts';
import type { Signal } from '../signal.ts';
import { rejected, type Rejected } from '../signal-verdict.ts';
import { TARGET_LABELS, targetsIn } from './target-labels.ts';

/** A webhook that could be parsed: each alert is a signal, or is rejected because the alert itself is invalid. */
export type Webhook =
  | { readonly kind: 'alerts'; readonly alerts: readonly (Signal | Rejected)[]; readonly truncated: number }
  | { readonly kind: 'malformed'; readonly reason: string };

type Texts = Readonly<Record<string, string>>;

/** Clocks differ a little; an alert from further ahead is a mistake or a forgery. */
const MOST_AHEAD_MS = 2 * MINUTE;

/** Reads a webhook of Alertmanager, version 4. Unknown members are ignored. */
export function readWebhook(body: unknown, now: Instant): Webhook {
  if (!isObject(body)) return malformed('the body is not a JSON object');
  if (body['version'] !== '4') return malformed(`version is ${JSON.stringify(body['version']) ?? 'absent'}, only "4" is understood`);
  const { alerts, truncatedAlerts } = body;
  if (!Array.isArray(alerts) || alerts.length === 0) return malformed('alerts is not a list with at least one alert');
  const labels = textsIn(body['commonLabels']);
  const annotations = textsIn(body['commonAnnotations']);
  if (!labels || !annotations) return malformed('commonLabels and commonAnnotations must map strings to strings');
  const shared: Shared = { labels, annotations, groupKey: body['groupKey'], receiver: body['receiver'], externalURL: body['externalURL'] };
  return {
    kind: 'alerts',
    alerts: alerts.map((alert: unknown) => readAlert(alert, shared, now)),
    truncated: typeof truncatedAlerts === 'number' ? truncatedAlerts : 0,
  };
}

const malformed = (reason: string): Webhook => ({ kind: 'malformed', reason });

/** What a webhook says about all of its alerts. */
interface Shared {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly groupKey: unknown;
  readonly receiver: unknown;
  readonly externalURL: unknown;
}

function readAlert(alert: unknown, shared: Shared, now: Instant): Signal | Rejected {
  if (!isObject(alert)) return rejected('the alert is not a JSON object');
  const own = textsIn(alert['labels']);
  const annotations = textsIn(alert['annotations']);
  if (!own || !annotations) return rejected('labels and annotations must map strings to strings');
  const labels = { ...own, ...shared.labels };
  const name = labels['alertname'] ?? '';
  if (name === '') return rejected('the alert has no label alertname');
  const core = readCore(alert, labels, now);
  if ('fault' in core) return rejected(`${name}: ${core.fault}`);
  return {
    ...core,
    source: 'prometheus',
    name,
    instance: instanceOf(alert, labels),
    severity: labels['severity'] || 'unknown',
    labels,
    annotations: { ...annotations, ...shared.annotations },
    clusterID: labels['cluster'] ?? '',
    providerData: providerData(alert, shared),
    payload: JSON.stringify(alert),
  };
}

/** What can be wrong with an alert that has a name. */
function readCore(
  { status, startsAt }: JsonObject,
  labels: Texts,
  now: Instant,
): Pick<Signal, 'state' | 'startsAt' | 'candidates'> | { readonly fault: string } {
  // Go writes an unset time as the first day of the year 1.
  const at = typeof startsAt === 'string' && !startsAt.startsWith('0001-01-01') ? parseTime(startsAt) : undefined;
  const [first, ...others] = targetsIn(labels);
  if (status !== 'firing' && status !== 'resolved') return { fault: 'status must be firing or resolved' };
  if (at === undefined) return { fault: 'startsAt is not an RFC 3339 time' };
  if (at > after(now, MOST_AHEAD_MS)) return { fault: 'startsAt is more than 2 minutes in the future; compare the clocks' };
  if (!first) return { fault: `no label names a resource; add namespace and one of ${TARGET_LABELS.join(', ')}` };
  return { state: status, startsAt: at, candidates: [first, ...others] };
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

const providerData = ({ generatorURL }: JsonObject, { groupKey, receiver, externalURL }: Shared): string =>
  JSON.stringify({ groupKey, receiver, externalURL, generatorURL });

/** A map of strings; undefined when it is something else. An absent value is an empty map. */
function textsIn(value: unknown): Texts | undefined {
  if (value === undefined || value === null) return {};
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string') ? (value as Texts) : undefined;
}
