import { ConfigMap, CustomResourceDefinition, Job, Lease, Namespace, Pod, Secret, ServiceAccount } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, deepFreeze, hasCode, HOUR, MINUTE, SECOND } from '../../base/index.ts';
import {
  AWX_CALL,
  AwxFailures,
  createAwxCalls,
  createExecutionController,
  createOrphanControllers,
  hasFinalizer,
  type AwxConnection,
} from '../../controllers/execution/index.ts';
import { storedBlock } from '../../controllers/execution/history/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START, type ReplicaEnv, type Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { BROKEN, emptyRecord, runPlaybooks, type AwxRecord } from './ansible-runner.ts';
import { ACCOUNT, addWorkflow, cancelRequest, CONFIG_MAP, openRequest, SECRET, TEMPLATE, type Part } from './executions.ts';
import { AWX_TOKEN, FakeAwx } from './fake-awx.ts';
import { invariantsOf, misjudged } from './invariants.ts';
import { awxNeighbour, isAwxCall, simulatedAwx } from './simulated-awx.ts';
import { tokenGiver } from './token-issuer.ts';

const SETTINGS = {
  ...DEFAULT_SETTINGS,
  cooldownMs: 8 * SECOND,
  budget: { running: { cluster: 3, namespace: 3, node: 1 }, perHour: { cluster: 60, namespace: 60 } },
  ansible: { ...DEFAULT_SETTINGS.ansible, apiURL: 'https://awx.example.com' },
};
const { namespace, executionNamespace } = SETTINGS;
const FAULTS_MS = MINUTE;
const CLUSTER = { host: 'https://cluster.example.com', ca: 'the certificate' };

/** What must never be seen anywhere but in a credential of AWX. */
export const SECRET_VALUE = 'hunter2-the-password';

interface Entry extends Part {
  readonly afterMs: number;
  readonly cancelledAfterMs?: number;
  readonly deletedAfterMs?: number;
}

/**
 * Rivals for one target; one that needs Secrets; one that fails, and one that must not run after it; one that is cancelled and one that is
 * deleted while it may be at work, with no later execution on its target.
 */
const PARTS: readonly Entry[] = [
  { name: 'one', target: 'shop/Deployment/checkout', afterMs: 0, isNeedy: true },
  { name: 'two', target: 'shop/Deployment/checkout', afterMs: 500 },
  { name: 'late', target: 'shop/Deployment/checkout', afterMs: 25 * SECOND },
  { name: 'broken', target: BROKEN, afterMs: 0, isNeedy: true },
  { name: 'broken-next', target: BROKEN, afterMs: 35 * SECOND },
  { name: 'cancelled', target: 'shop/Deployment/cart', afterMs: SECOND, cancelledAfterMs: 6 * SECOND },
  { name: 'deleted', target: 'shop/Deployment/mail', afterMs: 2 * SECOND, deletedAfterMs: 7 * SECOND },
];

const partsOf = ({ parts }: Twist): readonly Entry[] => PARTS.filter(({ name }) => parts?.includes(name) ?? true);

const CRDS = [WorkflowExecution, RemediationRequest, RemediationWorkflow].map((kind) => deepFreeze(crdOf(kind)));

interface Stage {
  readonly awx: FakeAwx;
  readonly record: AwxRecord;
  /** The template's own, which must stay unchanged. */
  readonly own: number;
}

const stages = new WeakMap<Simulation, Stage>();

/** The AWX of a run, and what really happened there. */
export const stageOf = (simulation: Simulation): Stage => {
  const stage = stages.get(simulation);
  if (!stage) throw new Error('the scenario was not prepared');
  return stage;
};

/** How a variant of the story differs, to see that it is noticed. */
export interface Twist {
  readonly name?: string;
  /** Only these parts. */
  readonly parts?: readonly string[];
  /** How often AWX answers something else, while faults come. */
  readonly stormRate?: number;
  readonly wrapCalls?: (handler: ReturnType<typeof createAwxCalls>) => ReturnType<typeof createAwxCalls>;
  readonly wrapDoor?: (door: AwxConnection) => AwxConnection;
  readonly wrapController?: (right: ReturnType<typeof createExecutionController>) => ReturnType<typeof createExecutionController>;
}

/** Executions whose playbooks AWX runs. */
export function awxScenario(twist: Twist = {}): Scenario {
  const parts = partsOf(twist);
  const staying = parts.filter(({ deletedAfterMs }) => deletedAfterMs === undefined);
  return {
    name: twist.name ?? 'awx',
    replicas: ['r1', 'r2'],
    raced: [Lease.plural, ConfigMap.plural, 'token'],
    isStep: ({ text }) => isAwxCall(text()),
    boot: bootOf(twist),
    prepare: (simulation) => prepare(simulation, twist),
    settled: (simulation) =>
      executionsOf(simulation).length === staying.length &&
      simulation.mirror.all(RemediationRequest).length === parts.length &&
      executionsOf(simulation).every((one) => isTerminal(executionPhases, one.status?.phase) && !hasFinalizer(one)) &&
      locksOf(simulation).length === 0 &&
      stageOf(simulation).record.open.size === 0,
    verdict: (simulation) => misjudged(simulation, stageOf(simulation), SECRET_VALUE),
    // Who comes first, and so who is skipped, may rightly differ.
    endState: (simulation) =>
      executionsOf(simulation)
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    faultsForMs: FAULTS_MS,
    deadlineMs: 3 * HOUR,
  };
}

/** AWX has bad days too. */
export const awx = awxScenario({ stormRate: 0.04 });
/** A few in calm weather, for what is done to every single step: only the network and the processes fail. */
export const fewAwx = awxScenario({ name: 'awx-few', parts: ['one', 'two', 'deleted'] });

function bootOf(twist: Twist) {
  const doors = new WeakMap<ReplicaEnv, AwxConnection>();
  const doorOf = (env: ReplicaEnv): AwxConnection => {
    const made = { send: simulatedAwx(env), notes: new AwxFailures(), cluster: CLUSTER };
    const door = doors.get(env) ?? twist.wrapDoor?.(made) ?? made;
    doors.set(env, door);
    return door;
  };
  return bootProcess({
    controllers: (env) => {
      const right = createExecutionController(() => SETTINGS, doorOf(env));
      return [(twist.wrapController?.(right) ?? right) as Controller, ...createOrphanControllers(() => SETTINGS)];
    },
    calls: (env, client) => {
      const handler = createAwxCalls({ door: doorOf(env), client, settings: () => SETTINGS, clock: env.clock, log: env.log });
      return { [AWX_CALL]: twist.wrapCalls?.(handler) ?? handler };
    },
  });
}

async function prepare(simulation: Simulation, twist: Twist): Promise<void> {
  await install(simulation);
  for (const resource of [WorkflowExecution, RemediationRequest, Job, Lease, Pod]) await simulation.follow(resource);
  const stage = build(simulation, twist);
  for (const invariant of invariantsOf(stage)) simulation.require(invariant);
  simulation.require(legalMoves(simulation));
  for (const part of partsOf(twist)) await addWorkflow(simulation, part, namespace);
  for (const part of partsOf(twist)) play(simulation, part);
}

function build(simulation: Simulation, { stormRate = 0 }: Twist): Stage {
  const fake = new FakeAwx();
  const own = fake.state.addCredential('machine login').id;
  fake.state.addTemplate({ name: TEMPLATE, credentials: [own] });
  const stage = { awx: fake, record: emptyRecord(), own };
  stages.set(simulation, stage);
  const { random, time } = simulation;
  const isOver = (): boolean => time.now() >= after(SIMULATION_START, FAULTS_MS);
  simulation.neighbours.push(awxNeighbour(fake, stormRate > 0 ? { random, rate: stormRate, isOver } : undefined), tokenGiver(simulation));
  runPlaybooks(simulation, fake, stage.record);
  return stage;
}

async function install({ admin }: Simulation): Promise<void> {
  for (const name of [namespace, executionNamespace])
    await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const crd of CRDS) await admin.create(CustomResourceDefinition, crd);
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (name: string, where: string, data: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: where },
    data,
  });
  await admin.create(Secret, secret('awx-token', namespace, { token: base64(AWX_TOKEN) }));
  await admin.create(Secret, secret(SECRET, executionNamespace, { password: base64(SECRET_VALUE) }));
  await admin.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CONFIG_MAP, namespace: executionNamespace },
    data: { 'max.wait': '5m' },
  });
  await admin.create(ServiceAccount, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: ACCOUNT, namespace: executionNamespace },
  });
}

function play(simulation: Simulation, part: Entry): void {
  simulation.later(part.afterMs, 'orchestrator', () => openRequest(simulation, part, namespace));
  const { cancelledAfterMs, deletedAfterMs } = part;
  if (cancelledAfterMs !== undefined)
    simulation.later(part.afterMs + cancelledAfterMs, 'person', () => cancelRequest(simulation, part.name, namespace));
  if (deletedAfterMs !== undefined)
    simulation.later(part.afterMs + deletedAfterMs, 'person', () => deleteExecution(simulation, `we-${part.name}`));
}

async function deleteExecution({ admin }: Simulation, name: string): Promise<void> {
  try {
    await admin.delete(WorkflowExecution, { namespace, name });
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
  }
}

const executionsOf = ({ mirror }: Simulation): readonly WorkflowExecution[] => mirror.all(WorkflowExecution);

/** Locks that keep no block: of executions that are there, and of those that were deleted. */
const locksOf = (simulation: Simulation): readonly Lease[] =>
  simulation.mirror.all(Lease).filter((lock) => lock.metadata.namespace === executionNamespace && !storedBlock(lock));
