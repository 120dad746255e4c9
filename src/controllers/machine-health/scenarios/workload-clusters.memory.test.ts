import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cluster, CustomResourceDefinition, Node, Secret } from '../../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { MINUTE, SECOND, seededRandom, silent, toTime } from '../../../base/index.ts';
import { createCache } from '../../../kube/cache/create-cache.ts';
import { FarCluster, Network, putKubeconfig } from '../../../workload-clusters/testing/clusters.ts';
import type { WorkloadClusters } from '../../../workload-clusters/index.ts';
import { Stage } from '../../testing/stage.ts';
import { createMachineHealthControllers, createWorkloadNodes } from '../index.ts';
import { clusterDefinition } from '../testing/cluster-definition.ts';

const NAMESPACE = 'shop';
const key = (name: string) => ({ namespace: NAMESPACE, name });
const serverOf = (cluster: string): string => `https://${cluster}.example.com:6443`;

let stage: Stage;
let far: Record<'prod' | 'stage', FarCluster>;
let network: Network;
let nodes: WorkloadClusters;
let evaluations: number;
let stopFollowing: AbortController;
let following: Promise<void>;

beforeEach(async () => {
  evaluations = 0;
  stage = await Stage.start({ kinds: [Machine, MachineHealthCheck], controllers: [] });
  await stage.admin.create(CustomResourceDefinition, clusterDefinition);
  network = new Network();
  far = { prod: new FarCluster(stage.clock, 2), stage: new FarCluster(stage.clock, 3) };
  for (const [name, cluster] of Object.entries(far)) {
    network.add(serverOf(name), cluster);
    await putKubeconfig(stage.admin, key(name), { server: serverOf(name) });
    await putCluster(name);
  }
  // As in a process, it is the controllers' own cache that tells which clusters are wanted; the stage has one to itself.
  const cache = createCache({ client: stage.admin, clock: stage.clock, random: seededRandom(5) });
  nodes = createWorkloadNodes({ cache, clock: stage.clock, random: seededRandom(6), log: silent, open: network.connect });
  stopFollowing = new AbortController();
  following = cache.run(stopFollowing.signal);
  const settings = () => ({ allowRemediateAnnotation: false });
  await stage.restart(createMachineHealthControllers(settings, { evaluated: () => evaluations++, nodes }));
});
afterEach(async () => {
  expect(stage.troubles).toEqual([]);
  await stage.end();
  stopFollowing.abort();
  await Promise.all([following, nodes.ended()]);
  expect(network.open).toBe(0);
  for (const cluster of Object.values(far)) cluster.close();
});

async function putCluster(name: string): Promise<void> {
  await stage.admin.create(Cluster, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: key(name), spec: {} });
  const lastTransitionTime = toTime(stage.clock.now());
  const conditions = ['ControlPlaneInitialized', 'InfrastructureReady'].map((type) => ({
    type,
    status: 'True' as const,
    reason: 'Up',
    message: '',
    lastTransitionTime,
  }));
  await stage.admin.patchStatus(Cluster, key(name), { type: 'merge', body: { status: { conditions } } });
}

/** A Machine of a cluster, on a Node that need not exist. */
async function machine(name: string, clusterName: string, node?: string): Promise<void> {
  await stage.admin.create(Machine, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { ...key(name), labels: { role: 'worker', cluster: clusterName } },
    spec: { clusterName },
  });
  if (node !== undefined)
    await stage.admin.patchStatus(Machine, key(name), { type: 'merge', body: { status: { nodeRef: { name: node } } } });
}

const check = (clusterName: string, spec: object = {}) =>
  stage.admin.create(MachineHealthCheck, {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: key(clusterName),
    spec: {
      clusterName,
      selector: { matchLabels: { role: 'worker' } },
      checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }], nodeStartupTimeoutSeconds: 600 },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } },
      ...spec,
    } as MachineHealthCheck['spec'],
  });

interface Stated {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[] };
}
const said = ({ status }: Stated, type: string) => status?.conditions?.find((condition) => condition.type === type);
const healthOf = async (name: string): Promise<string | undefined> => {
  const found = said((await stage.admin.get(Machine, key(name))) as Stated, 'HealthCheckSucceeded');
  return found && `${found.status} ${found.reason ?? ''}`;
};
const reachabilityOf = async (name: string) => said((await stage.admin.get(MachineHealthCheck, key(name))) as Stated, 'NodesReachable');

/** One Machine in each cluster, both on a Node of the same name, each with a check. */
async function twins(): Promise<void> {
  for (const name of ['prod', 'stage'] as const) {
    await far[name].addNode('worker-0');
    await machine(`${name}-0`, name, 'worker-0');
    await check(name);
  }
  await stage.advance(2 * SECOND);
  expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(Array(2).fill('True HealthCheckSucceeded'));
}

test('a check belongs to the Cluster that it names by label and owner reference, as with Cluster API (ruling 125)', async () => {
  await twins();
  const { metadata: cluster } = await stage.admin.get(Cluster, key('prod'));
  const { metadata } = await stage.admin.get(MachineHealthCheck, key('prod'));
  expect(metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'prod' });
  expect(metadata.ownerReferences).toEqual([{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'prod', uid: cluster.uid }]);
  await stage.advance(5 * MINUTE);
  expect((await stage.admin.get(MachineHealthCheck, key('prod'))).metadata.resourceVersion).toBe(metadata.resourceVersion);
});

describe('Machines of other clusters', () => {
  test('[MH-135] [MH-134] two clusters with a Node of the same name: the event of each reaches its own Machine, and no other', async () => {
    await twins();
    evaluations = 0;
    await far.stage.turnReady('worker-0', 'Unknown');
    await stage.advance(MINUTE);
    expect(evaluations).toBe(1);
    await far.prod.turnReady('worker-0', 'Unknown');
    await stage.advance(2 * SECOND);
    expect(evaluations).toBe(2);
    await stage.advance(4 * MINUTE);
    expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(['True HealthCheckSucceeded', 'False UnhealthyNode']);
    await far.stage.turnReady('worker-0', 'True');
    await stage.advance(5 * MINUTE);
    expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(['False UnhealthyNode', 'True HealthCheckSucceeded']);
  });

  test('a Node of ours that has the name of theirs says nothing about them', async () => {
    await twins();
    evaluations = 0;
    await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-0' } });
    const ready = { type: 'Ready', status: 'Unknown', lastTransitionTime: toTime(stage.clock.now()) };
    await stage.admin.patchStatus(Node, { namespace: '', name: 'worker-0' }, { type: 'merge', body: { status: { conditions: [ready] } } });
    await stage.advance(6 * MINUTE);
    expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(Array(2).fill('True HealthCheckSucceeded'));
    expect(evaluations).toBe(0);
  });

  test('a heartbeat costs nothing', async () => {
    await twins();
    evaluations = 0;
    const { status } = await far.prod.admin.get(Node, { namespace: '', name: 'worker-0' });
    const conditions = status!.conditions!.map((condition) => ({ ...condition, lastHeartbeatTime: toTime(stage.clock.now()) }));
    await far.prod.admin.patchStatus(Node, { namespace: '', name: 'worker-0' }, { type: 'merge', body: { status: { conditions } } });
    await stage.advance(5 * SECOND);
    expect(evaluations).toBe(0);
  });

  test('[MH-003] an unhealthy Node to which no Machine refers changes nothing', async () => {
    await twins();
    const before = await stage.admin.get(MachineHealthCheck, key('prod'));
    evaluations = 0;
    await far.prod.addNode('stray', 'Unknown');
    await stage.admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'stray' } });
    await stage.advance(60 * MINUTE);
    expect((await stage.admin.get(MachineHealthCheck, key('prod'))).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(evaluations).toBe(0);
  });

  test('[MH-137] one without a Node is judged like the others: it is late, and that is no error', async () => {
    await machine('prod-0', 'prod');
    await check('prod');
    await stage.advance(9 * MINUTE);
    expect(await healthOf('prod-0')).toBeUndefined();
    await stage.advance(2 * MINUTE);
    expect(await healthOf('prod-0')).toBe('False NodeStartupTimeout');
    expect(stage.troubles).toEqual([]);
  });

  test('[MH-132] a check that is created or changed has its Machines judged again', async () => {
    await far.prod.addNode('worker-0', 'Unknown');
    await machine('prod-0', 'prod', 'worker-0');
    await stage.advance(2 * MINUTE);
    expect([await healthOf('prod-0'), far.prod.requests]).toEqual([undefined, 0]);
    await check('prod');
    await stage.advance(2 * SECOND);
    await stage.advance(MINUTE);
    expect(await healthOf('prod-0')).toBeUndefined();
    const unhealthyNodeConditions = [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 60 }];
    await stage.admin.patch(MachineHealthCheck, key('prod'), { type: 'merge', body: { spec: { checks: { unhealthyNodeConditions } } } });
    await stage.advance(2 * SECOND);
    expect(await healthOf('prod-0')).toBe('False UnhealthyNode');
  });

  test('a Node that is gone there fails its Machine; that it may only not have been shown yet is asked there', async () => {
    await twins();
    await far.prod.admin.delete(Node, { namespace: '', name: 'worker-0' });
    await stage.advance(2 * SECOND);
    expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(['False NodeDeleted', 'True HealthCheckSucceeded']);
  });
});

describe('a cluster that cannot be reached', () => {
  test('no Machine there is judged, the check reports where and why, the other cluster continues, and all of it recovers', async () => {
    await twins();
    expect(await reachabilityOf('prod')).toMatchObject({ status: 'True' });
    await far.prod.turnReady('worker-0', 'Unknown');
    await stage.settle();
    far.prod.stop();
    await far.prod.admin.delete(Node, { namespace: '', name: 'worker-0' });
    await far.stage.turnReady('worker-0', 'Unknown');
    await stage.advance(10 * MINUTE);
    expect([await healthOf('prod-0'), await healthOf('stage-0')]).toEqual(['True HealthCheckSucceeded', 'False UnhealthyNode']);
    expect(await reachabilityOf('stage')).toMatchObject({ status: 'True' });
    expect(await reachabilityOf('prod')).toMatchObject({
      status: 'False',
      reason: 'NodesUnreachable',
      message: `1 of its Machines cannot be evaluated: the Nodes of the cluster prod cannot be read: ${serverOf('prod')} (Secret shop/prod-kubeconfig): connect ECONNREFUSED. They are not marked, and no remediation is requested for them until that changes`,
    });
    far.prod.isUp = true;
    await stage.advance(MINUTE);
    expect(await healthOf('prod-0')).toBe('False NodeDeleted');
    expect(await reachabilityOf('prod')).toMatchObject({ status: 'True' });
  });

  test('a Secret that is missing is named, and what comes to be there is used', async () => {
    await stage.admin.delete(Secret, key('prod-kubeconfig'));
    await far.prod.addNode('worker-0');
    await machine('prod-0', 'prod', 'worker-0');
    await check('prod');
    await stage.advance(MINUTE);
    expect(await reachabilityOf('prod')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('Secret shop/prod-kubeconfig does not exist') as string,
    });
    expect(await healthOf('prod-0')).toBeUndefined();
    await putKubeconfig(stage.admin, key('prod'), { server: serverOf('prod') });
    await stage.advance(MINUTE);
    expect(await healthOf('prod-0')).toBe('True HealthCheckSucceeded');
  });
});

describe('a Cluster that goes while its Nodes run', () => {
  /** A Machine whose Node runs there, and whose check requests remediation without a limit. */
  async function running(): Promise<void> {
    await far.prod.addNode('worker-0');
    await machine('prod-0', 'prod', 'worker-0');
    await check('prod');
    await stage.advance(2 * SECOND);
    expect(await healthOf('prod-0')).toBe('True HealthCheckSucceeded');
  }
  const conditionsOf = async (name: string) =>
    ((await stage.admin.get(Machine, key(name))) as Stated).status?.conditions?.map(({ type, status }) => `${type} ${status}`);

  /** Deletes the Cluster, and leaves the check. */
  const deleteAlone = () => stage.admin.delete(Cluster, key('prod'), { propagationPolicy: 'Orphan' });

  test('takes its check along, and leaves the conditions of its Machines as they are (ruling 125)', async () => {
    await running();
    await stage.admin.delete(Cluster, key('prod'));
    await stage.advance(MINUTE);
    expect((await stage.admin.list(MachineHealthCheck, { namespace: NAMESPACE })).items).toEqual([]);
    expect(await conditionsOf('prod-0')).toEqual(['HealthCheckSucceeded True']);
  });

  test('its Machines are unknown: nothing is marked, nothing is requested, and the check reports it (ruling 123)', async () => {
    await running();
    await deleteAlone();
    await stage.advance(MINUTE);
    expect(await conditionsOf('prod-0')).toEqual(['HealthCheckSucceeded True']);
    expect(await reachabilityOf('prod')).toMatchObject({
      status: 'False',
      reason: 'ClusterNotFound',
      message: expect.stringContaining('1 of its Machines cannot be evaluated: Cluster prod does not exist.') as string,
    });
    expect(((await stage.admin.get(MachineHealthCheck, key('prod'))).status as { remediations?: unknown }).remediations).toBeUndefined();
  });

  test('likewise while it is being deleted, and its Nodes go with it (ruling 123)', async () => {
    await stage.admin.patch(Cluster, key('prod'), { type: 'merge', body: { metadata: { finalizers: ['example.com/infrastructure'] } } });
    await running();
    await stage.admin.delete(Cluster, key('prod'));
    await far.prod.admin.delete(Node, { namespace: '', name: 'worker-0' });
    await stage.advance(MINUTE);
    expect(await conditionsOf('prod-0')).toEqual(['HealthCheckSucceeded True']);
    expect(await reachabilityOf('prod')).toMatchObject({ status: 'False', reason: 'ClusterDeleting' });
  });

  test('and that comes back is evaluated again', async () => {
    await running();
    await deleteAlone();
    await far.prod.turnReady('worker-0', 'Unknown');
    await stage.advance(10 * MINUTE);
    expect(await healthOf('prod-0')).toBe('True HealthCheckSucceeded');
    await putCluster('prod');
    await stage.advance(MINUTE);
    expect(await healthOf('prod-0')).toBe('False UnhealthyNode');
    expect(await reachabilityOf('prod')).toMatchObject({ status: 'True' });
  });
});

test('a process that takes over, and has listed no Node yet, finds no storm', async () => {
  await twins();
  const spec = {
    selector: { matchLabels: { cluster: 'prod' } },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 0 } },
    safeguards: { stormCooldown: '15m' },
  };
  await stage.admin.patch(MachineHealthCheck, key('prod'), { type: 'merge', body: { spec } });
  await stage.advance(10 * SECOND);
  const gate = async () => said((await stage.admin.get(MachineHealthCheck, key('prod'))) as Stated, 'RemediationAllowed');
  expect(await gate()).toMatchObject({ status: 'True' });
  await stage.restart(createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { nodes }));
  await stage.advance(10 * SECOND);
  expect(await gate()).toMatchObject({ status: 'True', reason: 'RemediationAllowed' });
});

describe('the connection to a cluster is closed', () => {
  test('with its last check', async () => {
    await twins();
    expect(nodes.size).toBe(2);
    await stage.admin.delete(MachineHealthCheck, key('prod'));
    await stage.advance(2 * MINUTE);
    expect([nodes.size, network.open]).toEqual([1, 1]);
  });

  test('with its Cluster', async () => {
    await twins();
    await stage.admin.delete(Cluster, key('prod'));
    await stage.advance(2 * MINUTE);
    expect([nodes.size, network.open]).toEqual([1, 1]);
  });
});
