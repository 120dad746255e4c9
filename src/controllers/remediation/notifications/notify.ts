import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { isTerminal } from '../../../api/phases.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { notificationPhases, type NotificationPhase } from '../../../api/notification-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { childOf, type Child } from '../children/read-child.ts';
import { draftNotification } from './messages.ts';
import { requiredNotifications, type RequiredNotification } from './required-notifications.ts';
import type { RemediationSeen } from '../observe.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import { referenceTo, type RemediationStatus } from '../status.ts';

/** The request's `notificationStatus` for each phase of a notification. */
const DELIVERY: Readonly<Record<NotificationPhase, NonNullable<RemediationStatus['notificationStatus']>>> = {
  Pending: 'Pending',
  Sending: 'InProgress',
  Retrying: 'InProgress',
  Sent: 'Sent',
  PartiallySent: 'Sent',
  Failed: 'Failed',
};

/** How far the notifications of a request have come. */
export interface NotificationProgress {
  /** Creates the notifications that do not exist yet. */
  readonly effects: readonly Effect[];
  /** Whether every notification has ended; then `status` records all of them in one write. */
  readonly isDone: boolean;
  readonly status: RemediationStatus;
  /** The object of another owner that has the name of a notification. */
  readonly taken?: string;
}

/** Creates the notifications that the request requires. A recorded one is never created again, even if it is deleted. */
export function notify(seen: RemediationSeen): NotificationProgress {
  const { object, settings } = seen;
  const status = object.status ?? {};
  const analysis = seen.analysis.kind === 'value' ? seen.analysis.value : undefined;
  const wanted = requiredNotifications(object, analysis, settings).filter(
    (notice) => !isOnRecord(object, notice.name) && isDue(notice, seen),
  );
  const messages = wanted.map((notice) => ({ notice, child: messageOf(seen, notice.name) }));
  const effects = messages.flatMap(({ notice, child }) => (child.kind === 'none' ? [write(notice, seen, analysis)] : []));
  const taken = messages.map(({ child }) => (child.kind === 'foreign' ? child.text : undefined)).find((text) => text !== undefined);
  const ended = messages.flatMap(({ child }) => (child.kind === 'ours' && isOver(child.object) ? [child.object] : []));
  const isDone = ended.length === messages.length;
  return {
    effects,
    isDone,
    status: isDone && ended.length > 0 ? { ...status, ...recordOf(status, ended) } : status,
    ...(taken !== undefined && { taken }),
  };
}

/** A notification is repeated only where the one before was sent with a lower priority. */
function isDue({ raises, priority }: RequiredNotification, seen: RemediationSeen): boolean {
  if (raises === undefined) return true;
  const before = messageOf(seen, raises);
  return before.kind === 'ours' && before.object.spec.priority !== priority;
}

const messageOf = ({ object, messages }: RemediationSeen, name: string): Child<NotificationRequest> =>
  childOf(messages[name] ?? NOT_READ, { owner: object });

const write = (
  notice: RequiredNotification,
  { object, asksAlertmanager }: Pick<RemediationSeen, 'object' | 'asksAlertmanager'>,
  analysis: AIAnalysis | undefined,
): Effect => ({
  kind: 'Create',
  resource: NotificationRequest,
  object: draftNotification(notice, object, analysis, asksAlertmanager),
});

const isOver = ({ status }: NotificationRequest): boolean => isTerminal(notificationPhases, status?.phase);

const isOnRecord = ({ status }: RemediationRequest, name: string): boolean =>
  status?.notificationRequestRefs?.some((reference) => reference.name === name && reference.uid !== undefined) ?? false;

function recordOf({ notificationRequestRefs = [] }: RemediationStatus, ended: readonly NotificationRequest[]): Partial<RemediationStatus> {
  const states = ended.map(({ status }) => DELIVERY[status?.phase ?? 'Pending']);
  return {
    notificationRequestRefs: [...notificationRequestRefs, ...ended.map(referenceTo)],
    notificationStatus: states.includes('Failed') ? 'Failed' : 'Sent',
  };
}
