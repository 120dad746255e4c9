import type { NotificationPhase } from '../../api/notification-request/phases.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { after, assertNever, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../retry-times.ts';
import { DELIVER_NOTIFICATION } from './deliver.ts';
import type { NotificationSeen } from './observe.ts';

type Status = NonNullable<NotificationRequest['status']>;

/** Leads a notification from phase to phase: queued, delivered until an attempt succeeds, sent. */
export function decide(seen: NotificationSeen, now: Instant): Decision {
  const phase = seen.object.status?.phase;
  switch (phase) {
    case undefined:
      return move(seen, 'Pending', now, { queuedAt: toTime(now), reason: 'Queued', message: 'waiting to be sent' });
    case 'Pending':
      return move(seen, 'Sending', now, { processingStartedAt: toTime(now), reason: 'Sending', message: 'is being sent to the log' });
    case 'Sending':
    case 'Retrying':
      return send(seen, now);
    case 'Sent':
    case 'PartiallySent':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

/** A delivery counts once its attempt is recorded in status. Until then it is repeated: a duplicate is better than a lost notification. */
function send(seen: NotificationSeen, now: Instant): Decision {
  const { object } = seen;
  if (object.status?.deliveryAttempts?.some(({ status }) => status === 'success'))
    return move(seen, 'Sent', now, { completionTime: toTime(now), reason: 'Delivered', message: 'delivered to the log' });
  const deliver: Effect = { kind: 'Call', run: DELIVER_NOTIFICATION, key: object.metadata.uid, input: {} };
  return { status: object.status, effects: [deliver], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}

/** Enters a phase. */
function move(
  { object }: NotificationSeen,
  phase: NotificationPhase,
  now: Instant,
  change: Partial<Status> & Required<Pick<Status, 'reason' | 'message'>>,
): Decision {
  const isSent = phase === 'Sent';
  const ready = { type: 'Ready', status: isSent ? 'True' : 'False', reason: change.reason, message: change.message } as const;
  const conditions = [...setCondition(object.status?.conditions, ready, now)];
  const status: Status = { ...object.status, ...change, phase, observedGeneration: object.metadata.generation ?? 0, conditions };
  return { status, effects: [], ...(!isSent && { wakeAt: after(now, RECHECK_INTERVAL_MS) }) };
}
