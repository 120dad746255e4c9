/** The statuses that children end with, as their real controllers would leave them. */
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { SkipReason } from '../../api/parts/skip-reasons.ts';
import type { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { toTime, type Instant } from '../../base/index.ts';
import { specHash, type Target } from '../../controllers/target/index.ts';
import type { AnalysisEnd, AssessmentEnd, ExecutionEnd, NotificationEnd, ProcessingEnd } from './scripted-results.ts';
import type { Leave } from './ledger.ts';

type StatusOf<T extends { readonly status?: unknown }> = NonNullable<T['status']>;

export function processingEnd(end: ProcessingEnd, now: Instant): StatusOf<SignalProcessing> {
  const at = toTime(now);
  if (end === 'Failed') return { phase: 'Failed', startTime: at, completionTime: at, error: 'the target cannot be classified' };
  return {
    phase: 'Completed',
    startTime: at,
    completionTime: at,
    severity: 'critical',
    signalMode: 'reactive',
    environmentClassification: { environment: 'Staging', source: 'namespace-labels', classifiedAt: at },
    priorityAssignment: { priority: 'P1', source: 'default', assignedAt: at },
  };
}

/** What each outcome of an analysis allows. */
export const LEAVES: Readonly<Record<AnalysisEnd, Leave>> = {
  Plan: 'freely',
  ApprovalRequired: 'approved',
  NotNeeded: 'never',
  Review: 'never',
  ReviewWithWorkflow: 'never',
  Failed: 'never',
};

/** The plan is pinned to the target as it is now. */
export function analysisEnd(
  end: AnalysisEnd,
  target: Target,
  { found, now }: { found: KubeObject | undefined; now: Instant },
): StatusOf<AIAnalysis> {
  const at = toTime(now);
  const base = { phase: 'Completed', startedAt: at, completedAt: at, needsHumanReview: false, approvalRequired: false } as const;
  const planned = { ...base, reason: 'AnalysisCompleted', ...planFor(target, found, at) } as const;
  switch (end) {
    case 'Plan':
      return planned;
    case 'ApprovalRequired':
      return { ...planned, approvalRequired: true, approvalReason: 'the approval policy requires it' };
    case 'NotNeeded':
      return { ...base, reason: 'WorkflowNotNeeded', subReason: 'ProblemResolved', message: 'all replicas are ready' };
    case 'Review':
      return {
        ...base,
        reason: 'NoWorkflowSelected',
        needsHumanReview: true,
        humanReviewReason: 'no_matching_workflows',
        message: 'no workflow fits',
      };
    case 'ReviewWithWorkflow':
      return { ...planned, needsHumanReview: true, humanReviewReason: 'low_confidence' };
    case 'Failed':
      return { ...base, phase: 'Failed', reason: 'APIError', message: 'the evidence cannot be read' };
  }
}

function planFor({ kind, name, namespace, apiVersion }: Target, found: KubeObject | undefined, at: string) {
  const pinned = found ? { uid: found.metadata.uid, specHash: specHash(found) } : {};
  const remediationTarget = {
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...pinned,
  };
  return {
    rootCause: 'the last release crashes at its start',
    rootCauseAnalysis: { summary: 'the last release crashes at its start', signalType: 'CrashLoop', remediationTarget },
    selectedWorkflow: { ...WORKFLOW, selectedAt: at },
  };
}

/** What every plan runs. */
const WORKFLOW = {
  workflowId: 'rollback-deployment',
  version: '1.0.0',
  executionBundle: 'sickbay/workflows:0.1.0',
  workflowName: 'rollback-deployment',
  actionType: 'RollbackDeployment',
  executionEngine: 'job',
  serviceAccountName: 'rollback-deployment',
  declaredParameterNames: { REVISION: true },
  confidence: 0.9,
  rationale: 'it crashes since revision 2',
  parameters: { REVISION: '1' },
} as const;

/** What a person puts in the place of the plan's parameters. */
export const OVERRIDE = { REVISION: '7' } as const;

export function executionEnd(end: ExecutionEnd, now: Instant): StatusOf<WorkflowExecution> {
  const completionTime = toTime(now);
  switch (end) {
    case 'Completed':
      return { phase: 'Completed', completionTime, executionStatus: { status: 'Complete', message: 'rolled back to revision 1' } };
    case 'FailedBefore':
      return { phase: 'Failed', completionTime, failureDetails: failure(completionTime, false) };
    case 'FailedDuring':
      return { phase: 'Failed', completionTime, failureDetails: failure(completionTime, true) };
    default: {
      const reason = end.slice('Skipped'.length) as SkipReason;
      return { phase: 'Skipped', completionTime, skipDetails: { reason, message: `left alone: ${reason}`, skippedAt: completionTime } };
    }
  }
}

const failure = (failedAt: string, wasExecutionFailure: boolean) =>
  ({
    reason: wasExecutionFailure ? 'TaskFailed' : 'ImagePullBackOff',
    message: 'it failed',
    naturalLanguageSummary: wasExecutionFailure ? 'the workflow broke off half way: look at the target' : 'the image cannot be pulled',
    failedAt,
    failedTaskName: 'run',
    failedTaskIndex: 0,
    wasExecutionFailure,
    requiresManualReview: wasExecutionFailure,
  }) as const;

const assessed = { healthAssessed: true, alertAssessed: true, hashComputed: true } as const;

export function assessmentEnd(end: AssessmentEnd, now: Instant): StatusOf<EffectivenessAssessment> {
  const completedAt = toTime(now);
  switch (end) {
    case 'Remediated':
      return { phase: 'Completed', completedAt, assessmentReason: 'Full', components: { ...assessed, healthScore: 1, alertScore: 1 } };
    case 'StillFiring':
      return { phase: 'Completed', completedAt, assessmentReason: 'Full', components: { ...assessed, healthScore: 0.5, alertScore: 0 } };
    case 'Drifted':
      return { phase: 'Completed', completedAt, assessmentReason: 'SpecDrift', components: { ...assessed, healthScore: 1, alertScore: 1 } };
    case 'Failed':
      return { phase: 'Failed', completedAt, assessmentReason: 'Unrecoverable', message: 'the target is gone' };
  }
}

export const notificationEnd = (end: NotificationEnd, now: Instant): StatusOf<NotificationRequest> => ({
  phase: end,
  queuedAt: toTime(now),
  completionTime: toTime(now),
  totalAttempts: 1,
});
