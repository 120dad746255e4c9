import { after, MINUTE, SECOND, type Instant } from '../../base/index.ts';
import type { AlertRule, ClusterState, Sample } from './rules.ts';

/** An alert that is active, or was until lately. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Since when its expression holds, and when it held last. */
  readonly activeSince: Instant;
  readonly activeAt: Instant;
  /** Undefined while it is pending. */
  readonly firedAt?: Instant;
  /** Undefined while it is active. */
  readonly resolvedAt?: Instant;
  /** What receivers were sent last. */
  readonly sent?: { readonly status: AlertStatus; readonly at: Instant };
  /** Receivers did not take it so many times in a row; it is not sent before then. */
  readonly refused?: { readonly times: number; readonly until: Instant };
}

export type AlertStatus = 'firing' | 'resolved';

/** Every alert that is pending, fires, or is not yet reported as resolved, by its labels. */
export type AlertBook = ReadonlyMap<string, Alert>;

/** A firing alert is sent again so often. */
export const REPEAT_MS = MINUTE;
/** One that is refused again and again is sent so often. */
const LONGEST_WAIT_MS = 30 * SECOND;

export const statusOf = ({ resolvedAt }: Alert): AlertStatus => (resolvedAt === undefined ? 'firing' : 'resolved');

/** Evaluates the rules: what is active now, what fires, what has ended, and what receivers are to be sent. */
export function decideAlerts(
  { rules, state, book }: { readonly rules: readonly AlertRule[]; readonly state: ClusterState; readonly book: AlertBook },
  now: Instant,
): { readonly book: AlertBook; readonly due: readonly string[] } {
  const next = new Map<string, Alert>();
  for (const rule of rules) {
    const samples = rule.expression(state).map((sample) => withRule(rule, sample));
    for (const [key, sample] of samples) next.set(key, active(rule, sample, { before: book.get(key), now }));
    for (const [key, alert] of book) {
      if (alert.labels['alertname'] !== rule.name || next.has(key)) continue;
      const ended = inactive(rule, alert, now);
      if (ended) next.set(key, ended);
    }
  }
  return { book: next, due: [...next].flatMap(([key, alert]) => (isDue(alert, now) ? [key] : [])) };
}

/** The book once these were sent. */
export const markSent = (book: AlertBook, keys: readonly string[], now: Instant): AlertBook =>
  marked(book, keys, ({ refused: _over, ...alert }) => ({ ...alert, sent: { status: statusOf(alert), at: now } }));

/** The book once receivers did not take these: each is sent later every time. */
export const markRefused = (book: AlertBook, keys: readonly string[], now: Instant): AlertBook =>
  marked(book, keys, (alert) => {
    const times = (alert.refused?.times ?? 0) + 1;
    return { ...alert, refused: { times, until: after(now, Math.min(SECOND * 2 ** (times - 1), LONGEST_WAIT_MS)) } };
  });

function marked(book: AlertBook, keys: readonly string[], mark: (alert: Alert) => Alert): AlertBook {
  const chosen = new Set(keys);
  return new Map([...book].map(([key, alert]) => [key, chosen.has(key) ? mark(alert) : alert]));
}

/** What is sent together: all of a name, but each alone once it was refused, so that it keeps back no other. */
export const inPosts = (book: AlertBook, due: readonly string[]): readonly (readonly string[])[] => [
  ...Map.groupBy(due, (key) => {
    const alert = book.get(key);
    return alert?.refused ? key : (alert?.labels['alertname'] ?? '');
  }).values(),
];

function withRule({ name, severity }: AlertRule, { labels, summary }: Sample): readonly [string, Sample] {
  const all = { alertname: name, severity, ...labels };
  return [JSON.stringify(all), { labels: all, summary }];
}

function active(rule: AlertRule, sample: Sample, { before, now }: { readonly before: Alert | undefined; readonly now: Instant }): Alert {
  // What is over begins again.
  const known = before?.resolvedAt === undefined ? before : undefined;
  if (!known) return fireIfDue(rule, { ...sample, activeSince: now, activeAt: now }, now);
  return fireIfDue(rule, { ...known, ...sample, activeAt: now }, now);
}

const fireIfDue = ({ forMs }: AlertRule, alert: Alert, now: Instant): Alert =>
  alert.firedAt === undefined && now >= after(alert.activeSince, forMs) ? { ...alert, firedAt: now } : alert;

/** What ended while it was pending was never an alert; what was sent as resolved is forgotten. */
function inactive(rule: AlertRule, alert: Alert, now: Instant): Alert | undefined {
  if (alert.resolvedAt !== undefined) return alert.sent?.status === 'resolved' ? undefined : alert;
  if (now < after(alert.activeAt, rule.keepMs ?? 0)) return fireIfDue(rule, alert, now);
  return alert.firedAt === undefined || alert.sent === undefined ? undefined : { ...alert, resolvedAt: now };
}

function isDue({ firedAt, resolvedAt, sent, refused }: Alert, now: Instant): boolean {
  if (firedAt === undefined || (refused && now < refused.until)) return false;
  if (resolvedAt !== undefined) return sent?.status !== 'resolved';
  return sent === undefined || now >= after(sent.at, REPEAT_MS);
}
