import { failedAfterStart } from '../../../api/workflow-execution/failed-after-start.ts';
import { isTerminal } from '../../../api/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { instant, parseTime, type Instant } from '../../../base/index.ts';
import { isOwnedBy } from '../../../kube/objects/owner-references.ts';

/** Whether an execution runs or may start: one that still waits counts too. */
export const isExecutionActive = ({ status }: WorkflowExecution): boolean => !isTerminal(executionPhases, status?.phase);

/** Whether the execution may have changed the target. */
export const mayHaveActed = (execution: WorkflowExecution): boolean =>
  execution.status?.phase === 'Completed' || failedAfterStart(execution);

export const isOf = (execution: WorkflowExecution, { metadata }: RemediationRequest): boolean => isOwnedBy(execution, metadata.uid);

/** When the execution ended, or at least started, as far as that is recorded. */
export const endOfRun = ({ status, metadata }: WorkflowExecution): Instant =>
  parseTime(status?.completionTime) ?? parseTime(status?.startTime) ?? parseTime(metadata.creationTimestamp) ?? instant(0);
