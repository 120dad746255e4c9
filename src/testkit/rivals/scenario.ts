import { RUN_LOST } from '../../controllers/execution/phases/decide-running.ts';
import { ConfigMap, CustomResourceDefinition, Job, Lease, Namespace, PipelineRun, Pod, TaskRun } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import type { KubeObject } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { assertNever, deepFreeze, HOUR, MINUTE, SECOND } from '../../base/index.ts';
import { createExecutionController, createOrphanControllers, storedBlock } from '../../controllers/execution/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import type { Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { noneAfterAFailure, noneOutlives, oneAtATime, playKubelet, withinBudget, type Record } from './kubelet.ts';
import { FEW, RIVALS, someOf, type Entry, type Victim } from './entries.ts';
import { clearTarget, deleteExecution, deleteRequest, deleteRun } from './operator.ts';
import { cancelRequest, offerWorkflows, openRequest } from './requests.ts';
import { BUDGET, SETTINGS } from './settings.ts';
import { playTekton, TEKTON_KINDS } from './tekton.ts';
import type { Mistake } from './variants.ts';

const { namespace, executionNamespace } = SETTINGS;

const CRDS = [...[WorkflowExecution, RemediationRequest, RemediationWorkflow].map(crdOf), ...TEKTON_KINDS].map((crd) => deepFreeze(crd));

interface Story {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Each run has only some of them. */
  readonly isMixed?: true;
}

/** What a run consists of. */
interface Stage {
  readonly entries: readonly Entry[];
  readonly record: Record;
  readonly opened: Set<string>;
}

const stages = new WeakMap<Simulation, Stage>();
const stageOf = (simulation: Simulation): Stage => {
  const stage = stages.get(simulation);
  if (!stage) throw new Error('the scenario was not prepared');
  return stage;
};

/** Executions that want the same target, and what becomes of them under a controller that makes a mistake. */
export const rivalsUnder = (make: Mistake, story: Story = ALL): Scenario => ({
  name: story.name,
  replicas: ['r1', 'r2'],
  // Who finds a target free takes its lock, and who finds no ledger makes one; that two do so at once is what the name is for.
  raced: [Lease.plural, ConfigMap.plural],
  boot: bootProcess({
    controllers: () => [make(createExecutionController(() => SETTINGS)) as Controller, ...createOrphanControllers(() => SETTINGS)],
  }),
  async prepare(simulation) {
    for (const name of [namespace, executionNamespace])
      await simulation.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
    await offerWorkflows(simulation);
    for (const resource of [WorkflowExecution, RemediationRequest, Job, PipelineRun, TaskRun, Lease, Pod])
      await simulation.follow(resource);
    const { entries, record } = setUp(simulation, story);
    const invariants = [
      ...oneAtATime(record),
      noneAfterAFailure(record),
      noneOutlives(record, simulation),
      withinBudget(record, BUDGET),
      legalMoves(simulation),
    ];
    for (const invariant of invariants) simulation.require(invariant);
    for (const entry of entries) play(simulation, entry);
  },
  settled,
  verdict: (simulation) => executionsOf(simulation).flatMap((execution) => misjudged(execution, stageOf(simulation).record) ?? []),
  // Who comes first, and so who is skipped, may rightly differ.
  endState: (simulation) =>
    executionsOf(simulation)
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  faultsForMs: MINUTE,
  deadlineMs: 2 * HOUR,
});

const ALL: Story = { name: 'rivals', entries: RIVALS };

/** Executions that want the same target. */
export const rivals: Scenario = rivalsUnder((right) => right, { ...ALL, isMixed: true });

/** All of them at once. */
export const allRivals: Scenario = rivalsUnder((right) => right);

/** The same with few of them: short enough to try every fault at every step. */
export const fewRivals: Scenario = rivalsUnder((right) => right, { name: 'rivals-few', entries: FEW });

/** How each execution ended; a run ends badly by chance, which is no concern of its rivals. */
export const endsOf = (simulation: Simulation): readonly string[] =>
  executionsOf(simulation)
    .map(({ metadata, status }) => `${metadata.name} ${status?.phase === 'Skipped' ? 'skipped' : 'ran'}`)
    .toSorted();

function setUp(simulation: Simulation, { entries, isMixed }: Story): Stage {
  const record = playKubelet(simulation);
  playTekton(simulation, record);
  const stage = {
    entries: isMixed ? someOf(entries, simulation.random) : entries,
    record,
    opened: new Set<string>(),
  };
  stages.set(simulation, stage);
  return stage;
}

function settled(simulation: Simulation): boolean {
  const { entries, opened } = stageOf(simulation);
  return (
    opened.size === entries.length &&
    entries.every((entry) => !isDoomed(entry) || !find(simulation, entry)) &&
    executionsOf(simulation).every(
      ({ metadata, status }) => isTerminal(executionPhases, status?.phase) && metadata.deletionTimestamp === undefined,
    ) &&
    leftBehind(simulation).length === 0
  );
}

function play(simulation: Simulation, entry: Entry): void {
  simulation.later(entry.afterMs, 'orchestrator', () => open(simulation, entry));
  if (entry.cancelledAfterMs !== undefined)
    simulation.later(entry.afterMs + entry.cancelledAfterMs, 'person', () => cancelRequest(simulation, entry.name, namespace));
}

async function open(simulation: Simulation, entry: Entry): Promise<void> {
  const before = RIVALS.find(({ name }) => name === entry.followsOn);
  if (before && !hasEnded(simulation, before)) return simulation.later(5 * SECOND, 'orchestrator', () => open(simulation, entry));
  if (entry.isCleared) await clearTarget(simulation, stageOf(simulation).record, entry.target);
  await openRequest(simulation, entry, namespace);
  stageOf(simulation).opened.add(entry.name);
  const { deleted } = entry;
  if (deleted) doom(simulation, entry, deleted);
}

function doom(simulation: Simulation, entry: Entry, { what, withinMs }: NonNullable<Entry['deleted']>): void {
  const soon = (): void => simulation.later(simulation.random.int(withinMs), 'person', () => remove(simulation, entry, what));
  if (what === 'run at work') stageOf(simulation).record.whenAtWork.set(entry.target, soon);
  else soon();
}

/** What is deleted at any moment is gone at some time, except a run: its execution stays. */
const isDoomed = ({ deleted }: Entry): boolean => deleted?.what === 'execution' || deleted?.what === 'request';

const hasEnded = (simulation: Simulation, entry: Entry): boolean => {
  if (!stageOf(simulation).opened.has(entry.name)) return false;
  const execution = find(simulation, entry);
  return execution ? !isDoomed(entry) && isTerminal(executionPhases, execution.status?.phase) : true;
};

function remove(simulation: Simulation, { name, target }: Entry, what: Victim): Promise<void> {
  switch (what) {
    case 'execution':
      return deleteExecution(simulation, stageOf(simulation).record, { namespace, name: `we-${name}` });
    case 'request':
      return deleteRequest(simulation, { namespace, name });
    case 'run':
    case 'run at work':
      return deleteRun(simulation, stageOf(simulation).record, target);
    default:
      return assertNever(what);
  }
}

const find = ({ mirror }: Simulation, { name }: Entry): WorkflowExecution | undefined =>
  mirror.get(WorkflowExecution, { namespace, name: `we-${name}` });

const executionsOf = ({ mirror }: Simulation): readonly WorkflowExecution[] => mirror.all(WorkflowExecution);

/** Runs, and locks that keep no block: nothing of either stays when all is over. */
const leftBehind = (simulation: Simulation): readonly KubeObject[] => [
  ...[Job, PipelineRun, TaskRun].flatMap((resource) => simulation.mirror.all<KubeObject>(resource)),
  ...simulation.mirror.all(Lease).filter((lock) => isLock(lock) && !storedBlock(lock)),
];

const isLock = ({ metadata }: Lease): boolean => metadata.namespace === executionNamespace;

/** What is wrong with how an execution was judged, against what really happened. */
function misjudged({ metadata, status = {} }: WorkflowExecution, record: Record): string | undefined {
  const wasLetGo = record.letGo.has(metadata.uid);
  const { wasExecutionFailure, message = '' } = status.failureDetails ?? {};
  const objections = {
    'is Completed, but its run is not': status.phase === 'Completed' && record.ended.get(metadata.uid) !== 'Complete',
    'is Skipped, but it ran': status.phase === 'Skipped' && wasLetGo,
    'is said not to have run, but it did': wasExecutionFailure === false && wasLetGo && !record.idle.has(metadata.uid),
    'was called lost, although its run was not deleted': message.includes(RUN_LOST) && !record.robbed.has(metadata.uid),
  };
  const objection = Object.entries(objections).find(([, holds]) => holds);
  return objection && `${metadata.name} ${objection[0]}`;
}
