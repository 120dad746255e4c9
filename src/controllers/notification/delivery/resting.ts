import { toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { NotificationStatus } from './attempts.ts';
import type { Rest } from './channel-health.ts';

/** A channel that a notification waits for. */
export interface RestingChannel extends Rest {
  readonly channel: string;
}

/** The status, which says which channels rest, until when and why; the same where none does. */
export function withRest(
  status: NotificationStatus | undefined,
  resting: readonly RestingChannel[],
  now: Instant,
): NotificationStatus | undefined {
  if (resting.length === 0) return status;
  const reason = 'ChannelResting';
  const message = resting
    .map(({ channel, until, error }) => `${channel} rests until ${toTime(until)}, because it failed several times in a row: ${error}`)
    .join('; ');
  const ready = { type: 'Ready', status: 'False', reason, message } as const;
  return { ...status, reason, message, conditions: [...setCondition(status?.conditions, ready, now)] };
}
