import { isTerminal } from '../../../api/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import { isOwnedBy } from '../../../kube/objects/owner-references.ts';

/** One that waits counts too: it may start at any moment. */
export const isAtWork = ({ status }: WorkflowExecution): boolean => !isTerminal(executionPhases, status?.phase);

/** Whether anything was done to the target. A failure that says nothing about it is taken for one that came after the start. */
export const hasRun = ({ status }: WorkflowExecution): boolean =>
  status?.phase === 'Completed' || (status?.phase === 'Failed' && status.failureDetails?.wasExecutionFailure !== false);

export const isOf = (execution: WorkflowExecution, { metadata }: RemediationRequest): boolean => isOwnedBy(execution, metadata.uid);

/** When it was over, or at least begun, as far as that is on record. */
export const endOfRun = ({ status, metadata }: WorkflowExecution): Instant =>
  parseTime(status?.completionTime) ?? parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
