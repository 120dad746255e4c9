import { afterEach, describe, expect, test } from 'vitest';
import { ConfigMap, Node, Pod, PodDisruptionBudget } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { MINUTE } from '../../../base/index.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { Provider } from '../index.ts';
import { nodePool } from './node-pool.ts';
import { NAMESPACE, OwnerStage, type OwnerStageOptions } from '../testing/owner-stage.ts';

let owner: OwnerStage;

afterEach(async () => {
  expect([...owner.troubles, ...owner.stage.troubles]).toEqual([]);
  await owner.end();
});

/** One Machine on node-1, and another Node to spare. */
async function one(options: OwnerStageOptions = {}): Promise<Machine> {
  owner = await OwnerStage.start(options);
  await owner.node('node-1');
  await owner.node('node-2');
  await owner.group(1);
  return owner.machineOn('node-1');
}

const deleteByHand = async (machine: Machine): Promise<void> => {
  await owner.admin.delete(Machine, keyOf(machine));
  await owner.stage.settle();
};
const isThere = async (machine: Machine): Promise<boolean> =>
  (await owner.machines()).some(({ metadata }) => metadata.uid === machine.metadata.uid);
const leaving = async (machine: Machine): Promise<string | undefined> =>
  (await owner.admin.get(Machine, keyOf(machine))).status?.conditions?.find(({ type }) => type === 'Deleting')?.message;

/** What a kubelet does that is in reach: pods that were asked to end do. */
async function kubelet(): Promise<void> {
  for (const pod of await owner.pods())
    if (pod.metadata.deletionTimestamp !== undefined) await owner.admin.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0 });
}

describe('a Machine that is deleted', () => {
  const annotated = async (machine: Machine, annotation: string, value: '' | null): Promise<void> => {
    await owner.admin.patch(Machine, keyOf(machine), { type: 'merge', body: { metadata: { annotations: { [annotation]: value } } } });
    await owner.pass(2);
  };

  test('goes, also where it was taken out of remediation', async () => {
    const machine = await one();
    await annotated(machine, ANNOTATIONS.skipRemediation, '');
    await deleteByHand(machine);
    await owner.pass(10);
    expect((await owner.machines()).map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([['workers-2', 'Running']]);
  });

  test('stays as it is for as long as it is paused', async () => {
    const machine = await one();
    await annotated(machine, ANNOTATIONS.paused, '');
    await deleteByHand(machine);
    await owner.pass(60);
    expect([await isThere(machine), await owner.nodes()]).toEqual([true, ['node-1', 'node-2']]);
    await annotated(machine, ANNOTATIONS.paused, null);
    await owner.pass(10);
    expect([await isThere(machine), await owner.nodes()]).toEqual([false, ['node-2']]);
  });
});

describe('before a Machine goes', () => {
  test('[MH-145] its Node is closed and emptied; what runs on every Node and what has finished stays', async () => {
    const machine = await one();
    await owner.pod('web-1', 'node-1');
    await owner.pod('agent', 'node-1');
    const byDaemonSet = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'uid-agent', controller: true }];
    const agent = { namespace: NAMESPACE, name: 'agent' };
    await owner.admin.patch(Pod, agent, { type: 'merge', body: { metadata: { ownerReferences: byDaemonSet, finalizers: ['test/stay'] } } });
    await owner.pod('done', 'node-1');
    await owner.admin.patchStatus(Pod, { namespace: NAMESPACE, name: 'done' }, { type: 'merge', body: { status: { phase: 'Succeeded' } } });
    await owner.pod('elsewhere', 'node-2');
    await deleteByHand(machine);
    await owner.pass(2);
    expect((await owner.admin.get(Node, { namespace: '', name: 'node-1' })).spec?.unschedulable).toBe(true);
    expect(await leaving(machine)).toBe('these pods have not left yet: shop/web-1');
    await kubelet();
    await owner.pass(10);
    expect(await isThere(machine)).toBe(false);
    expect(await owner.nodes()).toEqual(['node-2']);
    expect(owner.written.filter((write) => write.endsWith('/eviction'))).toEqual(['POST pods/web-1/eviction']);
  });

  test('disruption budgets are respected until the drain timeout', async () => {
    const machine = await one();
    await owner.pod('web-1', 'node-1');
    await owner.admin.create(PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { namespace: NAMESPACE, name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 0 },
    });
    const spent = { status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } };
    await owner.admin.patchStatus(PodDisruptionBudget, { namespace: NAMESPACE, name: 'web' }, { type: 'merge', body: spent });
    await deleteByHand(machine);
    await owner.pass(9 * 60);
    expect((await owner.pods()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined]);
    expect(await isThere(machine)).toBe(true);
    await owner.pass(65);
    expect(await isThere(machine)).toBe(false);
    expect(owner.told).toContain('DrainTimedOut');
    expect((await owner.pods()).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([undefined]);
  });

  test('pods get the whole drain timeout, also after a hook held the drain for longer than that', async () => {
    const machine = await one();
    await owner.pod('web-1', 'node-1');
    const hook = 'pre-drain.delete.hook.machine.cluster.x-k8s.io/backup';
    const annotate = (value: string | null): Promise<unknown> =>
      owner.admin.patch(Machine, keyOf(machine), { type: 'merge', body: { metadata: { annotations: { [hook]: value } } } });
    await annotate('');
    await deleteByHand(machine);
    await owner.stage.advance(30 * MINUTE);
    await annotate(null);
    await owner.pass(5);
    expect(await leaving(machine)).toBe('these pods have not left yet: shop/web-1');
    expect(owner.written).toContain('POST pods/web-1/eviction');
    await owner.restart();
    await owner.pass(9 * 60);
    expect(await isThere(machine)).toBe(true);
    await owner.pass(65);
    expect(await isThere(machine)).toBe(false);
    expect(owner.told).toContain('DrainTimedOut');
  });

  test('a denied eviction does not block the evictions of other pods', async () => {
    const machine = await one();
    for (const name of ['a-db', 'b-web', 'c-web']) await owner.pod(name, 'node-1');
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Forbidden', message: 'denied', code: 403 };
    owner.intercept = ({ path }) => (path.endsWith('a-db/eviction') ? { code: 403, body: status } : undefined);
    await deleteByHand(machine);
    await owner.pass(5);
    await kubelet();
    await owner.pass(5);
    expect((await owner.pods()).map(({ metadata }) => metadata.name)).toEqual(['a-db']);
    expect(await leaving(machine)).toBe('these pods have not left yet: shop/a-db');
  });

  test('a drain without a timeout waits without end', async () => {
    const machine = await one({ settings: { machineOwner: { enabled: true, drainTimeoutMs: 0 } } });
    await owner.pod('web-1', 'node-1');
    await deleteByHand(machine);
    await owner.stage.advance(24 * 60 * MINUTE);
    await owner.pass(5);
    expect(await isThere(machine)).toBe(true);
  });

  test('pods of an unreachable Node are not waited for longer than their grace period', async () => {
    const machine = await one();
    await owner.pod('web-1', 'node-1');
    await owner.turnReady('node-1', 'Unknown');
    await deleteByHand(machine);
    await owner.pass(25);
    expect(await isThere(machine)).toBe(true);
    await owner.pass(15);
    expect(await isThere(machine)).toBe(false);
  });

  test('hooks hold the drain, and later the termination', async () => {
    const machine = await one();
    const hooks = { 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': '', 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/b': '' };
    const annotate = (annotations: object): Promise<unknown> =>
      owner.admin.patch(Machine, keyOf(machine), { type: 'merge', body: { metadata: { annotations } } });
    await annotate(hooks);
    await deleteByHand(machine);
    await owner.pass(40);
    expect((await owner.admin.get(Node, { namespace: '', name: 'node-1' })).spec?.unschedulable).toBeUndefined();
    await annotate({ 'pre-drain.delete.hook.machine.cluster.x-k8s.io/a': null });
    await owner.pass(40);
    expect((await owner.admin.get(Node, { namespace: '', name: 'node-1' })).spec?.unschedulable).toBe(true);
    await annotate({ 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/b': null });
    await owner.pass(2);
    expect(await isThere(machine)).toBe(false);
  });

  test('a Node of the control plane is left as it is', async () => {
    const machine = await one();
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    await owner.admin.patch(Node, { namespace: '', name: 'node-1' }, { type: 'merge', body: { metadata: { labels } } });
    await deleteByHand(machine);
    await owner.pass(5);
    expect(await isThere(machine)).toBe(false);
    expect((await owner.admin.get(Node, { namespace: '', name: 'node-1' })).spec?.unschedulable).toBeUndefined();
  });

  test('another Node that took the name of its own is left as it is', async () => {
    const machine = await one();
    await owner.admin.delete(Node, { namespace: '', name: 'node-1' });
    await deleteByHand(machine);
    await owner.node('node-1');
    await owner.pass(5);
    expect(await isThere(machine)).toBe(false);
    expect(await owner.nodes()).toContain('node-1');
  });
});

/** Instances are ConfigMaps called after their Machine: what a cloud would be. */
const cloud: Provider = {
  ...(nodePool as Provider),
  look: ({ metadata }, _, reader) => reader.fetch(ConfigMap, { namespace: NAMESPACE, name: `instance-${metadata.name}` }),
  destroy: (_, instance) => [remove(ConfigMap, instance)],
};

test('[MH-146] the provider deletes the instance, after the drain and before the Node goes', async () => {
  const machine = await one({ provider: cloud });
  const name = `instance-${machine.metadata.name}`;
  const metadata = { namespace: NAMESPACE, name, finalizers: ['cloud.example.com/instance'] };
  await owner.admin.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await owner.pod('web-1', 'node-1');
  await deleteByHand(machine);
  await owner.pass(20);
  expect(owner.written).not.toContain(`DELETE configmaps/${name}`);
  await kubelet();
  await owner.pass(10);
  expect(owner.written).toContain(`DELETE configmaps/${name}`);
  expect(await owner.nodes()).toContain('node-1');
  await owner.admin.patch(ConfigMap, { namespace: NAMESPACE, name }, { type: 'merge', body: { metadata: { finalizers: null } } });
  await owner.pass(40);
  expect(await owner.nodes()).not.toContain('node-1');
  expect(await isThere(machine)).toBe(false);
});

test('[MH-036] a workload whose Node fails runs on a healthy one again, without any action by its users', async () => {
  owner = await OwnerStage.start({
    settings: { machineOwner: { enabled: true, drainTimeoutMs: DEFAULT_SETTINGS.machineOwner.drainTimeoutMs } },
  });
  for (const name of ['node-1', 'node-2', 'node-3']) await owner.node(name);
  await owner.group(2);
  await owner.pod('web-0', 'node-1');
  let made = 0;
  /** What the controllers of a cluster do: one pod that is not on its way out, on a Node that takes pods. */
  const schedule = async (): Promise<void> => {
    if ((await owner.pods()).some(({ metadata }) => metadata.deletionTimestamp === undefined)) return;
    const fit = (await owner.admin.list(Node)).items.filter(
      ({ spec, status }) =>
        spec?.unschedulable !== true && status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True'),
    );
    await owner.pod(`web-${++made}`, fit[0]?.metadata.name ?? '');
  };
  await owner.turnReady('node-1', 'Unknown');
  await owner.stage.advance(5 * MINUTE);
  for (let second = 0; second < 60; second++) {
    await owner.pass(1);
    await schedule();
  }
  const running = (await owner.pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  expect(running.map(({ spec }) => spec.nodeName)).not.toContain('node-1');
  expect(running).toHaveLength(1);
  expect(await owner.checkStatus()).toMatchObject({ expectedMachines: 2, currentHealthy: 2 });
});
