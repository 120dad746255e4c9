import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { RemediationSeen } from '../observe.ts';
import { describeTargetOf } from '../request-target.ts';
import { enterPhase, referenceTo } from '../status.ts';
import { verificationDeadline } from '../timeouts.ts';

/** The request becomes Verifying, with the deadline of its verification. */
export function enterVerifying(
  execution: WorkflowExecution,
  { object, settings }: RemediationSeen,
  now: Instant,
  assessment?: EffectivenessAssessment,
): Decision {
  const begun = { ...object, status: { ...object.status, verifyingStartTime: toTime(now) } };
  return enterPhase(begun, 'Verifying', now, {
    verificationDeadline: toTime(verificationDeadline(begun, settings, assessment)),
    ...(assessment && { effectivenessAssessmentRef: referenceTo(assessment) }),
    message: `${whatWasDone(execution, object)}; verifying whether it helped`,
  });
}

/** What the workflow did, in the words of its own message if it wrote one. */
export function whatWasDone(execution: WorkflowExecution | undefined, request: RemediationRequest): string {
  const said = execution?.status?.executionStatus?.message;
  return said ? said : `${request.status?.workflowDisplayName ?? 'the workflow'} ran on ${describeTargetOf(request)}`;
}
