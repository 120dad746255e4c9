import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { BLOCK_REASONS } from '../../../api/remediation-request/status.ts';
import { phaseNames } from '../../../api/phases.ts';
import { newReferences } from '../new-references.ts';
import type { Increment } from './counters.ts';

const PHASES: readonly string[] = phaseNames(remediationPhases);
/** The kinds of children of a remediation. */
export const CHILDREN = [
  'SignalProcessing',
  'AIAnalysis',
  'RemediationApprovalRequest',
  'WorkflowExecution',
  'EffectivenessAssessment',
  'NotificationRequest',
];
const DECISIONS = ['Approved', 'Rejected', 'Expired'];

/** A label is one of a closed set, or `other`: a client that may write a status must not be able to create any number of series. */
const within = (known: readonly string[], value: string): string => (known.includes(value) ? value : 'other');

/** What is counted when one state of a request follows another. */
export function metricsOf(before: RemediationRequest | undefined, after: RemediationRequest): readonly Increment[] {
  const namespace = after.metadata.namespace ?? '';
  const children = newReferences(before, after).map(({ kind }): Increment => {
    const childType = within(CHILDREN, kind ?? '');
    return { counter: 'child_crd_creations_total', labels: { child_type: childType, namespace } };
  });
  return [...children, ...transition(before, after, namespace)];
}

function transition(before: RemediationRequest | undefined, after: RemediationRequest, namespace: string): readonly Increment[] {
  const [from, to] = [before?.status?.overallPhase, after.status?.overallPhase];
  if (to === undefined || from === to) return [];
  const labels = { from_phase: from === undefined ? '' : within(PHASES, from), to_phase: within(PHASES, to), namespace };
  return [{ counter: 'phase_transitions_total', labels }, ...arrival(after, namespace)];
}

function arrival({ status = {} }: RemediationRequest, namespace: string): readonly Increment[] {
  const { overallPhase, blockReason = '', timeoutPhase = '', outcome } = status;
  if (overallPhase === 'Blocked') {
    const blocked: Increment = { counter: 'blocked_total', labels: { namespace, reason: within(BLOCK_REASONS, blockReason) } };
    return blockReason === 'DuplicateInProgress' ? [blocked, { counter: 'duplicates_skipped_total', labels: { namespace } }] : [blocked];
  }
  if (overallPhase === 'TimedOut') return [{ counter: 'timeouts_total', labels: { namespace, phase: within(PHASES, timeoutPhase) } }];
  if (overallPhase === 'Completed' && outcome === 'NoActionRequired') {
    // What healed by itself is not held off; what the analysis found harmless is.
    const reason = status.nextAllowedExecution === undefined ? 'Healed' : 'WorkflowNotNeeded';
    return [{ counter: 'no_action_needed_total', labels: { reason, namespace } }];
  }
  return [];
}

/** What is counted when a decision is made. */
export function approvalMetricsOf(before: RemediationApprovalRequest | undefined, after: RemediationApprovalRequest): readonly Increment[] {
  const decision = after.status?.decision;
  if (!decision || before?.status?.decision) return [];
  const namespace = after.metadata.namespace ?? '';
  const decided: Increment = { counter: 'approval_decisions_total', labels: { decision: within(DECISIONS, decision), namespace } };
  const { workflowOverride } = after.status ?? {};
  if (decision !== 'Approved' || !workflowOverride) return [decided];
  return [decided, { counter: 'rar_override_applied_total', labels: { type: overrideType(workflowOverride), namespace } }];
}

type Override = NonNullable<NonNullable<RemediationApprovalRequest['status']>['workflowOverride']>;

function overrideType({ workflowName, parameters }: Override): 'workflow' | 'params' | 'both' | 'none' {
  if (workflowName) return parameters ? 'both' : 'workflow';
  return parameters ? 'params' : 'none';
}
