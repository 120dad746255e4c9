import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { given } from '../../base/index.ts';
import type { Remediation } from '../contract/index.ts';
import { refOf } from './remediation-summary.ts';

type ExecutionView = NonNullable<Remediation['execution']>;
type Status = NonNullable<WorkflowExecution['status']>;

/** The run of a remediation. */
export function executionView({ metadata, spec, status = {} }: WorkflowExecution): ExecutionView {
  const { phase = 'Pending', queuePosition, startTime, completionTime, duration, conditions = [] } = status;
  const ready = conditions.find(({ type }) => type === 'Ready');
  return {
    name: metadata.name,
    phase,
    ...given({
      message: ready?.message,
      engine: status.executionEngine ?? spec.workflowRef.executionEngine,
      run: runIn(status),
      queuePosition,
      startedAt: startTime,
      completedAt: completionTime,
      duration,
      failure: failureIn(status),
      clearance: clearanceIn(status),
    }),
  };
}

const runIn = ({ executionRef: { kind, namespace, name } = {} }: Status): ExecutionView['run'] =>
  kind === undefined || name === undefined ? undefined : refOf({ kind, namespace, name });

function failureIn({ failureDetails, skipDetails }: Status): ExecutionView['failure'] {
  if (failureDetails)
    return {
      reason: failureDetails.reason,
      message: failureDetails.message,
      summary: failureDetails.naturalLanguageSummary,
      mayHaveChangedTarget: failureDetails.wasExecutionFailure === true,
    };
  if (!skipDetails) return undefined;
  return { reason: skipDetails.reason, message: skipDetails.message, summary: skipDetails.message, mayHaveChangedTarget: false };
}

const clearanceIn = ({ blockClearance }: Status): ExecutionView['clearance'] =>
  blockClearance && { by: blockClearance.clearedBy, reason: blockClearance.clearReason, ...given({ at: blockClearance.clearedAt }) };
