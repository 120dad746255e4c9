import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { after, HOUR, SECOND, type Instant } from '../../../base/index.ts';

/** How delivery is retried, per channel. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly initialBackoffMs: number;
  readonly backoffMultiplier: number;
  readonly maxBackoffMs: number;
}

/** A provider that asks for more patience is asked again after this time: what it protects is its load, not our silence. */
const LONGEST_WAIT_MS = HOUR;

/** The policy in the spec; what it does not say has the defaults of the schema. */
export function retryPolicyOf({ retryPolicy = {} }: NotificationRequest['spec']): RetryPolicy {
  const { maxAttempts = 5, initialBackoffSeconds = 30, backoffMultiplier = 2, maxBackoffSeconds = 480 } = retryPolicy;
  return {
    maxAttempts,
    initialBackoffMs: initialBackoffSeconds * SECOND,
    backoffMultiplier: Number(backoffMultiplier),
    maxBackoffMs: maxBackoffSeconds * SECOND,
  };
}

/** When a channel is tried again after its attempt of this number failed: after the back-off, and not before the provider allows it. */
export function retryAt(
  policy: RetryPolicy,
  failed: { readonly attempt: number; readonly at: Instant; readonly retryAfterMs?: number },
): Instant {
  const { attempt, at, retryAfterMs = 0 } = failed;
  const backoff = Math.min(policy.initialBackoffMs * policy.backoffMultiplier ** (attempt - 1), policy.maxBackoffMs);
  return after(at, Math.max(backoff, Math.min(retryAfterMs, LONGEST_WAIT_MS)));
}
