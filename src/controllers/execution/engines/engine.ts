import type { Event, Pod } from '../../../api/builtin/index.ts';
import type { Draft, KubeObject } from '../../../api/meta.ts';
import type { Engine as EngineName } from '../../../api/parts/plan.ts';
import type { Resource } from '../../../api/resource.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../../../base/index.ts';
import type { Effect, Listed } from '../../../runtime/reconcile/controller.ts';
import type { ExecutionFailure } from '../status/failure.ts';
import type { PodEvidence, RecordedState } from './evidence/pod-evidence.ts';

/** How a run came to its end. */
export interface RunResult {
  readonly succeeded: boolean;
  /** It was stopped from outside, by us or by others, before it came to an end of its own. */
  readonly isStopped?: true;
  readonly at?: Instant;
}

/** How many parts of a run there are, and how many are done. */
export interface RunProgress {
  readonly completedTasks: number;
  readonly totalTasks: number;
}

/**
 * A way to run a workflow as one object of the cluster: created held, released once, gone with its pods when it is deleted. Everything here
 * is pure; the decisions do not need to know which engine it is.
 */
export interface RunEngine<Run extends KubeObject = KubeObject> {
  readonly name: EngineName;
  readonly resource: Resource<Run>;
  /** The CustomResourceDefinition without which the engine is not there; absent where every cluster has it. */
  readonly definition?: string;
  /** The run, held: it does nothing until it is released. */
  draft(execution: WorkflowExecution, at: { readonly namespace: string; readonly now: Instant }): Draft<Run>;
  isSuspended(run: Run): boolean;
  /** Whether a held run was held ever since it was created: only then has it not acted, and may be released. */
  isUntouched(run: Run): boolean;
  release(run: Run): Effect;
  /** How it is stopped, where deleting it is not enough; undefined when there is nothing to request. A run that does not stop is deleted. */
  stop?(run: Run): Effect | undefined;
  endOf(run: Run): RunResult | undefined;
  progressOf(run: Run): RunProgress;
  /** Whether its pods have anything to tell that the run itself does not. */
  needsPods(run: Run): boolean;
  /** Label selector of the pods of the run of this name. */
  podsOf(name: string): string;
  /** Objects between the run and its pods, found by the same selector, where there are any; and how they add to what the pods say. */
  readonly parts?: { readonly resource: Resource; asPods(parts: readonly KubeObject[], pods: readonly Pod[]): readonly Pod[] };
  /** What its own pods say; `remembered` is what was last seen of them, `events` what is told of them beside. */
  evidenceOf(run: Run, pods: readonly Pod[], remembered: RecordedState | undefined, events: Listed<Event>): PodEvidence;
  failureOf(run: Run, story: PodEvidence): ExecutionFailure;
}
