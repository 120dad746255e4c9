import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { NotificationPhase } from '../../api/notification-request/phases.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { assertNever, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/conditions.ts';
import type { Decision } from '../../runtime/controller.ts';
import { childOf } from './child.ts';
import { notificationFor, notificationName } from './notification.ts';
import type { RemediationSeen } from './observe.ts';
import { referenceTo, stay, type RemediationStatus } from './status.ts';

/** How far the message got, in the words of the request. */
const DELIVERY: Readonly<Record<NotificationPhase, NonNullable<RemediationStatus['notificationStatus']>>> = {
  Pending: 'Pending',
  Sending: 'InProgress',
  Retrying: 'InProgress',
  Sent: 'Sent',
  PartiallySent: 'Sent',
  Failed: 'Failed',
};

const NAME_TAKEN = 'NameTaken';

/** Tells people about the end, once: a message that is on record is never written again. */
export function decideEnded({ object, notification }: RemediationSeen, now: Instant): Decision {
  const { status } = object;
  const child = childOf(notification, { owner: object });
  switch (child.kind) {
    case 'ours':
      return { status: { ...status, ...recordOf(child.object, object), ...told(status) }, effects: [] };
    case 'foreign':
      return stay(object, { now }, { status: { conditions: nameTaken(status, child.text, now) } });
    case 'leftOver':
    case 'none':
    case 'lost':
    case 'unknown': {
      if (isOnRecord(object)) return { status, effects: [] };
      const create = { kind: 'Create', resource: NotificationRequest, object: notificationFor(object) } as const;
      return stay(object, { now }, { effects: child.kind === 'none' ? [create] : [] });
    }
    default:
      return assertNever(child);
  }
}

const isOnRecord = (request: RemediationRequest): boolean =>
  request.status?.notificationRequestRefs?.some(({ name }) => name === notificationName(request)) ?? false;

function recordOf(message: NotificationRequest, request: RemediationRequest): Partial<RemediationStatus> {
  const refs = request.status?.notificationRequestRefs ?? [];
  return {
    notificationRequestRefs: isOnRecord(request) ? refs : [...refs, referenceTo(message)],
    notificationStatus: DELIVERY[message.status?.phase ?? 'Pending'],
  };
}

/** Somebody made room for the message: that nobody was told is no longer so. */
function told(status: RemediationStatus | undefined): Partial<RemediationStatus> {
  const conditions = status?.conditions?.filter(({ reason }) => reason !== NAME_TAKEN);
  return conditions ? { conditions } : {};
}

const nameTaken = (status: RemediationStatus | undefined, text: string, now: Instant) =>
  setCondition(
    status?.conditions,
    {
      type: 'NotificationDelivered',
      status: 'False',
      reason: NAME_TAKEN,
      message: `nobody was told: ${text} is not of this request; delete it if nobody needs it`,
    },
    now,
  );
