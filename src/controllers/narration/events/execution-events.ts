import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { getCondition, isTrue } from '../../../kube/objects/conditions.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { normalNote, warningNote } from '../../kubernetes-events.ts';

/** The Events of a change of an execution. Those of its run, its end and its lock are recorded by its controller, which knows the details. */
export function executionNotesOf(before: WorkflowExecution | undefined, after: WorkflowExecution): readonly EventNote[] {
  return [refused(before, after), waits(before, after)].filter((note) => note !== undefined);
}

function refused(before: WorkflowExecution | undefined, { status }: WorkflowExecution): EventNote | undefined {
  const { phase, failureDetails, conditions } = status ?? {};
  if (phase !== 'Failed' || before?.status?.phase === 'Failed') return undefined;
  if (failureDetails?.reason !== 'ConfigurationError' || isTrue(conditions, 'Selected')) return undefined;
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
