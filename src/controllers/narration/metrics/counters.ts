/**
 * All counters that are derived from status changes: the name of the metric, its labels and its help. Each label has few values, and none
 * that comes from a signal.
 */
export const COUNTERS = {
  phase_transitions_total: {
    metric: 'kubernaut_remediationorchestrator_phase_transitions_total',
    labels: ['from_phase', 'to_phase', 'namespace'],
    help: 'Moves of remediations from phase to phase.',
  },
  child_crd_creations_total: {
    metric: 'kubernaut_remediationorchestrator_child_crd_creations_total',
    labels: ['child_type', 'namespace'],
    help: 'Children that remediations recorded in status.',
  },
  no_action_needed_total: {
    metric: 'kubernaut_remediationorchestrator_no_action_needed_total',
    labels: ['reason', 'namespace'],
    help: 'Remediations that found nothing to do.',
  },
  duplicates_skipped_total: {
    metric: 'kubernaut_remediationorchestrator_duplicates_skipped_total',
    labels: ['namespace'],
    help: 'Remediations blocked because another one was remediating the same signal.',
  },
  timeouts_total: {
    metric: 'kubernaut_remediationorchestrator_timeouts_total',
    labels: ['namespace', 'phase'],
    help: 'Remediations that ran out of time, by the phase they were in.',
  },
  blocked_total: {
    metric: 'kubernaut_remediationorchestrator_blocked_total',
    labels: ['namespace', 'reason'],
    help: 'Remediations blocked, by the check that blocked them.',
  },
  approval_decisions_total: {
    metric: 'kubernaut_remediationorchestrator_approval_decisions_total',
    labels: ['decision', 'namespace'],
    help: 'Decisions about plans.',
  },
  rar_override_applied_total: {
    metric: 'kubernaut_rar_override_applied_total',
    labels: ['type', 'namespace'],
    help: 'Approvals that changed the plan, by what they changed.',
  },
  workflowexecution_backoff_skip_total: {
    metric: 'workflowexecution_backoff_skip_total',
    labels: ['reason'],
    help: 'Total workflow executions skipped due to exponential backoff.',
  },
  component_assessments_total: {
    metric: 'kubernaut_effectivenessmonitor_component_assessments_total',
    labels: ['component'],
    help: 'Components of assessments that were assessed, or that are not configured.',
  },
  assessments_completed_total: {
    metric: 'kubernaut_effectivenessmonitor_assessments_completed_total',
    labels: ['reason'],
    help: 'Assessments that ended, by how complete they are.',
  },
  validity_expirations_total: {
    metric: 'kubernaut_effectivenessmonitor_validity_expirations_total',
    labels: [],
    help: 'Assessments that ran out of time.',
  },
  workflowexecution_reconciler_total: {
    metric: 'workflowexecution_reconciler_total',
    labels: ['outcome'],
    help: 'Workflow executions that ended, by how.',
  },
} as const;
export type CounterName = keyof typeof COUNTERS;

/** Adds one to a counter. */
export interface Increment {
  readonly counter: CounterName;
  readonly labels: Readonly<Record<string, string>>;
}
