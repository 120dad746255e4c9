import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';

export type NotificationStatus = NonNullable<NotificationRequest['status']>;

/** One attempt to deliver through one channel, as status records it. */
export type Attempt = NonNullable<NotificationStatus['deliveryAttempts']>[number];

export const attemptsOn = (channel: string, attempts: readonly Attempt[] | undefined): readonly Attempt[] =>
  (attempts ?? []).filter((attempt) => attempt.channel === channel);
