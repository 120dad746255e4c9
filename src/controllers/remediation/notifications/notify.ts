import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { isTerminal } from '../../../api/phases.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { notificationPhases, type NotificationPhase } from '../../../api/notification-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { childOf, type Child } from '../children/read-child.ts';
import { noticeFor } from './messages.ts';
import { noticesOf, type Notice } from './required-notifications.ts';
import type { RemediationSeen } from '../observe.ts';
import { referenceTo, type RemediationStatus } from '../status.ts';

/** How far the message got, in the words of the request. */
const DELIVERY: Readonly<Record<NotificationPhase, NonNullable<RemediationStatus['notificationStatus']>>> = {
  Pending: 'Pending',
  Sending: 'InProgress',
  Retrying: 'InProgress',
  Sent: 'Sent',
  PartiallySent: 'Sent',
  Failed: 'Failed',
};

/** What telling people takes now. */
export interface Telling {
  /** Messages that are not there yet. */
  readonly effects: readonly Effect[];
  /** Whether every message has come to its end; then `status` has it on record, in one write for all of them. */
  readonly isDone: boolean;
  readonly status: RemediationStatus;
  /** A name that a message needs and somebody else's object has. */
  readonly taken?: string;
}

/** Tells people what the request calls for. A message that is on record was told: it is never written again, even if somebody deletes it. */
export function tell(seen: RemediationSeen): Telling {
  const { object, settings } = seen;
  const status = object.status ?? {};
  const analysis = seen.analysis.kind === 'value' ? seen.analysis.value : undefined;
  const wanted = noticesOf(object, analysis, settings).filter(({ name }) => !isOnRecord(object, name));
  const messages = wanted.map((notice) => ({ notice, child: messageOf(seen, notice.name) }));
  const effects = messages.flatMap(({ notice, child }) => (child.kind === 'none' ? [write(notice, object, analysis)] : []));
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

const messageOf = ({ object, messages }: RemediationSeen, name: string): Child<NotificationRequest> =>
  childOf(messages[name] ?? { kind: 'unreadable', reason: 'not looked at' }, { owner: object });

const write = (notice: Notice, request: RemediationRequest, analysis: AIAnalysis | undefined): Effect => ({
  kind: 'Create',
  resource: NotificationRequest,
  object: noticeFor(notice, request, analysis),
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
