import type { FailureReason } from '../../api/workflow-execution/status.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { workflowOf } from './names.ts';

/** An execution that did not work out. */
export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
  /** Whether a container of the workflow had begun, so that it may have acted; true when nobody can tell. */
  readonly started: boolean;
  readonly exitCode?: number;
  /** Somebody's will, and no trouble of the target: it leads to no back-off. */
  readonly isUncounted?: true;
  /** What to do, where the reason alone does not say it. */
  readonly advice?: string;
}

/** What to do about each kind of failure. */
const ADVICE: Readonly<Record<FailureReason, string>> = {
  OOMKilled: 'See which memory limit its pod had: that of the workflow, or of a LimitRange in the execution namespace.',
  DeadlineExceeded: 'See why it takes so long, or give it more time.',
  Forbidden: 'Compare what it was refused with the rights of its ServiceAccount.',
  ResourceExhausted: 'Make room on the nodes or in the quota of the execution namespace.',
  ConfigurationError: 'Correct the workflow or what it was told.',
  ImagePullBackOff: 'See that the image exists and that the nodes may pull it.',
  TaskFailed: 'Read what it said, and its log while the Job is kept.',
  Unknown: 'Look at the Job and its Events.',
  UnsupportedEngine: 'Choose a workflow whose engine is installed.',
  Deduplicated: 'Look at the other execution.',
};

/** A failure for somebody who was woken by it: what happened to what, whether anything may have been changed, and what to do. */
export function summaryOf(
  execution: WorkflowExecution,
  { reason, message, started, advice = ADVICE[reason] }: Failure,
  took: string | undefined,
): string {
  const [workflow, target] = [workflowOf(execution), execution.spec.targetResource];
  const what = started
    ? `${workflow} failed on ${target}${took === undefined ? '' : ` after ${took}`}: ${message}.`
    : `${workflow} did not run on ${target}: ${message}.`;
  const consequence = started ? 'It may have changed the target: look at it before anything else runs there.' : 'Nothing was changed.';
  return `${what.replace(/\.\.$/, '.')} ${consequence} ${advice}`;
}
