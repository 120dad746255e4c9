/** Why an execution was skipped; the same words on the RemediationRequest and on the WorkflowExecution. */
export const SKIP_REASONS = ['ResourceBusy', 'RecentlyRemediated', 'ExhaustedRetries', 'PreviousExecutionFailed'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
