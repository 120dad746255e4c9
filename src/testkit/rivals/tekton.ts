import { PipelineRun, TaskRun, type CustomResourceDefinition } from '../../api/builtin/index.ts';
import { keyOf, keyText, type Draft, type KubeObject } from '../../api/meta.ts';
import { apiVersionOf, resourceName, type Resource } from '../../api/resource.ts';
import { hasCode, toTime } from '../../base/index.ts';
import { isOwnedBy, ownerReference } from '../../kube/objects/owner-references.ts';
import type { Simulation } from '../../simulation/index.ts';
import { BROKEN, executionOf, forget, noteAtWork, noteLetGo, lockNameOf, type Record } from './kubelet.ts';

/** Tekton's kinds, as far as a server has to know them. */
export const TEKTON_KINDS: readonly Draft<CustomResourceDefinition>[] = [PipelineRun, TaskRun].map(definitionOf);

function definitionOf(kind: Resource): Draft<CustomResourceDefinition> {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind) },
    spec: {
      group: kind.group,
      scope: 'Namespaced',
      names: { kind: kind.kind, plural: kind.plural },
      versions: [{ name: kind.version, served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } }],
    },
  };
}

/**
 * Plays Tekton's part, and the cluster's: a PipelineRun that is not held gets one task, which acts on the target for a while. Cancelling the
 * run ends the task; deleting it leaves a task that acts on until it is collected.
 */
export function playTekton(simulation: Simulation, record: Record): void {
  const soon = (ms: number, action: () => Promise<void>): void => simulation.later(100 + simulation.random.int(ms), 'tekton', action);
  simulation.mirror.onChange(({ resource, before, after }) => {
    if (resource === TaskRun && !after) forget(record, before?.metadata.ownerReferences?.[0]?.uid ?? '');
    if (resource === PipelineRun) look(before, after as PipelineRun | undefined);
  });
  function look(before: KubeObject | undefined, run: PipelineRun | undefined): void {
    if (!run) return before && soon(2_000, () => collect(simulation, record, before));
    if (isOver(run)) return;
    if (run.spec.status === 'Cancelled') return soon(1_000, () => end(simulation, record, { run, how: 'Cancelled' }));
    if (run.spec.status !== undefined || run.status?.startTime !== undefined) return;
    noteLetGo(record, run);
    soon(2_000, () => start(simulation, record, run));
  }
}

const isOver = ({ status }: PipelineRun): boolean => status?.conditions?.some((one) => one.status !== 'Unknown') === true;

/** Only what is still there, and still the same, is worked on. */
function current({ mirror }: Simulation, seen: PipelineRun): PipelineRun | undefined {
  const run = mirror.get(PipelineRun, keyOf(seen));
  return run?.metadata.uid === seen.metadata.uid && !isOver(run) ? run : undefined;
}

async function start(simulation: Simulation, record: Record, seen: PipelineRun): Promise<void> {
  const run = current(simulation, seen);
  if (!run || run.spec.status !== undefined || record.running.has(run.metadata.uid)) return;
  noteAtWork(record, run);
  simulation.journal.note('tekton', () => `runs ${keyText(keyOf(run))} for ${executionOf(run)}`);
  const isBad = simulation.random.int(4) === 0 || lockNameOf(run) === BROKEN;
  simulation.later(1_000 + simulation.random.int(8_000), 'tekton', () =>
    end(simulation, record, { run, how: isBad ? 'Failed' : 'Succeeded' }),
  );
  const task = await simulation.admin.create(TaskRun, taskOf(run));
  const conditions = [word(simulation, 'Running')];
  await tell(simulation, TaskRun, task, { podName: 'pod', conditions, steps: [{ name: 'act', running: {} }] });
  const childReferences = [{ kind: 'TaskRun', name: task.metadata.name, pipelineTaskName: 'act' }];
  await tell(simulation, PipelineRun, run, { startTime: toTime(simulation.time.now()), conditions, childReferences });
}

const taskOf = (run: PipelineRun): Draft<TaskRun> => ({
  apiVersion: apiVersionOf(TaskRun),
  kind: TaskRun.kind,
  metadata: {
    name: `${run.metadata.name}-${run.metadata.uid}`,
    namespace: run.metadata.namespace ?? '',
    labels: { ...run.metadata.labels, 'tekton.dev/pipelineRun': run.metadata.name, 'tekton.dev/pipelineTask': 'act' },
    ownerReferences: [ownerReference(run, { controller: true, blockOwnerDeletion: true })],
  },
  spec: {},
});

interface End {
  readonly run: PipelineRun;
  readonly how: 'Succeeded' | 'Failed' | 'Cancelled';
}

async function end(simulation: Simulation, record: Record, { run: seen, how }: End): Promise<void> {
  const run = current(simulation, seen);
  const isAtWork = record.running.has(seen.metadata.uid);
  if (!run || (how !== 'Cancelled' && !isAtWork)) return;
  if (isAtWork) record.ended.set(executionOf(run), how === 'Succeeded' ? 'Complete' : 'Failed');
  else record.idle.add(executionOf(run));
  forget(record, run.metadata.uid);
  const conditions = [word(simulation, how)];
  const terminated = { exitCode: how === 'Succeeded' ? 0 : 1, reason: how, startedAt: toTime(simulation.time.now()) };
  for (const task of tasksOf(simulation, run))
    await tell(simulation, TaskRun, task, { conditions, steps: [{ name: 'act', imageID: 'image', terminated }] });
  await tell(simulation, PipelineRun, run, { completionTime: toTime(simulation.time.now()), conditions });
}

const word = ({ time }: Simulation, reason: End['how'] | 'Running') => ({
  type: 'Succeeded',
  status: reason === 'Running' ? 'Unknown' : reason === 'Succeeded' ? 'True' : 'False',
  reason,
  message: '',
  lastTransitionTime: toTime(time.now()),
});

const tasksOf = ({ mirror }: Simulation, run: KubeObject): readonly TaskRun[] =>
  mirror.all(TaskRun).filter((task) => isOwnedBy(task, run.metadata.uid));

/** The PipelineRun is gone: its task goes too, a little later, and acts until then. */
async function collect(simulation: Simulation, record: Record, run: KubeObject): Promise<void> {
  const tasks = tasksOf(simulation, run);
  if (tasks.length === 0) forget(record, run.metadata.uid);
  for (const task of tasks) await quietly(simulation.admin.delete(TaskRun, keyOf(task)));
}

const tell = (simulation: Simulation, resource: Resource, object: KubeObject, status: object): Promise<void> =>
  quietly(
    simulation.admin.patchStatus(resource, keyOf(object), { type: 'merge', body: { metadata: { uid: object.metadata.uid }, status } }),
  );

/** It was deleted, and perhaps another took its name: no object is left to record it on. */
async function quietly(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasCode(error, 'NotFound') && !hasCode(error, 'Conflict')) throw error;
  }
}
