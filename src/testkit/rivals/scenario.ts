import { ConfigMap, CustomResourceDefinition, Job, Lease, Namespace, PipelineRun, Pod, TaskRun } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import type { KubeObject } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { LABELS } from '../../api/well-known.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { deepFreeze, hasCode, HOUR, MINUTE, SECOND } from '../../base/index.ts';
import { createExecutionController } from '../../controllers/execution/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/settings.ts';
import type { Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { BROKEN, noneAfterAFailure, oneAtATime, playKubelet, withinBudget, type Record } from './kubelet.ts';
import { clearTarget } from './person.ts';
import { cancelRequest, offerWorkflows, openRequest, type Rival } from './requests.ts';
import { playTekton, TEKTON_KINDS } from './tekton.ts';

const BUDGET = { running: { cluster: 2, namespace: 1, node: 1 }, perHour: { cluster: 30, namespace: 20 } };
const SETTINGS = { ...DEFAULT_SETTINGS, cooldownMs: 8 * SECOND, budget: BUDGET };
const { namespace, executionNamespace } = SETTINGS;
const TARGET = 'shop/Deployment/checkout';

interface Entry extends Rival {
  readonly afterMs: number;
  readonly cancelledAfterMs?: number;
  readonly deletedAfterMs?: number;
  /** Comes only when this other one has ended. */
  readonly followsOn?: string;
  /** A person clears the target before. */
  readonly isCleared?: true;
}

/**
 * Some for one target, at the same time and one after the other, as Jobs and as PipelineRuns; one is cancelled, one is deleted while it may be at work. Others have targets
 * of their own, and have to wait for the budget only. On one target every run fails: what comes next is skipped, until a person clears it.
 */
const RIVALS: readonly Entry[] = [
  { name: 'one', target: TARGET, afterMs: 0 },
  { name: 'two', target: TARGET, afterMs: 500, engine: 'tekton' },
  { name: 'cancelled', target: 'shop/Deployment/cart', afterMs: 0, cancelledAfterMs: 2 * SECOND },
  { name: 'search', target: 'shop/Deployment/search', afterMs: 0, engine: 'tekton' },
  { name: 'mail', target: 'post/Deployment/mail', afterMs: 200 },
  { name: 'node', target: 'Node/worker-1', afterMs: 300 },
  { name: 'stopped', target: 'post/Deployment/fax', afterMs: 5 * SECOND, engine: 'tekton', cancelledAfterMs: 6 * SECOND },
  { name: 'deleted', target: TARGET, afterMs: 25 * SECOND, deletedAfterMs: 4 * SECOND },
  { name: 'late', target: TARGET, afterMs: 40 * SECOND },
  { name: 'broken', target: BROKEN, afterMs: 0 },
  { name: 'broken-next', target: BROKEN, afterMs: SECOND, engine: 'tekton', followsOn: 'broken' },
  { name: 'broken-cleared', target: BROKEN, afterMs: SECOND, followsOn: 'broken-next', isCleared: true },
];

const CRDS = [...[WorkflowExecution, RemediationRequest, RemediationWorkflow].map(crdOf), ...TEKTON_KINDS].map((crd) => deepFreeze(crd));

const records = new WeakMap<Simulation, Record>();

/** Executions that want the same target. */
export const rivals: Scenario = {
  name: 'rivals',
  replicas: ['r1', 'r2'],
  // Who finds a target free takes its lock, and who finds no ledger makes one; that two do so at once is what the name is for.
  raced: [Lease.plural, ConfigMap.plural],
  boot: bootProcess({ controllers: () => [createExecutionController(() => SETTINGS)] }),
  async prepare(simulation) {
    for (const name of [namespace, executionNamespace])
      await simulation.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
    await offerWorkflows(simulation);
    for (const resource of [WorkflowExecution, RemediationRequest, Job, PipelineRun, TaskRun, Lease, Pod])
      await simulation.follow(resource);
    const record = playKubelet(simulation);
    playTekton(simulation, record);
    records.set(simulation, record);
    const invariants = [...oneAtATime(record), noneAfterAFailure(record), withinBudget(record, BUDGET), legalMoves(simulation)];
    for (const invariant of invariants) simulation.require(invariant);
    for (const entry of RIVALS) play(simulation, entry);
  },
  settled: (simulation) =>
    simulation.mirror.all(RemediationRequest).length === RIVALS.length &&
    executionsOf(simulation).length === RIVALS.length - 1 &&
    executionsOf(simulation).every(({ status }) => isTerminal(executionPhases, status?.phase)) &&
    leftBehind(simulation).length === 0,
  verdict(simulation) {
    const record = records.get(simulation);
    return record ? executionsOf(simulation).flatMap((execution) => misjudged(execution, record) ?? []) : ['the scenario was not prepared'];
  },
  // Who comes first, and so who is skipped, may rightly differ.
  endState: (simulation) =>
    executionsOf(simulation)
      .map(({ metadata }) => metadata.name)
      .toSorted(),
  faultsForMs: MINUTE,
  deadlineMs: 2 * HOUR,
};

/** How each execution ended; a run ends badly by chance, which is no concern of its rivals. */
export const endsOf = (simulation: Simulation): readonly string[] =>
  executionsOf(simulation)
    .map(({ metadata, status }) => `${metadata.name} ${status?.phase === 'Skipped' ? 'skipped' : 'ran'}`)
    .toSorted();

function play(simulation: Simulation, entry: Entry): void {
  simulation.later(entry.afterMs, 'orchestrator', () => open(simulation, entry));
  if (entry.cancelledAfterMs !== undefined)
    simulation.later(entry.afterMs + entry.cancelledAfterMs, 'person', () => cancelRequest(simulation, entry.name, namespace));
  if (entry.deletedAfterMs !== undefined)
    simulation.later(entry.afterMs + entry.deletedAfterMs, 'person', () => deleteExecution(simulation, `we-${entry.name}`));
}

async function open(simulation: Simulation, entry: Entry): Promise<void> {
  if (entry.followsOn !== undefined && !hasEnded(simulation, `we-${entry.followsOn}`))
    return simulation.later(5 * SECOND, 'orchestrator', () => open(simulation, entry));
  if (entry.isCleared) await clearTarget(simulation, entry.target);
  return openRequest(simulation, entry, namespace);
}

const hasEnded = (simulation: Simulation, name: string): boolean =>
  executionsOf(simulation).some(({ metadata, status }) => metadata.name === name && isTerminal(executionPhases, status?.phase));

async function deleteExecution({ admin }: Simulation, name: string): Promise<void> {
  try {
    await admin.delete(WorkflowExecution, { namespace, name });
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
  }
}

const executionsOf = ({ mirror }: Simulation): readonly WorkflowExecution[] => mirror.all(WorkflowExecution);

/** Runs and locks of executions that are there. What a deleted one left behind waits, held, for the next execution on its target. */
const leftBehind = (simulation: Simulation): readonly KubeObject[] => {
  const uids = new Set(executionsOf(simulation).map(({ metadata }) => metadata.uid));
  const left = [Job, PipelineRun, TaskRun, Lease].flatMap((resource) => simulation.mirror.all<KubeObject>(resource));
  return left.filter(({ metadata }) => uids.has(metadata.labels?.[LABELS.workflowExecutionUid] ?? ''));
};

/** What is wrong with how an execution was judged, against what really happened. */
function misjudged({ metadata, status = {} }: WorkflowExecution, record: Record): string | undefined {
  const wasLetGo = record.letGo.has(metadata.uid);
  const { wasExecutionFailure, message = '' } = status.failureDetails ?? {};
  const objections = {
    'is Completed, but its run is not': status.phase === 'Completed' && record.ended.get(metadata.uid) !== 'Complete',
    'is Skipped, but it ran': status.phase === 'Skipped' && wasLetGo,
    'is said not to have run, but it did': wasExecutionFailure === false && wasLetGo,
    'was called lost, although nobody took its run away': message.includes('is gone, so nobody knows'),
  };
  const objection = Object.entries(objections).find(([, holds]) => holds);
  return objection && `${metadata.name} ${objection[0]}`;
}
