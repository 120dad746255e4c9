import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { getCondition, isTrue } from '../../../kube/objects/conditions.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote } from '../../kubernetes-events.ts';

/** The Events of a change of an execution. Those of its run, its end and its lock are recorded by its controller, which knows the details. */
export function executionNotesOf(before: WorkflowExecution | undefined, after: WorkflowExecution): readonly EventNote[] {
  return [validated(before, after), waits(before, after), moved(before, after)].filter((note) => note !== undefined);
}

function validated(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  if (isSelected(after)) {
    const message = `${after.spec.workflowRef.workflowId} can be run on ${after.spec.targetResource}`;
    return isSelected(before) ? undefined : normalNote('WorkflowValidated', message);
  }
  const { phase, failureDetails } = after.status ?? {};
  if (phase !== 'Failed' || before?.status?.phase === 'Failed' || failureDetails?.reason !== 'ConfigurationError') return undefined;
  return warningNote('WorkflowValidationFailed', failureDetails.message);
}

/** Recorded once for each wait. */
function waits(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  const ready = getCondition(after.status?.conditions, 'Ready');
  if (after.status?.phase !== 'Pending' || ready?.reason !== COOLDOWN) return undefined;
  const isNew = getCondition(before?.status?.conditions, 'Ready')?.reason !== COOLDOWN;
  return isNew ? normalNote(COOLDOWN, ready.message) : undefined;
}

const COOLDOWN = 'CooldownActive';

function moved(before: WorkflowExecution | undefined, after: WorkflowExecution): EventNote | undefined {
  const [from, to] = [before?.status?.phase, after.status?.phase];
  if (from === undefined || to === undefined || from === to) return undefined;
  return normalNote('PhaseTransition', `${from} → ${to}`);
}

const isSelected = (execution: WorkflowExecution | undefined): boolean => isTrue(execution?.status?.conditions, 'Selected');
