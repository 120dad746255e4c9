import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { getCondition, isTrue } from '../../../kube/objects/conditions.ts';
import type { EventNote } from '../../../kube/objects/events.ts';

/**
 * What people are told when one state of an execution follows another. What its controller does itself (a run, an end, a lock) it tells
 * itself, with what it knows of it.
 */
export function executionNotesOf(before: WorkflowExecution | undefined, after: WorkflowExecution): readonly EventNote[] {
  return [validated(before, after), waits(before, after), moved(before, after)].filter((note) => note !== undefined);
}

function validated(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  if (isSelected(after)) {
    const message = `${after.spec.workflowRef.workflowId} can be run on ${after.spec.targetResource}`;
    return isSelected(before) ? undefined : { type: 'Normal', reason: 'WorkflowValidated', message };
  }
  const { phase, failureDetails } = after.status ?? {};
  if (phase !== 'Failed' || before?.status?.phase === 'Failed' || failureDetails?.reason !== 'ConfigurationError') return undefined;
  return { type: 'Warning', reason: 'WorkflowValidationFailed', message: failureDetails.message };
}

/** Once for each wait. */
function waits(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  const ready = getCondition(after.status?.conditions, 'Ready');
  if (after.status?.phase !== 'Pending' || ready?.reason !== COOLDOWN) return undefined;
  const isNew = getCondition(before?.status?.conditions, 'Ready')?.reason !== COOLDOWN;
  return isNew ? { type: 'Normal', reason: COOLDOWN, message: ready.message } : undefined;
}

const COOLDOWN = 'CooldownActive';

function moved(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  const [from, to] = [before?.status?.phase, after.status?.phase];
  if (from === undefined || to === undefined || from === to) return undefined;
  return { type: 'Normal', reason: 'PhaseTransition', message: `${from} → ${to}` };
}

const isSelected = (execution: WorkflowExecution | undefined): boolean => isTrue(execution?.status?.conditions, 'Selected');
