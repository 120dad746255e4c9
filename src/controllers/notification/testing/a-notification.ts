import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { apiVersionOf } from '../../../api/resource.ts';
import { instant, toTime } from '../../../base/index.ts';

/** Where a ManualClock starts. */
export const NOW = instant(1_794_711_600_000);

/** The good news about a remediation. */
export const aNotification = (status?: NotificationRequest['status']): NotificationRequest => ({
  apiVersion: apiVersionOf(NotificationRequest),
  kind: 'NotificationRequest',
  metadata: {
    name: 'nr-completion-rr-1',
    namespace: 'sickbay-system',
    uid: 'uid-nr',
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: toTime(NOW),
  },
  spec: {
    type: 'Completion',
    priority: 'Low',
    subject: 'checkout is well again',
    body: 'revision 3 crashed; it was rolled back to revision 2',
    remediationRequestRef: { name: 'rr-1' },
  },
  ...(status && { status }),
});

type Attempt = NonNullable<NonNullable<NotificationRequest['status']>['deliveryAttempts']>[number];

export const anAttempt = (more: Partial<Attempt> = {}): Attempt => ({
  channel: 'log',
  attempt: 1,
  timestamp: toTime(NOW),
  status: 'success',
  ...more,
});
