import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cluster, ConfigMap, CustomResourceDefinition, Node } from '../../api/builtin/index.ts';
import { Machine } from '../../api/machine/machine.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { keyOf } from '../../api/meta.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { MINUTE } from '../../base/index.ts';
import { clusterDefinition } from '../machine-health/testing/cluster-definition.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { NAMESPACE, OwnerStage } from './testing/owner-stage.ts';

let owner: OwnerStage;

beforeEach(async () => {
  owner = await OwnerStage.start();
});
afterEach(async () => {
  expect([...owner.troubles, ...owner.stage.troubles]).toEqual([]);
  await owner.end();
});

/** The Nodes that Machines have, by name. */
const taken = async (): Promise<readonly string[]> => (await owner.machines()).map(({ status }) => status?.nodeRef?.name ?? '').toSorted();
const stated = async (name: string, type: string): Promise<string | undefined> => {
  const { status } = await owner.admin.get(Machine, { namespace: NAMESPACE, name });
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found && `${found.status} ${found.reason ?? ''}`;
};
/** Another client writes into a Machine's status which Node it has. */
const nameNode = async (machine: string, name: string): Promise<void> => {
  const key = { namespace: NAMESPACE, name: machine };
  await owner.admin.patchStatus(Machine, key, { type: 'merge', body: { status: { nodeRef: { name } } } });
  await owner.stage.settle();
};
/** The annotation that pauses the check, or null to take it off. */
/** The name of a Machine that fails and has to wait: the budget is paused. */
async function failingWithoutBudget(): Promise<string> {
  await owner.pool('node-1', 'node-2');
  owner.settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'freeze' } };
  await owner.group(1);
  const { name } = (await owner.machineOn('node-1')).metadata;
  await owner.turnReady('node-1', 'Unknown');
  await owner.untilMarked();
  return name;
}

const changeCheck = (body: object) =>
  owner.admin.patch(MachineHealthCheck, { namespace: NAMESPACE, name: 'workers' }, { type: 'merge', body });
const pause = (value: '' | null) => changeCheck({ metadata: { annotations: { [ANNOTATIONS.paused]: value } } });
/** Writes from here on. */
const since = (count: number): readonly string[] => owner.written.slice(count);

describe('a set', () => {
  test('[MH-005] is kept at its size, each Machine with a Node of its own, and all of it counted by one check', async () => {
    await owner.pool('node-1', 'node-2', 'node-3', 'node-4');
    await owner.group(3);
    expect(await taken()).toEqual(['node-1', 'node-2', 'node-3']);
    expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 3, currentHealthy: 3 });
  });

  test('waits when the pool has too few Nodes, and continues when a Node registers', async () => {
    await owner.pool('node-1');
    await owner.group(2);
    expect(await stated('workers-2', 'InfrastructureReady')).toBe('False NoFreeNode');
    await owner.pool('node-2');
    await owner.pass(2);
    expect(await stated('workers-2', 'InfrastructureReady')).toBe('True Provisioned');
  });

  test('takes no Node that is unhealthy, cordoned, of another pool, or of the control plane', async () => {
    await owner.node('unhealthy', { ready: 'False' });
    await owner.node('other', { pool: 'storage' });
    await owner.node('master', { labels: { 'node-role.kubernetes.io/control-plane': '' } });
    await owner.node('cordoned');
    await owner.admin.patch(Node, { namespace: '', name: 'cordoned' }, { type: 'merge', body: { spec: { unschedulable: true } } });
    await owner.group(1);
    expect((await owner.machines()).map(({ status }) => status?.nodeRef)).toEqual([undefined]);
  });

  test('takes a Node again that was deleted and that registered again', async () => {
    await owner.pool('node-1');
    await owner.set(1);
    await owner.pass(3);
    await owner.admin.delete(Node, { namespace: '', name: 'node-1' });
    await owner.pass(2);
    await owner.pool('node-1');
    await owner.pass(2);
    const { metadata } = await owner.admin.get(Node, { namespace: '', name: 'node-1' });
    const { uid, name } = (await owner.machineOn('node-1')).metadata;
    expect(metadata.annotations).toEqual({ [ANNOTATIONS.nodeClaim]: `${NAMESPACE}/${name}/${uid}` });
    expect((await owner.machineOn('node-1')).status?.nodeRef?.uid).toBe(metadata.uid);
  });

  test('takes a Node that was taken for a Machine which has another', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const { uid, name } = (await owner.machineOn('node-1')).metadata;
    const body = { metadata: { annotations: { [ANNOTATIONS.nodeClaim]: `${NAMESPACE}/${name}/${uid}` } } };
    await owner.admin.patch(Node, { namespace: '', name: 'node-2' }, { type: 'merge', body });
    await owner.admin.patch(MachineSet, { namespace: NAMESPACE, name: 'workers' }, { type: 'merge', body: { spec: { replicas: 2 } } });
    await owner.pass(2);
    expect(await taken()).toEqual(['node-1', 'node-2']);
  });

  test('takes over a Node whose Machine is gone, but not one whose Machine is there', async () => {
    await owner.pool('node-1', 'node-2');
    const claim = (claimed: string) => ({ metadata: { annotations: { [ANNOTATIONS.nodeClaim]: claimed } } });
    await owner.admin.patch(Node, { namespace: '', name: 'node-2' }, { type: 'merge', body: claim('shop/long-gone/uid-0') });
    await owner.group(2);
    expect(await taken()).toEqual(['node-1', 'node-2']);
  });

  test('that may have no Machine asks ever more seldom, writes nothing, and uses up no numbers', async () => {
    const refusal = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', code: 403 };
    const asked = { creates: 0, statuses: 0 };
    owner.intercept = ({ method, path }) => {
      if (path.endsWith('/machinesets/workers/status')) asked.statuses++;
      if (method !== 'POST' || !path.endsWith('/machines')) return undefined;
      asked.creates++;
      return { code: 403, body: refusal };
    };
    await owner.pool('node-1');
    await owner.set(1);
    await owner.pass(5 * 60);
    expect(asked.statuses).toBe(1);
    expect(asked.creates).toBeLessThan(20);
    expect(owner.troubles.length).toBe(asked.creates);
    owner.troubles.length = 0;
    owner.intercept = () => undefined;
    await owner.pass(10 * 60);
    expect(await owner.names()).toEqual(['workers-1']);
    expect((await owner.admin.get(MachineSet, { namespace: NAMESPACE, name: 'workers' })).status).toMatchObject({ created: 1 });
  });

  test('deletes nothing when there are more than it wants', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(2);
    await owner.admin.patch(MachineSet, { namespace: NAMESPACE, name: 'workers' }, { type: 'merge', body: { spec: { replicas: 1 } } });
    await owner.pass(3);
    expect(await owner.names()).toHaveLength(2);
  });
});

describe('a Machine that fails', () => {
  test('[MH-004] [MH-033] [MH-037] [MH-142] is replaced by another with another Node, and the group is whole again without a person', async () => {
    await owner.pool('node-1', 'node-2', 'node-3', 'node-4');
    await owner.group(3);
    const before = await owner.machineOn('node-1');
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(10);
    const after = await owner.machines();
    expect(after.map(({ metadata }) => metadata.name)).not.toContain(before.metadata.name);
    expect(after.map(({ metadata }) => metadata.uid)).not.toContain(before.metadata.uid);
    expect(await taken()).toEqual(['node-2', 'node-3', 'node-4']);
    expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 3, currentHealthy: 3 });
    expect(await owner.nodes()).not.toContain('node-1');
    expect(owner.told).toContain('ReplacingMachine');
  });

  test('[MH-143] [MH-144] [MH-147] goes in this order, each step after the one before', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const { name } = (await owner.machineOn('node-1')).metadata;
    await owner.pod('web-1', 'node-1');
    await owner.turnReady('node-1', 'Unknown');
    const count = owner.written.length;
    await owner.untilMarked();
    await owner.pass(60);
    const story = [
      'PATCH configmaps/sickbay-budget',
      `PATCH machines/${name}/status`,
      `DELETE machines/${name}`,
      'PATCH nodes/node-1',
      'POST pods/web-1/eviction',
      'DELETE nodes/node-1',
      `PATCH machines/${name}`,
    ];
    expect(since(count).filter((write) => story.includes(write))).toEqual(expect.arrayContaining(story));
    const places = story.map((step) => since(count).indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(owner.checked.filter((write) => write.startsWith('DELETE'))).toEqual([]);
  });

  test('[MH-143] is not deleted while what comes before cannot be done', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const { name } = (await owner.machineOn('node-1')).metadata;
    const conflict = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 };
    const isMark = (path: string, body: unknown): boolean =>
      path.endsWith(`/machines/${name}/status`) && JSON.stringify(body).includes('MachineDeleting');
    owner.intercept = ({ path, body }) => (isMark(path, body) ? { code: 409, body: conflict } : undefined);
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(60);
    expect(owner.written).not.toContain(`DELETE machines/${name}`);
    owner.intercept = () => undefined;
    await owner.pass(60);
    expect(owner.written).toContain(`DELETE machines/${name}`);
  });

  test('[MH-079] its owner reports it before it deletes: False for MachineDeleting in the new style, True in the old', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const machine = await owner.machineOn('node-1');
    await owner.admin.patch(Machine, keyOf(machine), {
      type: 'merge',
      body: { metadata: { annotations: { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup': '' } } },
    });
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(10);
    const { status, metadata } = await owner.admin.get(Machine, keyOf(machine));
    expect(metadata.deletionTimestamp).toBeDefined();
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'OwnerRemediated', status: 'False', reason: 'MachineDeleting', message: 'Machine is deleting' }),
    );
    expect(status?.deprecated?.v1beta1?.conditions).toContainEqual(expect.objectContaining({ type: 'OwnerRemediated', status: 'True' }));
  });

  test('[MH-074] its owner writes nothing about its health', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(10);
    expect(owner.verdicts.length).toBeGreaterThan(3);
    for (const { before, after } of owner.verdicts) expect(after).toEqual(before);
  });

  test('keeps running, and loses its condition, when it recovers before its turn comes', async () => {
    const name = await failingWithoutBudget();
    expect(await stated(name, 'OwnerRemediated')).toBe('False RemediationDeferred');
    await owner.turnReady('node-1', 'True');
    await owner.pass(3);
    const { status } = await owner.admin.get(Machine, { namespace: NAMESPACE, name });
    expect(JSON.stringify(status)).not.toContain('OwnerRemediated');
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(60);
    expect(await owner.names()).toEqual([name]);
  });

  test('is not replaced while its check is paused: no check would report that it recovered', async () => {
    const name = await failingWithoutBudget();
    await pause('');
    await owner.turnReady('node-1', 'True');
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(120);
    const { status } = await owner.admin.get(Machine, { namespace: NAMESPACE, name });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({
        reason: 'RemediationDeferred',
        message: expect.stringContaining('MachineHealthCheck workers is paused') as string,
      }),
    );
    await pause(null);
    await owner.pass(120);
    expect([await owner.names(), await stated(name, 'HealthCheckSucceeded')]).toEqual([[name], 'True HealthCheckSucceeded']);
  });

  test('is not replaced while its check cannot be carried out: no check would report that it recovered', async () => {
    const name = await failingWithoutBudget();
    const remediationTemplate = {
      apiVersion: 'remediation.sickbay.dev/v1alpha1',
      kind: 'PowerCycleRemediationTemplate',
      name: 'cycle',
      namespace: 'elsewhere',
    };
    await changeCheck({ spec: { remediationTemplate } });
    await owner.turnReady('node-1', 'True');
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(120);
    expect(await owner.names()).toEqual([name]);
    const { status } = await owner.admin.get(Machine, { namespace: NAMESPACE, name });
    const message = expect.stringContaining('MachineHealthCheck workers has an invalid spec') as string;
    expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'RemediationDeferred', message }));
  });

  test('and still does after a pause is replaced then', async () => {
    const name = await failingWithoutBudget();
    await pause('');
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(120);
    expect(await owner.names()).toEqual([name]);
    await pause(null);
    await owner.pass(120);
    expect(await owner.names()).not.toContain(name);
  });
});

describe('a Node outside the pool is never touched', () => {
  const outside = async (name: string): Promise<void> => {
    await owner.node(name);
    await unlabel(name);
  };
  const unlabel = async (name: string): Promise<void> => {
    const labels = { [LABELS.machinePool]: null };
    await owner.admin.patch(Node, { namespace: '', name }, { type: 'merge', body: { metadata: { labels } } });
    await owner.stage.settle();
  };
  const machine = async (pool: string): Promise<void> => {
    await owner.admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { namespace: NAMESPACE, name: 'lone', labels: { [LABELS.machinePool]: pool } },
      spec: {},
    });
    await owner.pass(3);
  };
  const goes = async (name: string): Promise<void> => {
    await owner.admin.delete(Machine, { namespace: NAMESPACE, name });
    await owner.pass(60);
    expect(await owner.names()).not.toContain(name);
  };
  const toNodes = (): readonly string[] => owner.written.filter((write) => write.includes('nodes/'));

  test('by a Machine of a namespace that its pool does not name (ruling 122)', async () => {
    await owner.node('node-1', { labels: { [LABELS.machinePoolNamespace]: 'others' } });
    await machine('workers');
    expect((await owner.admin.get(Machine, { namespace: NAMESPACE, name: 'lone' })).status?.conditions).toMatchObject([
      { type: 'InfrastructureReady', status: 'False', reason: 'NoFreeNode' },
    ]);
    await goes('lone');
    expect([toNodes(), await owner.nodes()]).toEqual([[], ['node-1']]);
  });

  test('by a Machine whose pool has no name', async () => {
    await outside('node-1');
    await machine('');
    await goes('lone');
    expect([toNodes(), await owner.nodes()]).toEqual([[], ['node-1']]);
  });

  test('by a Machine whose status names it', async () => {
    await outside('node-1');
    await machine('workers');
    await nameNode('lone', 'node-1');
    await owner.pass(3);
    expect(await stated('lone', 'InfrastructureReady')).toBe('False NodeOutsidePool');
    await goes('lone');
    expect([toNodes(), await owner.nodes()]).toEqual([[], ['node-1']]);
  });

  test('once the label is taken off it, though a Machine has it', async () => {
    await owner.node('node-1');
    await machine('workers');
    expect(await taken()).toEqual(['node-1']);
    await unlabel('node-1');
    const count = toNodes().length;
    await goes('lone');
    expect([toNodes().length - count, await owner.nodes()]).toEqual([0, ['node-1']]);
    expect(owner.told).toContain('NodeLeft');
  });

  test('nor one in the pool by a Machine of another cluster', async () => {
    await owner.admin.create(CustomResourceDefinition, clusterDefinition);
    await owner.admin.create(Cluster, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { namespace: NAMESPACE, name: 'local' },
    });
    await owner.restart();
    await owner.node('node-1');
    await owner.set(1);
    await owner.pass(3);
    expect([await taken(), toNodes()]).toEqual([[''], []]);
    await owner.admin.patch(MachineSet, { namespace: NAMESPACE, name: 'workers' }, { type: 'merge', body: { spec: { replicas: 0 } } });
    await goes('workers-1');
    expect([toNodes(), await owner.nodes()]).toEqual([[], ['node-1']]);
  });
});

describe('is marked and left alone', () => {
  test('[MH-153] a Machine of the control plane', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.set(1, { labels: { [LABELS.controlPlane]: '' } });
    await owner.check();
    await owner.pass(3);
    const name = 'workers-1';
    expect(await taken()).toEqual(['']);
    await nameNode(name, 'node-1');
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(60);
    expect(await stated(name, 'HealthCheckSucceeded')).toBe('False UnhealthyNode');
    expect(await stated(name, 'OwnerRemediated')).toBe('False CannotBeRemediated');
    expect(await owner.names()).toEqual([name]);
  });

  test('a Machine whose Node became one of the control plane', async () => {
    await owner.pool('node-1');
    await owner.group(1);
    const { name } = (await owner.machineOn('node-1')).metadata;
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    await owner.admin.patch(Node, { namespace: '', name: 'node-1' }, { type: 'merge', body: { metadata: { labels } } });
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(60);
    expect(await stated(name, 'OwnerRemediated')).toBe('False CannotBeRemediated');
    expect(await owner.names()).toEqual([name]);
  });

  test('[MH-156] a Machine that another controller owns', async () => {
    await owner.pool('node-1');
    await owner.check();
    await owner.admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        namespace: NAMESPACE,
        name: 'etcd-1',
        labels: { role: 'worker' },
        ownerReferences: [{ apiVersion: 'etcd.example.com/v1', kind: 'EtcdControlPlane', name: 'etcd', uid: 'uid-etcd', controller: true }],
      },
      spec: { clusterName: 'local' },
    });
    await nameNode('etcd-1', 'node-1');
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.pass(30);
    expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 1, currentHealthy: 0 });
    expect(await stated('etcd-1', 'HealthCheckSucceeded')).toBe('False UnhealthyNode');
    expect(await stated('etcd-1', 'OwnerRemediated')).toBe('False WaitingForRemediation');
    expect(owner.written).toEqual([]);
  });

  test.each([ANNOTATIONS.paused, ANNOTATIONS.skipRemediation])('a Machine with %s', async (annotation) => {
    await owner.pool('node-1', 'node-2');
    owner.settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'until it is annotated' } };
    await owner.group(1);
    const machine = await owner.machineOn('node-1');
    await owner.turnReady('node-1', 'Unknown');
    await owner.untilMarked();
    await owner.admin.patch(Machine, keyOf(machine), { type: 'merge', body: { metadata: { annotations: { [annotation]: '' } } } });
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(60);
    expect(await owner.names()).toEqual([machine.metadata.name]);
  });
});

test('[MH-158] while one set takes over from another, the check is about the Machines of both, and each remediates its own', async () => {
  await owner.pool('node-1', 'node-2', 'node-3', 'node-4');
  await owner.set(1, { name: 'old' });
  await owner.check();
  await owner.pass(2);
  await owner.set(1, { name: 'new' });
  await owner.pass(3);
  expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 2, currentHealthy: 2, targets: ['new-1', 'old-1'] });
  for (const name of ['old-1', 'new-1']) {
    const { status } = await owner.admin.get(Machine, { namespace: NAMESPACE, name });
    await owner.turnReady(status?.nodeRef?.name ?? '', 'Unknown');
  }
  await owner.untilMarked();
  await owner.pass(30);
  expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 2, currentHealthy: 2, targets: ['new-2', 'old-2'] });
});

describe('how much is replaced at once', () => {
  const failNodes = async (...nodes: readonly string[]): Promise<void> => {
    for (const node of nodes) await owner.turnReady(node, 'Unknown');
    await owner.untilMarked();
  };
  const deletions = (): number => owner.written.filter((write) => write.startsWith('DELETE machines/')).length;

  test('is what the set allows; a Machine that waits reports it', async () => {
    await owner.pool('node-1', 'node-2', 'node-3');
    await owner.group(3, { spec: { remediation: { maxInFlight: 1 } } });
    await owner.pod('web-1', 'node-1');
    await owner.pod('web-2', 'node-2');
    await failNodes('node-1', 'node-2');
    // On a Node that is out of reach pods are not waited for longer than they have to end.
    await owner.pass(20);
    expect(deletions()).toBe(1);
    const messages = (await owner.machines()).flatMap(({ status }) => status?.conditions ?? []).map(({ message }) => message);
    expect(messages.filter((message) => message?.startsWith('too many remediations in progress'))).toHaveLength(1);
    await owner.pass(60);
    expect(deletions()).toBe(2);
  });

  test('is what the budget allows, and what ends makes room', async () => {
    await owner.pool('node-1', 'node-2', 'node-3', 'node-4');
    const budget = { running: { cluster: 5, namespace: 1, node: 1 }, perHour: { cluster: 30, namespace: 10 } };
    owner.settings = { ...DEFAULT_SETTINGS, budget };
    await owner.group(2);
    for (const node of ['node-1', 'node-2']) await owner.pod(`web-${node}`, node);
    await failNodes('node-1', 'node-2');
    await owner.pass(10);
    expect(deletions()).toBe(1);
    expect(Object.values(await owner.claims()).filter(({ endedAt }) => endedAt === undefined)).toHaveLength(1);
    await owner.pass(120);
    expect(deletions()).toBe(2);
    expect(Object.values(await owner.claims()).filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
    expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 2, currentHealthy: 2 });
  });

  test('is nothing while everything is paused, and the Machine reports why', async () => {
    await owner.pool('node-1', 'node-2');
    owner.settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'freeze until Monday' } };
    await owner.group(1);
    const machine = await owner.machineOn('node-1');
    await failNodes('node-1');
    await owner.pass(60);
    expect(deletions()).toBe(0);
    const { status } = await owner.admin.get(Machine, keyOf(machine));
    expect(JSON.stringify(status)).toContain('starts are paused: freeze until Monday');
    owner.settings = DEFAULT_SETTINGS;
    await owner.pass(60);
    expect(deletions()).toBe(1);
  });

  test('is nothing while the ledger makes no sense', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    const ledger = { namespace: 'sickbay-system', name: 'sickbay-budget' };
    await owner.admin.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ledger, data: { garbled: '{' } });
    await failNodes('node-1');
    await owner.pass(60);
    expect(deletions()).toBe(0);
  });
});

describe('what the server refuses', () => {
  const refusal = {
    code: 403,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', code: 403 },
  };
  const refuse = (verb: string, object: string): void => {
    owner.intercept = ({ method, path }) => (method === verb && path.endsWith(object) ? refusal : undefined);
  };
  const fail = async (...nodes: readonly string[]): Promise<void> => {
    for (const node of nodes) await owner.turnReady(node, 'Unknown');
    await owner.untilMarked();
    await owner.pass(5 * 60);
  };
  afterEach(() => void (owner.troubles.length = 0));

  test('a Machine whose deletion is refused does not block the replacement of others in its set, and the refusal is reported', async () => {
    await owner.pool('node-1', 'node-2', 'node-3');
    await owner.group(2);
    refuse('DELETE', '/machines/workers-1');
    await fail('node-1');
    expect(owner.told).toEqual([]);
    await fail('node-2');
    expect([await owner.names(), owner.told]).toEqual([['workers-1', 'workers-3'], ['ReplacingMachine']]);
  });

  test('nor one that is missing from being made', async () => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    refuse('DELETE', '/machines/workers-1');
    await fail('node-1');
    await owner.admin.patch(MachineSet, { namespace: NAMESPACE, name: 'workers' }, { type: 'merge', body: { spec: { replicas: 2 } } });
    await owner.pass(10);
    expect(await owner.names()).toEqual(['workers-1', 'workers-2']);
  });

  test('a Machine whose budget slot could not be written is not deleted, and others still are', async () => {
    await owner.pool('node-1', 'node-2', 'node-3');
    await owner.group(2);
    const machine = await owner.machineOn('node-1');
    refuse('DELETE', '/machines/workers-1');
    await fail('node-1');
    expect(Object.keys(await owner.claims())).toEqual([`${NAMESPACE}/${machine.metadata.name}`]);
    refuse('PATCH', '/configmaps/sickbay-budget');
    await fail('node-2');
    expect(owner.written.filter((write) => write.startsWith('DELETE machines/'))).toEqual(['DELETE machines/workers-1']);
  });
});

describe('an owner that takes over from one that died', () => {
  test.each([
    ['after it claimed', /configmaps\/sickbay-budget$/],
    ['after it said so', /machines\/workers-1\/status$/],
    ['after it deleted', /machines\/workers-1$/],
    ['after it cordoned', /nodes\/node-1$/],
  ])('%s finishes the work', async (_, last) => {
    await owner.pool('node-1', 'node-2');
    await owner.group(1);
    await owner.turnReady('node-1', 'Unknown');
    await owner.stage.advance(5 * MINUTE);
    let isDead = false;
    const releaseEffects = { code: 503, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 503 } };
    owner.intercept = ({ method, path }) => {
      if (isDead) return releaseEffects;
      isDead = method !== 'GET' && last.test(path) && owner.written.length > 0;
      return undefined;
    };
    await owner.pass(5);
    expect(isDead).toBe(true);
    owner.intercept = () => undefined;
    owner.troubles.length = 0;
    await owner.restart();
    await owner.pass(60);
    expect(await owner.names()).toEqual(['workers-2']);
    expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 1, currentHealthy: 1 });
    expect(Object.values(await owner.claims()).filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
  });
});
