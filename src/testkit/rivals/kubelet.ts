import { Job } from '../../api/builtin/index.ts';
import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { hasCode, toTime } from '../../base/index.ts';
import { parseTarget } from '../../controllers/target/index.ts';
import type { BudgetSettings } from '../../controllers/settings.ts';
import type { Invariant, Simulation } from '../../simulation/index.ts';

/** What really happened to the targets: the world's own record, which no controller can write. A run is a Job or a PipelineRun. */
export interface Record {
  /** Execution UID → the runs that were released for it. From that moment a run may act, however soon it is deleted again. */
  readonly letGo: Map<string, Set<string>>;
  /** UID of the run → target, from the moment it is released until it ends or is gone. */
  readonly open: Map<string, string>;
  /** UID of the run → target, while it runs. */
  readonly running: Map<string, string>;
  /** Execution UID → how its run ended. */
  readonly ended: Map<string, 'Complete' | 'Failed'>;
  /** Executions whose run was stopped before it did anything, and can do nothing any more. */
  readonly idle: Set<string>;
  /** Executions whose run was deleted from outside. */
  readonly robbed: Set<string>;
  /** UID of the run → its execution. */
  readonly owner: Map<string, string>;
  /** Target → the execution whose run failed there, or was stopped at work, as long as no person has done with that. */
  readonly harmed: Map<string, string>;
  /** Runs that were released on a target that was harmed. */
  readonly tooSoon: string[];
  /** Executions for which more than one run was released. */
  readonly twice: string[];
  /** Target → what an operator does when a run is at work there. */
  readonly whenAtWork: Map<string, () => void>;
}

/** Every run on this target ends badly. */
export const BROKEN = 'lab/Deployment/broken';

/** Plays the cluster's part: a Job that is not held acts on its target, takes a while, and ends well three times out of four. */
export function playKubelet(simulation: Simulation): Record {
  const record: Record = newRecord();
  simulation.mirror.onChange(({ resource, before, after }) => {
    if (resource !== Job) return;
    if (!after) return forget(record, before?.metadata.uid ?? '');
    const job = after as Job;
    if (job.spec.suspend === true || job.status?.startTime !== undefined) return;
    noteLetGo(record, job);
    simulation.later(100 + simulation.random.int(2_000), 'kubelet', () => start(simulation, record, job));
  });
  return record;
}

const newRecord = (): Record => ({
  letGo: new Map(),
  open: new Map(),
  running: new Map(),
  ended: new Map(),
  idle: new Set(),
  robbed: new Set(),
  owner: new Map(),
  harmed: new Map(),
  tooSoon: [],
  twice: [],
  whenAtWork: new Map(),
});

/** From now on the run may act. */
export function noteLetGo(record: Record, run: KubeObject): void {
  if (!record.open.has(run.metadata.uid)) noteTooSoon(record, run);
  record.owner.set(run.metadata.uid, executionOf(run));
  const runs = (record.letGo.get(executionOf(run)) ?? new Set()).add(run.metadata.uid);
  record.letGo.set(executionOf(run), runs);
  if (runs.size > 1) record.twice.push(executionOf(run));
  record.open.set(run.metadata.uid, lockNameOf(run));
}

/** It acts on its target. */
export function noteAtWork(record: Record, run: KubeObject): void {
  record.running.set(run.metadata.uid, lockNameOf(run));
  record.whenAtWork.get(lockNameOf(run))?.();
  record.whenAtWork.delete(lockNameOf(run));
}

function noteTooSoon(record: Record, run: KubeObject): void {
  const by = record.harmed.get(lockNameOf(run));
  if (by !== undefined && by !== executionOf(run)) record.tooSoon.push(`${executionOf(run)} on ${lockNameOf(run)}, after ${by}`);
}

/** A person has done with what happened on a target: with all of it, or with what one execution did. */
export function lift({ harmed }: Record, target: string, execution?: string): void {
  if (execution === undefined || harmed.get(target) === execution) harmed.delete(target);
}

/** It acts no more. What was at work and did not come to a good end may have left its target half-way. */
export function forget(record: Record, uid: string): void {
  const [target, execution] = [record.running.get(uid), record.owner.get(uid)];
  const isHarm = execution !== undefined && record.ended.get(execution) !== 'Complete';
  if (target !== undefined && isHarm) record.harmed.set(target, execution);
  record.open.delete(uid);
  record.running.delete(uid);
}

/** At most one run per execution, and one per target at any time. */
export const oneAtATime = (record: Record): readonly Invariant[] => [
  { name: 'at most one run per execution', check: () => record.twice[0] },
  {
    name: 'at most one run per target at any time',
    check() {
      if (record.running.size < 2) return undefined;
      const targets = [...record.running.values()];
      return targets.find((target, i) => targets.indexOf(target) !== i);
    },
  },
];

/** Where a run failed nothing runs before a person has looked. */
export const noneAfterAFailure = (record: Record): Invariant => ({
  name: 'no run after an execution failure until a person clears it',
  check: () => record.tooSoon[0],
});

/** An execution goes only when its run has really stopped: whatever is at work can be traced. */
export const noneOutlives = (record: Record, { mirror }: Simulation): Invariant => ({
  name: 'no run outlives its execution',
  check() {
    for (const [run, target] of record.running) {
      const owner = record.owner.get(run);
      if (!mirror.all(WorkflowExecution).some(({ metadata }) => metadata.uid === owner)) return `${run} on ${target}`;
    }
    return undefined;
  },
});

/** Never more runs released and not ended than the budget allows, in the cluster, in a namespace or on a node. */
export const withinBudget = (record: Record, { running }: Pick<BudgetSettings, 'running'>): Invariant => ({
  name: 'never more runs than the budget',
  check() {
    if (record.open.size < 2) return undefined;
    const open = [...record.open.values()];
    const targets = open.map(parseTarget);
    const isOver =
      targets.length > running.cluster ||
      most(targets.map((target) => target?.namespace)) > running.namespace ||
      most(targets.map((target) => (target?.kind === 'Node' ? target.name : undefined))) > running.node;
    return isOver ? open.join(', ') : undefined;
  },
});

/** How often the commonest name comes. */
function most(names: readonly (string | undefined)[]): number {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

export const lockNameOf = ({ metadata }: KubeObject): string => metadata.annotations?.[ANNOTATIONS.targetResource] ?? '';

export const executionOf = ({ metadata }: KubeObject): string => metadata.labels?.[LABELS.workflowExecutionUid] ?? 'nobody';

async function start(simulation: Simulation, record: Record, seen: Job): Promise<void> {
  const job = simulation.mirror.get(Job, keyOf(seen));
  if (job?.metadata.uid !== seen.metadata.uid || record.running.has(job.metadata.uid) || job.status?.startTime !== undefined) return;
  noteAtWork(record, job);
  simulation.journal.note('node', () => `runs ${keyText(keyOf(job))} for ${executionOf(job)}`);
  simulation.later(1_000 + simulation.random.int(8_000), 'kubelet', () => end(simulation, record, job));
  await writeStatus(simulation, job, { active: 1, ready: 1, startTime: toTime(simulation.time.now()) });
}

async function end(simulation: Simulation, record: Record, seen: Job): Promise<void> {
  if (!record.running.has(seen.metadata.uid)) return;
  const isBad = simulation.random.int(4) === 0 || lockNameOf(seen) === BROKEN;
  const type = isBad ? 'Failed' : 'Complete';
  record.ended.set(executionOf(seen), type);
  forget(record, seen.metadata.uid);
  const condition = { type, status: 'True', reason: 'Ended', message: '', lastTransitionTime: toTime(simulation.time.now()) };
  await writeStatus(simulation, seen, { active: 0, ready: 0, conditions: [condition] });
}

async function writeStatus(simulation: Simulation, job: Job, status: object): Promise<void> {
  try {
    await simulation.admin.patchStatus(Job, keyOf(job), { type: 'merge', body: { metadata: { uid: job.metadata.uid }, status } });
  } catch (error) {
    // The Job was deleted, and perhaps another took its name: no object is left to record it on.
    if (!hasCode(error, 'NotFound') && !hasCode(error, 'Conflict')) throw error;
  }
}
