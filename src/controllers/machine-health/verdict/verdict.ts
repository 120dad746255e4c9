import { after, SECOND, type Instant } from '../../../base/index.ts';
import type { Fault, Prognosis, Timer, Unjudged } from './health-rules.ts';
import type { Target } from '../targets/target.ts';

/** What a check says of a Machine now. Only `healthy` counts as healthy. */
export type Verdict =
  | { readonly kind: 'healthy' }
  | { readonly kind: 'unhealthy'; readonly fault: Fault; readonly messages: readonly string[] }
  /** Something is wrong, but not for long enough; looked at again at `until`. */
  | { readonly kind: 'waiting'; readonly until: Instant }
  | Unjudged;

/** Times on objects are whole seconds: a second later it has surely lasted longer than its limit. */
const TO_BE_SURE_MS = SECOND;

/** Holds a prognosis against the clock. What lasts exactly as long as it may is not unhealthy yet. */
export function verdictOf(prognosis: Prognosis, target: Target, now: Instant): Verdict {
  switch (prognosis.kind) {
    case 'failing':
      return { kind: 'unhealthy', fault: prognosis.fault, messages: [prognosis.message] };
    case 'unjudged':
      return prognosis;
    case 'timed':
      return timed(prognosis.timers, now) ?? well(target);
  }
}

/** Undefined when nothing is wrong. */
function timed(timers: readonly Timer[], now: Instant): Verdict | undefined {
  const [first] = timers;
  if (first === undefined) return undefined;
  const expired = timers.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < now);
  if (expired[0]) return { kind: 'unhealthy', fault: expired[0].fault, messages: expired.map(({ message }) => message) };
  const ends = timers.flatMap(({ expiresAt }) => (expiresAt === undefined ? [] : [expiresAt]));
  if (ends.length === 0) return { kind: 'unjudged', why: `${first.message}, or not: it does not say since when` };
  return {
    kind: 'waiting',
    until: after(
      ends.reduce((a, b) => (a < b ? a : b)),
      TO_BE_SURE_MS,
    ),
  };
}

const well = ({ machine }: Target): Verdict =>
  machine.metadata.deletionTimestamp === undefined ? { kind: 'healthy' } : { kind: 'unjudged', why: 'it is being deleted' };
