import type { Draft } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Outcome } from '../../api/remediation-request/status.ts';
import { clip } from '../../base/index.ts';
import { childNames } from '../child-names.ts';
import { targetText } from '../target/index.ts';
import { draft } from './children.ts';
import { describeTarget } from './plan.ts';
import { referenceTo } from './status.ts';

type Spec = NotificationRequest['spec'];

const LONGEST_SUBJECT = 500;

interface Notice {
  readonly child: 'completion' | 'manualReview' | 'escalation';
  readonly type: Spec['type'];
  readonly priority: Spec['priority'];
}

const COMPLETION: Notice = { child: 'completion', type: 'Completion', priority: 'Low' };
const ESCALATION: Notice = { child: 'escalation', type: 'Escalation', priority: 'High' };

/** How people hear of a request that completed. */
const BY_OUTCOME: Readonly<Record<Outcome, Notice>> = {
  Remediated: COMPLETION,
  NoActionRequired: COMPLETION,
  DryRun: COMPLETION,
  ManualReviewRequired: { child: 'manualReview', type: 'ManualReview', priority: 'Medium' },
  // Something was changed and it may not have helped: more urgent than a plan that was never carried out.
  Inconclusive: { child: 'manualReview', type: 'ManualReview', priority: 'High' },
  VerificationTimedOut: ESCALATION,
};

/** Every end is told to people, once. */
function noticeOf({ status }: RemediationRequest): Notice {
  if (status?.overallPhase === 'Cancelled') return COMPLETION;
  return status?.overallPhase === 'Completed' && status.outcome ? BY_OUTCOME[status.outcome] : ESCALATION;
}

/** The name of the one message about the end of a request. */
export const notificationName = (request: RemediationRequest): string => childNames(request.metadata.name)[noticeOf(request).child];

/** The message about the end of a request. */
export function notificationFor(request: RemediationRequest): Draft<NotificationRequest> {
  const { spec, status } = request;
  const { type, priority } = noticeOf(request);
  const target = status?.remediationTarget ?? spec.targetResource;
  const message: Spec = {
    type,
    priority,
    subject: clip(`${resultOf(request)}: ${spec.signalName} on ${describeTarget(target)}`, LONGEST_SUBJECT),
    body: bodyOf(request),
    severity: spec.severity,
    remediationRequestRef: referenceTo(request),
    context: contextOf(request, targetText(target)),
    phase: status?.overallPhase ?? '',
    ...(spec.clusterID !== undefined && { clusterID: spec.clusterID }),
  };
  return draft(NotificationRequest, request, { name: notificationName(request), spec: message });
}

/** The result in one word. */
const resultOf = ({ status }: RemediationRequest): string => status?.outcome ?? status?.overallPhase ?? 'Ended';

function bodyOf(request: RemediationRequest): string {
  const { spec, status, metadata } = request;
  const signal = `Signal: ${spec.signalName} (${spec.severity}), firing since ${spec.firingTime}`;
  return [status?.message ?? resultOf(request), '', signal, `Request: ${metadata.name}`].join('\n');
}

function contextOf({ status, metadata }: RemediationRequest, targetResource: string): NonNullable<Spec['context']> {
  const { outcome, workflowDisplayName, confidence, selectedWorkflowRef, timeoutPhase, aiAnalysisRef } = status ?? {};
  return {
    lineage: { remediationRequest: metadata.name, ...(aiAnalysisRef?.name !== undefined && { aiAnalysis: aiAnalysisRef.name }) },
    target: { targetResource },
    ...(outcome && { analysis: { outcome } }),
    ...(selectedWorkflowRef && {
      workflow: {
        workflowId: selectedWorkflowRef.workflowId,
        ...(workflowDisplayName !== undefined && { selectedWorkflow: workflowDisplayName }),
        ...(confidence !== undefined && { confidence }),
      },
    }),
    ...(timeoutPhase && { execution: { timeoutPhase } }),
  };
}
