import { describe, expect, test } from 'vitest';
import { Node, Pod, PodDisruptionBudget } from '../../src/api/builtin/index.ts';
import type { ObjectKey } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { instant, type Clock } from '../../src/base/index.ts';
import type { KubeClient, SubresourceWrite } from '../../src/kube/client/client.ts';
import { ApiError } from '../../src/kube/client/errors.ts';
import { aNode, aPod, ownedBy, READY } from '../testing/objects.ts';
import { aScene, disturbed, told } from '../testing/scene.ts';
import { lastUndoRecord } from '../../src/api/undo-record.ts';
import { uncordonNode } from '../uncordon-node/run.ts';
import { drainNode } from './run.ts';

const NODE = { namespace: '', name: 'n1' };
const failure = (code: number, reason: string, message: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message });
const BUDGET = failure(429, 'TooManyRequests', 'would violate the budget web');
const NAMED = new ApiError({
  ...BUDGET.status,
  details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 1 currently' }] },
});

/** Time passes as soon as a caller waits for it. */
function hastyClock(): Clock {
  let now = 0;
  return {
    now: () => instant(now),
    waitUntil: async (at) => void (now = Math.max(now, at)),
  };
}

/** Evictions as a server with budgets answers them: `refuses` says whether the nth one for a pod is refused. */
function evicting(own: KubeClient, admin: KubeClient, refuses: (pod: string, nth: number) => Error | undefined = () => undefined) {
  const asked: string[] = [];
  const subresource = async (_: Resource, key: ObjectKey, write: SubresourceWrite): Promise<unknown> => {
    expect(write).toMatchObject({ name: 'eviction', body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key } });
    const { uid } = (write.body as { deleteOptions: { preconditions: { uid: string } } }).deleteOptions.preconditions;
    asked.push(key.name);
    const refusal = refuses(key.name, asked.filter((name) => name === key.name).length);
    if (refusal) throw refusal;
    await admin.delete(Pod, key, { preconditions: { uid }, gracePeriodSeconds: 0 });
    return {};
  };
  const client = new Proxy(own, {
    get: (target, member: keyof KubeClient) => (member === 'subresource' ? subresource : (target[member].bind(target) as unknown)),
  });
  return { client, asked };
}

async function set(pods: readonly ReturnType<typeof aPod>[], node = aNode()) {
  const scene = await aScene();
  await scene.client.create(Node, node);
  for (const pod of pods) await scene.client.create(Pod, pod);
  const left = async () => (await scene.client.list(Pod, { namespace: 'shop' })).items.map(({ metadata }) => metadata.name).toSorted();
  const isCordoned = async () => (await scene.client.get(Node, NODE)).spec?.unschedulable === true;
  return { ...scene, left, isCordoned, own: scene.as('drain-node') };
}

const STAYS = [
  aPod('agent', { ownerReferences: [ownedBy('DaemonSet')] }),
  aPod('static', { ownerReferences: [ownedBy('Node')], annotations: { 'kubernetes.io/config.mirror': 'x' } }),
  aPod('run', { labels: { 'kubernaut.ai/workflow-execution': 'wfe-1' }, ownerReferences: [ownedBy('Job')] }),
  aPod('elsewhere', {}, { nodeName: 'n2' }),
];

describe('draining', () => {
  test('cordons, evicts the pods, and leaves those that belong to the node', async () => {
    const { client, own, left } = await set([aPod('web-1'), aPod('web-2'), ...STAYS]);
    const evictions = evicting(own, client);
    expect(await drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() })).toBe('Node n1 cordoned and drained of 2 pods');
    expect(await left()).toEqual(['agent', 'elsewhere', 'run', 'static']);
    expect(lastUndoRecord(await client.get(Node, NODE))).toMatchObject({
      execution: 'wfe-1',
      undo: { workflow: 'uncordon-node', parameters: {} },
    });
  });

  test('a second time changes nothing', async () => {
    const { client, own } = await set([aPod('web-1')]);
    const evictions = evicting(own, client);
    const run = () => drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() });
    await run();
    const before = await client.get(Node, NODE);
    expect(await run()).toBe('Node n1 was already cordoned by wfe-1, and has no pods that must leave');
    expect(await client.get(Node, NODE)).toEqual(before);
    expect(evictions.asked).toEqual(['web-1']);
  });

  test('continues where another run died', async () => {
    const { client, own, left } = await set([aPod('web-1')], aNode({ unschedulable: true }));
    expect(await drainNode(evicting(own, client).client, told('Node', 'n1'), { clock: hastyClock() })).toBe(
      'Node n1 is already cordoned and drained of 1 pods',
    );
    expect(await left()).toEqual([]);
  });

  test('continues when the cluster taints the node at the same time', async () => {
    const { client, own, isCordoned } = await set([]);
    const taints = [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }];
    const by = () => client.patch(Node, NODE, { type: 'merge', body: { spec: { taints } } });
    await drainNode(disturbed(own, { write: 'patch', by }), told('Node', 'n1'), { clock: hastyClock() });
    expect(await isCordoned()).toBe(true);
    expect((await client.get(Node, NODE)).spec?.taints).toEqual(taints);
  });

  test('fails when another actor sets a taint at the same time', async () => {
    const { client, own, isCordoned } = await set([]);
    const by = () => client.patch(Node, NODE, { type: 'merge', body: { spec: { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] } } });
    await expect(drainNode(disturbed(own, { write: 'patch', by }), told('Node', 'n1'), { clock: hastyClock() })).rejects.toThrow(
      'another actor changed it',
    );
    expect(await isCordoned()).toBe(false);
  });

  test('waits for a budget', async () => {
    const { client, own, left } = await set([aPod('web-1'), aPod('web-2')]);
    const evictions = evicting(own, client, (pod, nth) => (pod === 'web-2' && nth < 4 ? BUDGET : undefined));
    await drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() });
    expect(await left()).toEqual([]);
    expect(evictions.asked.filter((name) => name === 'web-2')).toHaveLength(4);
  });

  test('fails in time when a disruption budget never allows it, and names the budget; the node stays cordoned', async () => {
    const { client, own, left, isCordoned } = await set([aPod('web-1'), aPod('web-2')]);
    const evictions = evicting(own, client, (pod) => (pod === 'web-2' ? BUDGET : undefined));
    await expect(drainNode(evictions.client, told('Node', 'n1', { TIMEOUT_SECONDS: '10' }), { clock: hastyClock() })).rejects.toThrow(
      'Node n1 is cordoned, but not drained in time; pods left: shop/web-2 (would violate the budget web). ' +
        'Next: make the workloads of these disruption budgets healthy or add replicas, then drain it again',
    );
    expect([await left(), await isCordoned()]).toEqual([['web-2'], true]);
  });

  test('logs every 20 seconds what it waits for: which disruption budget keeps which pod (ruling 130)', async () => {
    const { client, own } = await set([aPod('web-1', { finalizers: ['test/kubelet'] }), aPod('web-2')]);
    const evictions = evicting(own, client, (pod, nth) => (pod === 'web-2' && nth < 23 ? NAMED : undefined));
    const lines: string[] = [];
    const how = { clock: hastyClock(), report: (line: string) => void lines.push(line) };
    await expect(drainNode(evictions.client, told('Node', 'n1', { TIMEOUT_SECONDS: '60' }), how)).rejects.toThrow('in time');
    expect(lines.map((line) => line.slice(0, 20))).toEqual(['00', '20', '40'].map((second) => `1970-01-01T00:00:${second}Z`));
    expect(lines[0]).toBe(
      '1970-01-01T00:00:00Z Node n1 is cordoned; until 1970-01-01T00:01:00Z the drain waits for ' +
        'shop/web-2 (The disruption budget web needs 1 healthy pods and has 1 currently); shop/web-1 (evicted, terminating)',
    );
  });

  describe('with pods that no kubelet can stop', () => {
    const stuck = () => aPod('web-1', { finalizers: ['test/kubelet'] });
    const drained = async (status: 'Unknown' | 'False') => {
      const { client, own } = await set([stuck(), aPod('web-2')]);
      await client.patchStatus(Node, NODE, { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status }] } } });
      return drainNode(evicting(own, client).client, told('Node', 'n1', { TIMEOUT_SECONDS: '10' }), { clock: hastyClock() });
    };

    test('does not wait for a node that does not report: its pods were evicted, and are replaced', async () =>
      expect(await drained('Unknown')).toBe('Node n1 cordoned and drained of 2 pods'));

    test('waits for a node that reports, until the timeout', async () =>
      await expect(drained('False')).rejects.toThrow(
        'not drained in time; pods left: shop/web-1 (evicted, terminating). Next: check why these pods do not terminate',
      ));

    test('still waits for budgets', async () => {
      const { client, own } = await set([aPod('web-1')]);
      await client.patchStatus(Node, NODE, { type: 'merge', body: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } } });
      const evictions = evicting(own, client, () => BUDGET);
      await expect(drainNode(evictions.client, told('Node', 'n1', { TIMEOUT_SECONDS: '10' }), { clock: hastyClock() })).rejects.toThrow(
        'would violate the budget web',
      );
    });
  });

  test('asks the server, which enforces its disruption budgets, with the rights of its own account', async () => {
    const { client, own, left } = await set([
      aPod('web-1', { labels: { app: 'web' } }),
      aPod('web-2', {}, { terminationGracePeriodSeconds: 0 }),
    ]);
    await client.patchStatus(Pod, { namespace: 'shop', name: 'web-1' }, { type: 'merge', body: { status: { phase: 'Running' } } });
    await client.create(PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    await expect(drainNode(own, told('Node', 'n1', { TIMEOUT_SECONDS: '10' }), { clock: hastyClock() })).rejects.toThrow(
      /not drained in time; pods left: shop\/web-1 \(The disruption budget web .*\)\. Next: /,
    );
    expect(await left()).toEqual(['web-1']);
  });

  test.each([failure(404, 'NotFound', 'gone'), failure(409, 'Conflict', 'another')])(
    'takes a pod that went by itself as gone: $message',
    async (error) => {
      const { client, own, left } = await set([aPod('web-1')]);
      const evictions = evicting(own, client, (_, nth) => (nth === 1 ? error : undefined));
      await drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() });
      expect(await left()).toEqual([]);
    },
  );

  test('reports an unknown error of the server', async () => {
    const { client, own } = await set([aPod('web-1')]);
    const evictions = evicting(own, client, () => failure(500, 'InternalError', 'two budgets match'));
    await expect(drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() })).rejects.toThrow('two budgets match');
  });

  test('a dry run names the pods and changes nothing', async () => {
    const { client, own, left, isCordoned } = await set([aPod('web-1'), ...STAYS]);
    const evictions = evicting(own, client);
    const shown = await drainNode(evictions.client, told('Node', 'n1'), { dryRun: true });
    expect(shown.split('\n')).toEqual([
      'Node n1 would be cordoned',
      expect.stringContaining('+ /metadata/annotations: '),
      '+ /spec/unschedulable: true',
      '- Pod shop/web-1',
    ]);
    expect([await left(), await isCordoned(), evictions.asked]).toEqual([['agent', 'elsewhere', 'run', 'static', 'web-1'], false, []]);
  });

  test('can be undone', async () => {
    const { client, own, as, isCordoned } = await set([]);
    await drainNode(evicting(own, client).client, told('Node', 'n1'), { clock: hastyClock() });
    await client.patchStatus(Node, NODE, { type: 'merge', body: { status: READY } });
    expect(await uncordonNode(as('uncordon-node'), told('Node', 'n1', { WORKFLOW_EXECUTION: 'wfe-2' }))).toBe('Node n1 uncordoned');
    expect(await isCordoned()).toBe(false);
  });
});

describe('a node is left as it is', () => {
  const role = { 'node-role.kubernetes.io/control-plane': '' };
  const withData = aPod('cache', {}, { volumes: [{ name: 'data', emptyDir: {} }] });
  const many = Array.from({ length: 7 }, (_, index) => aPod(`lone-${index}`, { ownerReferences: [] }));
  test.each([
    { what: 'of the control plane', pods: [], node: aNode({}, { labels: role }), says: 'it is a control-plane node' },
    {
      what: 'with the taint of the control plane',
      pods: [],
      node: aNode({ taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] }),
      says: 'it is a control-plane node',
    },
    {
      what: 'with a pod that nothing makes again',
      pods: [aPod('lone', { ownerReferences: [] })],
      node: aNode(),
      says: 'elsewhere: shop/lone',
    },
    { what: 'with many of those', pods: many, node: aNode(), says: 'shop/lone-4 and 2 more' },
    { what: 'with a pod that would lose data', pods: [withData], node: aNode(), says: 'set DELETE_EMPTYDIR_DATA): shop/cache' },
  ])('$what', async ({ pods, node, says }) => {
    const { client, own, isCordoned, left } = await set(pods, node);
    const evictions = evicting(own, client);
    await expect(drainNode(evictions.client, told('Node', 'n1'), { clock: hastyClock() })).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(says) as string,
    });
    expect([await isCordoned(), evictions.asked, (await left()).length]).toEqual([false, [], pods.length]);
  });

  test('unless the data may be lost', async () => {
    const { client, own, left } = await set([withData]);
    await drainNode(evicting(own, client).client, told('Node', 'n1', { DELETE_EMPTYDIR_DATA: 'true' }), { clock: hastyClock() });
    expect(await left()).toEqual([]);
  });
});
