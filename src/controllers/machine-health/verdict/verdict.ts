import { after, isAhead, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { UnhealthyReason, RuleResult, HealthTimer, UnknownHealth } from './health-rules.ts';
import type { HealthTarget } from '../targets/target.ts';

/** The verdict of a check about a Machine now. Only `healthy` counts as healthy. */
export type HealthVerdict =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly fault: UnhealthyReason; readonly messages: readonly string[] }
  /** Unhealthy conditions have not lasted long enough; evaluated again at `until`. */
  | { readonly kind: 'waiting'; readonly until: Instant }
  | UnknownHealth;

/** Times on objects are whole seconds: one second later the limit has certainly passed. */
const ROUNDING_MARGIN_MS = SECOND;

/** Compares the rules' result with the clock. A problem that lasts exactly its timeout does not count yet. */
export function verdictAt(prognosis: RuleResult, target: HealthTarget, now: Instant): HealthVerdict {
  switch (prognosis.kind) {
    case 'failing':
      return { kind: 'unhealthy', fault: prognosis.fault, messages: [prognosis.message] };
    case 'unjudged':
      return prognosis;
    case 'timed':
      return timed(prognosis.timers, now) ?? healthyUnlessDeleting(target);
  }
}

/** Undefined when there is no problem. */
function timed(timers: readonly HealthTimer[], now: Instant): HealthVerdict | undefined {
  const [first] = timers;
  if (first === undefined) return undefined;
  const expired = timers.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < now);
  if (expired[0]) return { kind: 'unhealthy', fault: expired[0].fault, messages: expired.map(({ message }) => message) };
  const ends = timers.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
  if (ends.length === 0) return { kind: 'unjudged', why: `${first.message}, but its last transition time is missing` };
  const end = ends.reduce((a, b) => (a < b ? a : b));
  const next = timers.find(({ expiresAt }) => expiresAt === end);
  if (next?.since !== undefined && isAhead(toTime(next.since), now))
    return { kind: 'unjudged', why: `${next.message}, but its last transition time, ${toTime(next.since)}, is in the future` };
  return { kind: 'waiting', until: after(end, ROUNDING_MARGIN_MS) };
}

const healthyUnlessDeleting = ({ machine }: HealthTarget): HealthVerdict =>
  machine.metadata.deletionTimestamp === undefined ? { kind: 'healthy' } : { kind: 'unjudged', why: 'it is being deleted' };
