import { Node, type NodeCondition } from '../../../src/api/builtin/index.ts';
import { MachineHealthCheck } from '../../../src/api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../src/api/machine/machine.ts';
import { after, HOUR, MINUTE, systemClock, toTime } from '../../../src/base/index.ts';
import type { KubeClient } from '../../../src/kube/client/client.ts';
import { inFlight } from '../in-flight.ts';
import { CONNECTIONS } from '../orchestrator/part.ts';

export const NAMESPACE = 'fleet';
export const CHECK = { namespace: NAMESPACE, name: 'workers' };

const LABELS = { 'cluster.x-k8s.io/cluster-name': 'prod-eu-1', 'cluster.x-k8s.io/deployment-name': 'workers', pool: 'workers' };
const BEGUN = toTime(after(systemClock.now(), -HOUR));

/** What a Machine of Cluster API says of itself before any check does. */
const CONDITIONS = [
  'Available',
  'BootstrapConfigReady',
  'Deleting',
  'InfrastructureReady',
  'NodeHealthy',
  'NodeReady',
  'Paused',
  'Ready',
  'UpToDate',
];
const OLD_CONDITIONS = ['BootstrapReady', 'InfrastructureReady', 'NodeHealthy', 'Ready'];

export const namesOf = (size: number): readonly string[] =>
  Array.from({ length: size }, (_, i) => `prod-eu-1-workers-${String(i).padStart(5, '0')}`);

/** Machines that run, each with a Node that is well. */
export async function openFleet(client: KubeClient, names: readonly string[]): Promise<void> {
  await inFlight(names, CONNECTIONS, async (name) => {
    await client.create(Node, nodeDraft(name));
    await client.create(Machine, machineDraft(name));
    await client.patchStatus(Machine, { namespace: NAMESPACE, name }, { type: 'merge', body: { status: machineStatus(name) } });
  });
}

/** Five minutes without a word of its Node and a Machine is unhealthy; at most four in ten at once. */
export const openCheck = (client: KubeClient): Promise<unknown> =>
  client.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: CHECK,
    spec: {
      clusterName: 'prod-eu-1',
      selector: { matchLabels: { pool: 'workers' } },
      checks: {
        nodeStartupTimeoutSeconds: 600,
        unhealthyNodeConditions: [
          { type: 'Ready', status: 'Unknown', timeoutSeconds: TIMEOUT_MS / 1_000 },
          { type: 'Ready', status: 'False', timeoutSeconds: TIMEOUT_MS / 1_000 },
        ],
      },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '40%' } },
    },
  });

const TIMEOUT_MS = 5 * MINUTE;

/** A Node says one of these. */
export const STATES = {
  /** Nothing but that it is still there. */
  beat: () => conditionsOf({}),
  /** Something that no check asks for. */
  aside: (turn: number) => conditionsOf({ DiskPressure: { reason: `Looked${turn}` } }),
  /** Silent since just now. */
  silent: () => conditionsOf({ Ready: { status: 'Unknown', reason: 'NodeStatusUnknown', lastTransitionTime: toTime(systemClock.now()) } }),
  /** Silent for longer than a Machine's Node may be. */
  lost: () =>
    conditionsOf({
      Ready: { status: 'Unknown', reason: 'NodeStatusUnknown', lastTransitionTime: toTime(after(systemClock.now(), -2 * TIMEOUT_MS)) },
    }),
  well: () => conditionsOf({}),
} satisfies Readonly<Record<string, (turn: number) => readonly NodeCondition[]>>;

export const say = (client: KubeClient, name: string, conditions: readonly NodeCondition[]): Promise<unknown> =>
  client.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions } } });

function conditionsOf(other: Readonly<Record<string, Partial<NodeCondition>>>): readonly NodeCondition[] {
  const lastHeartbeatTime = toTime(systemClock.now());
  return ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable', 'Ready'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    reason: type === 'Ready' ? 'KubeletReady' : `KubeletHasNo${type}`,
    message: `kubelet has reported on ${type}`,
    lastHeartbeatTime,
    lastTransitionTime: BEGUN,
    ...other[type],
  }));
}

const nodeDraft = (name: string) => ({
  apiVersion: 'v1' as const,
  kind: 'Node' as const,
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': 'rack-4' } },
  spec: { providerID: `metal://rack-4/${name}` },
  status: {
    conditions: conditionsOf({}),
    capacity: { cpu: '64', memory: '263855104Ki', pods: '110' },
    allocatable: { cpu: '63', memory: '261855104Ki', pods: '110' },
  },
});

const machineDraft = (name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2' as const,
  kind: 'Machine' as const,
  metadata: { namespace: NAMESPACE, name, labels: LABELS },
  spec: {
    clusterName: 'prod-eu-1',
    providerID: `metal://rack-4/${name}`,
    version: 'v1.36.3',
    failureDomain: 'rack-4',
    bootstrap: { dataSecretName: `${name}-bootstrap` },
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3Machine', name },
  },
});

const machineStatus = (name: string) => ({
  nodeRef: { name },
  phase: 'Running',
  addresses: [
    { type: 'InternalIP', address: '10.0.0.7' },
    { type: 'Hostname', address: name },
  ],
  lastUpdated: BEGUN,
  initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
  observedGeneration: 1,
  conditions: CONDITIONS.map((type) => ({
    type,
    status: type === 'Deleting' || type === 'Paused' ? 'False' : 'True',
    reason: `Is${type}`,
    message: '',
    observedGeneration: 1,
    lastTransitionTime: BEGUN,
  })),
  deprecated: { v1beta1: { conditions: OLD_CONDITIONS.map((type) => ({ type, status: 'True', lastTransitionTime: BEGUN })) } },
});
