import {
  CustomResourceDefinition,
  isCordoned,
  Job,
  Lease,
  Namespace,
  Node,
  nodeFaults,
  type NodeCondition,
} from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import {
  isTerminal,
  Machine,
  MachineHealthCheck,
  PipelineRemediation,
  PipelineRemediationTemplate,
  RemediationRequest,
  remediationPhases,
} from '../../api/index.ts';
import { LABELS } from '../../api/well-known.ts';
import { deepFreeze, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootSickbay, type Gateways } from '../loop/boot.ts';
import { Ledger } from '../loop/ledger.ts';
import { playApprover } from '../loop/approve-undo.ts';
import { playWorkflows } from '../loop/workflows.ts';
import { LOOP_SETTINGS, playCluster, prepareCluster } from '../loop/world.ts';
import type { Scenario } from '../scenario.ts';

const KINDS = [Machine, MachineHealthCheck, PipelineRemediation, PipelineRemediationTemplate] as const;
/** Frozen, so that many simulations can share what a server makes of them. */
const CRDS = KINDS.map((kind) => deepFreeze(crdOf(kind)));
const NAMESPACE = 'machines';
const NODE = 'worker-1';
const key = { namespace: NAMESPACE, name: NODE };
const nodeKey = { namespace: '', name: NODE };

/** What differs from one story to the next. */
interface Story {
  readonly name: string;
  /** What happens, after the Machine has been well for a while. */
  readonly plot: (simulation: Simulation) => void;
  /** How remediations end at best, as `phase outcome`. */
  readonly ends: readonly string[];
  /** Workflows that run, at most. */
  readonly runs: number;
  /** No approver answers a request for approval. */
  readonly isUnattended?: boolean;
}

function pipelineScenario(story: Story): Scenario {
  const gateways: Gateways = new Map();
  const ledgers = new WeakMap<Simulation, Ledger>();
  return {
    name: story.name,
    replicas: ['r1', 'r2'],
    raced: [RemediationRequest.plural],
    boot: bootSickbay(LOOP_SETTINGS, gateways, { checksMachines: 'sickbay' }),
    async prepare(simulation) {
      gateways.clear();
      await prepareCluster(simulation);
      for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
      for (const kind of [...KINDS, Node]) await simulation.follow(kind);
      const ledger = new Ledger(simulation);
      ledgers.set(simulation, ledger);
      for (const invariant of [...ledger.invariants(), legalMoves(simulation), oneAtATime(simulation)]) simulation.require(invariant);
      await playCluster(simulation, playWorkflows(simulation, ledger, 'library'));
      if (story.isUnattended !== true) playApprover(simulation);
      await openMachines(simulation);
      story.plot(simulation);
    },
    settled: (simulation) => isSettled(simulation),
    verdict: (simulation) => verdictOf(simulation, story, ledgers.get(simulation)?.ended.length ?? 0),
    endState: (simulation) => ({ requests: endsOf(simulation), runs: ledgers.get(simulation)?.ended ?? [] }),
    faultsForMs: 4 * MINUTE,
    deadlineMs: 8 * 60 * MINUTE,
  };
}

/** There is one remediation for a Node at a time, whichever source asks for it. */
const oneAtATime = ({ mirror }: Simulation) => ({
  name: 'at most one open request for the Node',
  check: () => {
    const open = mirror.all(RemediationRequest).filter(({ status }) => !isTerminal(remediationPhases, status?.overallPhase));
    return open.length > 1 ? open.map(({ metadata }) => metadata.name).join(', ') : undefined;
  },
});

async function openMachines({ admin, time }: Simulation): Promise<void> {
  await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE, labels: { [LABELS.managed]: 'true' } } });
  await turn({ admin, time }, 'True');
  const machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...key, labels: { role: 'worker' } },
    spec: { clusterName: 'here' },
  };
  await admin.create(Machine, machine);
  await admin.patchStatus(Machine, key, { type: 'merge', body: { status: { nodeRef: { name: NODE } } } });
  const { metadata: _, ...template } = PipelineRemediationTemplate.sample;
  await admin.create(PipelineRemediationTemplate, {
    ...template,
    metadata: { namespace: NAMESPACE, name: 'workers' },
    spec: { template: { spec: {} } },
  });
  await admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { namespace: NAMESPACE, name: 'workers' },
    spec: {
      clusterName: 'here',
      selector: { matchLabels: { role: 'worker' } },
      checks: {
        unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 30 }],
      },
      remediation: {
        templateRef: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: PipelineRemediationTemplate.kind, name: 'workers' },
      },
    },
  });
}

async function turn({ admin, time }: Pick<Simulation, 'admin' | 'time'>, status: NodeCondition['status']): Promise<void> {
  const now = toTime(time.now());
  const ready = { type: 'Ready', status, reason: 'Kubelet', lastTransitionTime: now, lastHeartbeatTime: now };
  await admin.patchStatus(Node, nodeKey, { type: 'merge', body: { status: { conditions: [ready] } } });
}

const fallIll = (simulation: Simulation): void => simulation.later(20 * SECOND, 'node', () => turn(simulation, 'Unknown'));

/** An operator checks the Node repeatedly, and repairs it when it is time. */
function mendOnce(simulation: Simulation, isTime: () => boolean): void {
  const look = async (): Promise<void> => {
    if (isTime()) return turn(simulation, 'True');
    simulation.later(10 * SECOND, 'node', look);
  };
  simulation.later(30 * SECOND, 'node', look);
}

const node = ({ mirror }: Simulation): Node | undefined => mirror.get(Node, nodeKey);

/** Everything that was started is finished, and nothing is orphaned: no request, no cordon, no run, no lock. */
function isSettled(simulation: Simulation): boolean {
  const { mirror } = simulation;
  const found = node(simulation);
  if (!found || nodeFaults(found).length > 0 || mirror.all(PipelineRemediation).length > 0) return false;
  if (mirror.all(RemediationRequest).length === 0) return false;
  if (mirror.all(RemediationRequest).some(({ status }) => !isTerminal(remediationPhases, status?.overallPhase))) return false;
  const isLock = ({ metadata }: Lease): boolean => metadata.labels?.[LABELS.workflowExecutionUid] !== undefined;
  return mirror.all(Job).length === 0 && !mirror.all(Lease).some(isLock);
}

const endsOf = ({ mirror }: Simulation): readonly string[] =>
  mirror
    .all(RemediationRequest)
    .map(({ status }) => [status?.overallPhase, status?.outcome].filter(Boolean).join(' '))
    .toSorted();

const wasClockSet = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');

function verdictOf(simulation: Simulation, { ends, runs }: Story, ran: number): readonly string[] {
  const found = node(simulation);
  const always = ran > runs ? [`workflows ran ${ran} times instead of ${runs}`] : [];
  if (wasClockSet(simulation)) return always;
  const all = endsOf(simulation);
  return [
    ...always,
    ...(found && isCordoned(found) ? ['the Node is left cordoned'] : []),
    ...(JSON.stringify(all) === JSON.stringify(ends.toSorted())
      ? []
      : [`remediations ended ${all.join(', ')} instead of ${ends.join(', ')}`]),
  ];
}

/** The Node of a Machine becomes unhealthy, is drained after an approval, recovers, and is opened again after another approval. */
export const pipeline = pipelineScenario({
  name: 'pipeline',
  plot: (simulation) => {
    fallIll(simulation);
    mendOnce(simulation, () => {
      const found = node(simulation);
      return found !== undefined && isCordoned(found);
    });
  },
  // No alert speaks of a Machine: the health of its Node decides.
  ends: ['Completed Remediated', 'Completed Remediated'],
  runs: 2,
});

const isWaiting = ({ mirror }: Simulation): boolean =>
  mirror.all(RemediationRequest).some(({ status }) => status?.overallPhase === 'AwaitingApproval');

/** It recovers by itself while approval is waited for: what was opened for it is cancelled. */
export const pipelineRecovers = pipelineScenario({
  name: 'pipeline-recovers',
  isUnattended: true,
  plot: (simulation) => {
    fallIll(simulation);
    mendOnce(simulation, () => isWaiting(simulation));
  },
  ends: ['Cancelled'],
  runs: 0,
});
