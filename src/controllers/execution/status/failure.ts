import type { FailureReason } from '../../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { clip } from '../../../base/index.ts';
import { adviceFor } from './failure-advice.ts';
import { workflowOf } from '../names.ts';

/** An execution that did not work out. */
export interface ExecutionFailure {
  readonly reason: FailureReason;
  readonly message: string;
  /** Whether the workflow may have acted: a container of it had begun, and did not report that it changed nothing. True when that is unknown. */
  readonly started: boolean;
  /** The workflow ran, and reported that a precondition is not met: nothing was changed. */
  readonly hasRefused?: true;
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

/** The longest text of others that goes into a status. */
const LONGEST_MESSAGE = 1_000;

/** A text of others, as it goes into a status. */
export const quoted = (text: string): string => clip(text, LONGEST_MESSAGE);

/** The end of what a program printed: what went wrong comes last. */
export const lastPart = (text: string): string =>
  (text.length > LONGEST_MESSAGE / 2 ? `…${text.slice(-LONGEST_MESSAGE / 2)}` : text).trim().toWellFormed();

/** So much of what the cluster said goes into a summary; all of it stands in the message. */
const LONGEST_QUOTE = 400;

/**
 * A failure for the person on call: what happened to what, whether anything may have been changed, what to do, and the next
 * command to type.
 */
export function summaryOf(execution: WorkflowExecution, failure: ExecutionFailure, took: string | undefined): string {
  const { started } = failure;
  const [workflow, target] = [workflowOf(execution), execution.spec.targetResource];
  const verb = failure.hasRefused ? 'did nothing' : 'did not run';
  const what = started
    ? `${workflow} failed on ${target}${took === undefined ? '' : ` after ${took}`}`
    : `${workflow} ${verb} on ${target}`;
  const consequence = started
    ? `It may have changed ${target}: check it before anything else runs there, then allow the next workflow with: sickbay clear-block ${target} --reason "what you found".`
    : 'Nothing was changed.';
  return `${what}: ${whyOf(failure)}. ${consequence} ${adviceFor(execution, failure)}`;
}

function whyOf({ plain, message }: ExecutionFailure): string {
  const quote = clip(message.replace(/[\s.]+$/, ''), LONGEST_QUOTE);
  return plain === undefined ? quote : `${plain} (${quote})`;
}
