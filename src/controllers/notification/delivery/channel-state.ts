import { instant, parseTime, type Instant } from '../../../base/index.ts';
import type { ChannelKind, ChannelSettings } from '../../notification-settings.ts';
import { attemptsOn, type Attempt } from './attempts.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** How far the delivery through one channel is. */
export type ChannelState =
  | { readonly kind: 'delivered'; readonly reference?: string }
  /** The attempt with this number may be made. */
  | { readonly kind: 'due'; readonly attempt: number }
  /** The last attempt has no result and is the last: its result may be known to the process that made it, and is recorded before anything is concluded. */
  | { readonly kind: 'interrupted'; readonly attempt: number }
  /** The last attempt failed; the next one is not due yet. */
  | { readonly kind: 'waiting'; readonly until: Instant; readonly error: string }
  /** The provider refused it, or the configuration is wrong: another attempt would end the same way. */
  | { readonly kind: 'refused'; readonly error: string }
  /** All attempts that the policy allows were made. */
  | { readonly kind: 'exhausted'; readonly error: string };

export type Settled = Extract<ChannelState, { readonly kind: 'delivered' | 'refused' | 'exhausted' }>;

/**
 * Channels where a message that is sent twice is seen once: the provider takes a key (PagerDuty), the receiver is given one (webhook), the file has
 * a name, or a line more does no harm (log).
 */
const REPEATABLE: readonly ChannelKind[] = ['log', 'file', 'webhook', 'pagerduty'];

/** So often may a message go out without an answer that says what became of it, where sending it twice shows it twice. */
const MOST_IN_DOUBT = 2;

export const isRepeatable = (kind: ChannelKind): boolean => REPEATABLE.includes(kind);

/** The state of a channel, from the attempts that are recorded. */
export function channelState(
  channel: Pick<ChannelSettings, 'name' | 'kind'>,
  attempts: readonly Attempt[] | undefined,
  policy: RetryPolicy,
  now: Instant,
): ChannelState {
  const own = attemptsOn(channel.name, attempts);
  const success = own.find(({ status }) => status === 'success');
  if (success) return { kind: 'delivered', ...(success.reference !== undefined && { reference: success.reference }) };
  const last = own.at(-1);
  if (!last) return { kind: 'due', attempt: 1 };
  const error = last.error ?? 'it was interrupted before its result was recorded';
  if (last.status === 'invalid') return { kind: 'refused', error };
  const isInDoubt = isSentTwice(channel.kind, own);
  if (isInDoubt) return lastState(last, `it was sent twice and may have arrived: ${error}`);
  return own.length >= policy.maxAttempts ? lastState(last, error) : nextState(last, error, now);
}

/** Another attempt may follow this one, unless it has to wait. */
function nextState({ retryAt, attempt }: Attempt, error: string, now: Instant): ChannelState {
  const until = parseTime(retryAt) ?? instant(0);
  return until > now ? { kind: 'waiting', until, error } : { kind: 'due', attempt: attempt + 1 };
}

/** No attempt may follow this one. */
const lastState = ({ status, attempt }: Attempt, error: string): ChannelState =>
  status === 'sending' ? { kind: 'interrupted', attempt } : { kind: 'exhausted', error };

const isSentTwice = (kind: ChannelKind, attempts: readonly Attempt[]): boolean =>
  !isRepeatable(kind) &&
  attempts.filter(({ status, mayHaveArrived }) => status === 'sending' || mayHaveArrived === true).length >= MOST_IN_DOUBT;

export const isSettled = (state: ChannelState): state is Settled =>
  state.kind === 'delivered' || state.kind === 'refused' || state.kind === 'exhausted';
