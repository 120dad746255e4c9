import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { Message } from '../message/message.ts';

/** What is sent through one channel. */
export interface Outgoing {
  readonly notification: NotificationRequest;
  readonly message: Message;
  /** What the provider calls the first message of the remediation. */
  readonly thread?: string;
}
