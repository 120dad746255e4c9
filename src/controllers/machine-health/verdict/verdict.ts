import { after, SECOND, type Instant } from '../../../base/index.ts';
import type { UnhealthyReason, RuleResult, HealthTimer, UnknownHealth } from './health-rules.ts';
import type { HealthTarget } from '../targets/target.ts';

/** What a check says of a Machine now. Only `healthy` counts as healthy. */
export type HealthVerdict =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly fault: UnhealthyReason; readonly messages: readonly string[] }
  /** Something is wrong, but not for long enough; looked at again at `until`. */
  | { readonly kind: 'waiting'; readonly until: Instant }
  | UnknownHealth;

/** Times on objects are whole seconds: a second later it has surely lasted longer than its limit. */
const ROUNDING_MARGIN_MS = SECOND;

/** Holds a prognosis against the clock. What lasts exactly as long as it may is not unhealthy yet. */
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

/** Undefined when nothing is wrong. */
function timed(timers: readonly HealthTimer[], now: Instant): HealthVerdict | undefined {
  const [first] = timers;
  if (first === undefined) return undefined;
  const expired = timers.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < now);
  if (expired[0]) return { kind: 'unhealthy', fault: expired[0].fault, messages: expired.map(({ message }) => message) };
  const ends = timers.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
  if (ends.length === 0) return { kind: 'unjudged', why: `${first.message}, but its last transition time is missing` };
  return {
    kind: 'waiting',
    until: after(
      ends.reduce((a, b) => (a < b ? a : b)),
      ROUNDING_MARGIN_MS,
    ),
  };
}

const healthyUnlessDeleting = ({ machine }: HealthTarget): HealthVerdict =>
  machine.metadata.deletionTimestamp === undefined ? { kind: 'healthy' } : { kind: 'unjudged', why: 'it is being deleted' };
