import type { FailureReason } from '../../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { clip } from '../../../base/index.ts';
import { adviceFor } from './failure-advice.ts';
import { workflowOf } from '../names.ts';

/** An execution that did not work out. */
export interface ExecutionFailure {
  readonly reason: FailureReason;
  readonly message: string;
  /** Whether a container of the workflow had begun, so that it may have acted; true when that is unknown. */
  readonly started: boolean;
  /** The failure in plain words, where `message` has the cluster's. */
  readonly plain?: string;
  readonly exitCode?: number;
  /** The container that failed, where it is known. */
  readonly step?: string;
  /** The part of the run that failed, where it has several. */
  readonly task?: { readonly name: string; readonly index: number };
  /** A person's decision, and no trouble of the target: it leads to no back-off. */
  readonly isUncounted?: true;
  /** What to do, where the reason alone does not say it. */
  readonly advice?: string;
}

/** So much of what the cluster said goes into a summary; all of it stands in the message. */
const LONGEST_QUOTE = 400;

/**
 * A failure for the person on call: what happened to what, whether anything may have been changed, what to do, and the next
 * command to type.
 */
export function summaryOf(execution: WorkflowExecution, failure: ExecutionFailure, took: string | undefined): string {
  const { started } = failure;
  const [workflow, target] = [workflowOf(execution), execution.spec.targetResource];
  const what = started
    ? `${workflow} failed on ${target}${took === undefined ? '' : ` after ${took}`}`
    : `${workflow} did not run on ${target}`;
  const consequence = started
    ? `It may have changed ${target}: check it before anything else runs there, then allow the next workflow with: sickbay clear-block ${target} --reason "what you found".`
    : 'Nothing was changed.';
  return `${what}: ${whyOf(failure)}. ${consequence} ${adviceFor(execution, failure)}`;
}

function whyOf({ plain, message }: ExecutionFailure): string {
  const quote = clip(message.replace(/[\s.]+$/, ''), LONGEST_QUOTE);
  return plain === undefined ? quote : `${plain} (${quote})`;
}
