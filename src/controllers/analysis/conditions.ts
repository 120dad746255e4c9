import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { Condition } from '../../api/meta.ts';
import type { Instant } from '../../base/index.ts';
import { setCondition, type WantedCondition } from '../../kube/objects/conditions.ts';

type Status = NonNullable<AIAnalysis['status']>;

/** The conditions of an analysis, as `kubectl describe` shows them. */
export function conditionsOf(status: Status, now: Instant): readonly Condition[] {
  const { phase, message = '', reason = phase } = status;
  const wanted = [
    condition('Ready', phase === 'Completed', reason, message),
    ...(phase === 'Analyzing' || phase === 'Completed' ? investigated(status, reason) : []),
    ...(phase === 'Completed' ? analysed(status, reason) : []),
  ];
  const before: readonly Condition[] = status.conditions ?? [];
  return wanted.reduce((conditions, next) => setCondition(conditions, next, now), before);
}

const investigated = ({ rootCause, selectedWorkflow, message = '' }: Status, reason: string): readonly WantedCondition[] => [
  condition('InvestigationComplete', true, 'Investigated', rootCause ?? message),
  condition(
    'WorkflowResolved',
    selectedWorkflow !== undefined,
    selectedWorkflow ? 'Selected' : reason,
    selectedWorkflow?.workflowName ?? message,
  ),
];

const analysed = ({ approvalRequired, approvalReason, message = '' }: Status, reason: string): readonly WantedCondition[] => [
  condition('AnalysisComplete', true, reason, message),
  condition('ApprovalRequired', approvalRequired, 'Policy', approvalReason ?? 'no approval is required'),
];

const condition = (type: string, holds: boolean, reason: string, message: string): WantedCondition => ({
  type,
  status: holds ? 'True' : 'False',
  reason,
  message,
});
