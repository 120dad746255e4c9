import type { Logger } from '../../../base/index.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Message } from '../message/message.ts';

/** Writes the notification as one line of the log, with all that people need. */
export function sendLog({ type, priority, title, text, remediation, name }: Message, log: Logger): SendOutcome {
  log.info('notification', { type, priority, subject: title, body: text, remediationRequest: remediation, notification: name });
  return { kind: 'delivered' };
}
