import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { Logger } from '../../../base/index.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';

/** Writes the notification as one line of the log, with all that people need. */
export function sendLog({ metadata, spec }: NotificationRequest, log: Logger): SendOutcome {
  log.info('notification', {
    type: spec.type,
    priority: spec.priority,
    subject: spec.subject,
    body: spec.body,
    remediationRequest: spec.remediationRequestRef?.name,
    notification: metadata.name,
  });
  return { kind: 'delivered' };
}
