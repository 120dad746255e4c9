import { describeTargetOf } from '../request-target.ts';
import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import type { Draft } from '../../../api/meta.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { clip } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { draftChild } from '../children/draft-children.ts';
import { NOTHING_MEASURED, VERIFIED } from '../verification/verified-condition.ts';
import { causeOf, notificationContext } from './context.ts';
import type { RequiredNotification } from './required-notifications.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { severityText, signalsOf } from '../urgency.ts';
import { referenceTo, type RemediationStatus } from '../status.ts';

type Spec = NotificationRequest['spec'];

const LONGEST_SUBJECT = 500;

/** The draft of a notification: what happened, to what, and what to do. */
export function draftNotification(
  notice: RequiredNotification,
  request: RemediationRequest,
  analysis: AIAnalysis | undefined,
): Draft<NotificationRequest> {
  const { spec, status } = request;
  const { name, type, priority, reviewSource } = notice;
  const message: Spec = {
    type,
    priority,
    subject: clip(`${headline(notice, request)}: ${subjectOf(request)} on ${describeTargetOf(request)}`, LONGEST_SUBJECT),
    body: bodyOf(notice, request, analysis),
    severity: severityText(request),
    remediationRequestRef: referenceTo(request),
    context: notificationContext(request, analysis),
    phase: status?.overallPhase ?? '',
    ...(reviewSource && { reviewSource }),
    ...(spec.clusterID !== undefined && { clusterID: spec.clusterID }),
  };
  return draftChild(NotificationRequest, request, { name, spec: message });
}

const subjectOf = ({ spec }: RemediationRequest): string => (spec.undoOf ? `undo of ${spec.undoOf.name}` : spec.signalName);

/** The message in a word or two. */
function headline({ about }: RequiredNotification, { status = {} }: RemediationRequest): string {
  switch (about) {
    case 'approval':
      return 'Approval needed';
    case 'block':
      return `Blocked (${status.blockReason ?? ''})`;
    case 'duplicates':
      return `${status.duplicateCount ?? 0} duplicates`;
    case 'end':
      return endOf(status);
  }
}

/** A failure that is Blocked for its cooldown is reported as Failed. */
function endOf({ outcome, overallPhase = 'Completed', conditions }: RemediationStatus): string {
  if (outcome === undefined) return overallPhase === 'Blocked' ? 'Failed' : overallPhase;
  return getCondition(conditions, VERIFIED)?.reason === NOTHING_MEASURED ? `${outcome}, not verified` : outcome;
}

function bodyOf(notice: RequiredNotification, request: RemediationRequest, analysis: AIAnalysis | undefined): string {
  const { spec, metadata } = request;
  const signal = `Signal: ${spec.signalName} (${severityText(request)}), firing since ${spec.firingTime}`;
  return [...STORIES[notice.about](request, causeOf(analysis)), '', signal, ...joinedLine(request), `Request: ${metadata.name}`].join('\n');
}

/** The other alerts that the request stands for, with their severities. */
function joinedLine(request: RemediationRequest): readonly string[] {
  const joined = signalsOf(request).filter(({ name }) => name !== request.spec.signalName);
  return joined.length === 0 ? [] : [`Joined: ${joined.map(({ name, severity }) => `${name} (${severity})`).join(', ')}`];
}

type Story = (request: RemediationRequest, cause: string | undefined) => readonly string[];

/** The body of each kind of notification. */
const STORIES: Readonly<Record<RequiredNotification['about'], Story>> = {
  approval: (request, cause) => [request.status?.message ?? '', ...causeLine(cause), '', ...howToDecide(request)],
  block: ({ status }) => [status?.blockMessage ?? status?.message ?? ''],
  duplicates: tellDuplicates,
  end: tellEnd,
};

function tellEnd({ status = {} }: RemediationRequest, cause: string | undefined): readonly string[] {
  const said = status.failureReason ?? status.message ?? endOf(status);
  return [said, ...(cause !== undefined && said.includes(cause) ? [] : causeLine(cause))];
}

function tellDuplicates({ status = {}, metadata, spec }: RemediationRequest): readonly string[] {
  const { duplicateCount = 0, duplicateRefs = [], deduplication } = status;
  const waited = `${duplicateCount} other requests waited for ${metadata.name} to end: ${duplicateRefs.join(', ')}`;
  return [waited, `${deduplication?.occurrenceCount ?? 1} signals were received in total for ${describeTarget(spec.targetResource)}`];
}

const causeLine = (cause: string | undefined): readonly string[] => (cause === undefined ? [] : [`Cause: ${cause}`]);

function howToDecide({ status, metadata }: RemediationRequest): readonly string[] {
  const { name, namespace = '' } = metadata;
  return [
    `Approve: sickbay approve ${name} -n ${namespace}`,
    `Reject:  sickbay reject ${name} -n ${namespace} --reason "..."`,
    `Inspect: kubectl describe rar ${status?.approvalRequestRef?.name ?? ''} -n ${namespace}`,
  ];
}
