import { describe, expect, test } from 'vitest';
import { Pod, ReplicaSet, type Deployment, type Node } from '../api/builtin/index.ts';
import type { KubeObject, OwnerReference } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import type { Listed, Read } from '../kube/client/read.ts';
import type { EvidenceReader } from './evidence-reader.ts';
import { gatherEvidence } from './gather-evidence.ts';
import { aDeployment, aPod, aReplicaSet, TARGET } from './testing/a-deployment.ts';
import { aNode, NODE_TARGET } from './testing/a-node.ts';

const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;

interface World {
  readonly node?: Read<Node>;
  readonly deployment?: Read<Deployment>;
  readonly replicaSets?: Listed<ReplicaSet>;
  readonly pods?: Listed<Pod>;
}

/** Answers from the world, and writes down what it is asked. */
function readerOf(world: World, asked: string[] = []): EvidenceReader {
  const lists = new Map<Resource<KubeObject>, Listed<KubeObject> | undefined>([
    [ReplicaSet, world.replicaSets],
    [Pod, world.pods],
  ]);
  return {
    fetch: async <T extends KubeObject>(resource: Resource<T>, key: { namespace: string; name: string }) => {
      asked.push(`${resource.kind} ${key.namespace}/${key.name}`);
      return ((resource.kind === 'Node' ? world.node : world.deployment) ?? { kind: 'absent' }) as Read<T>;
    },
    fetchList: async <T extends KubeObject>(resource: Resource<T>, options: Parameters<EvidenceReader['fetchList']>[1]) => {
      asked.push(`${resource.plural} in ${options.namespace ?? 'all'} with ${options.labelSelector ?? options.fieldSelector}`);
      return (lists.get(resource) ?? { kind: 'value', value: [] }) as Listed<T>;
    },
  };
}

const valueOf = <T>(value: T) => ({ kind: 'value', value }) as const;
const owner = (uid: string): OwnerReference => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: uid, uid, controller: true });

function podOf(name: string, ownerUid: string, more: object = {}): Pod {
  const pod = aPod(name);
  return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner(ownerUid)], ...more } };
}

describe('gatherEvidence', () => {
  test('reads the Deployment, its ReplicaSets and its Pods, newest revision first', async () => {
    const asked: string[] = [];
    const world = {
      deployment: valueOf(aDeployment()),
      replicaSets: valueOf([aReplicaSet(9), aReplicaSet(10)]),
      pods: valueOf([podOf('p1', 'uid-checkout-10'), podOf('p2', 'uid-checkout-9')]),
    };
    const evidence = await gatherEvidence(TARGET, readerOf(world, asked));
    expect(asked).toEqual([
      'Deployment shop/checkout',
      'replicasets in shop with app=checkout',
      'pods in shop with app=checkout',
      // Only one of two pods of the newest revision is there.
      'events in shop with involvedObject.name=checkout',
      'events in shop with involvedObject.name=checkout-10',
    ]);
    if (evidence.kind !== 'Deployment') throw new Error(evidence.kind);
    expect(evidence.revisions.map(({ number, pods }) => [number, pods.map(({ metadata }) => metadata.name)])).toEqual([
      [10, ['p1']],
      [9, ['p2']],
    ]);
  });

  test('leaves out what others own and what is going away', async () => {
    const stranger = { ...aReplicaSet(4), metadata: { ...aReplicaSet(4).metadata, ownerReferences: [owner('another')] } };
    const leaving = podOf('p1', 'uid-checkout-3', { deletionTimestamp: '2026-11-15T03:09:00Z' });
    const world = {
      deployment: valueOf(aDeployment()),
      replicaSets: valueOf([stranger, aReplicaSet(3)]),
      pods: valueOf([leaving, podOf('p2', 'another')]),
    };
    expect(await gatherEvidence(TARGET, readerOf(world))).toMatchObject({ revisions: [{ number: 3, pods: [] }] });
  });

  test('a ReplicaSet without a number counts as none', async () => {
    const { annotations: _, ...metadata } = aReplicaSet(3).metadata;
    const world = { deployment: valueOf(aDeployment()), replicaSets: valueOf([{ ...aReplicaSet(3), metadata }]) };
    expect(await gatherEvidence(TARGET, readerOf(world))).toMatchObject({ revisions: [{ number: 0 }] });
  });

  const cases: readonly { name: string; reason: string; world: World; target?: typeof TARGET; want: object }[] = [
    { name: 'absent', reason: 'on the word of the server', world: {}, want: { kind: 'Absent' } },
    {
      name: 'another kind',
      reason: 'nothing is even read',
      world: {},
      target: { ...TARGET, kind: 'Shop', apiVersion: 'shop.io/v1' },
      want: { kind: 'Unsupported' },
    },
    {
      name: 'unreadable',
      reason: 'never absent',
      world: { deployment: UNREADABLE },
      want: { kind: 'Unreadable', reason: 'reading it: forbidden' },
    },
    {
      name: 'ReplicaSets unreadable',
      reason: 'never no revisions',
      world: { deployment: valueOf(aDeployment()), replicaSets: UNREADABLE },
      want: { kind: 'Unreadable', reason: 'listing its ReplicaSets: forbidden' },
    },
    {
      name: 'a Deployment of another API group',
      reason: 'the one of apps has nothing to do with it',
      world: { deployment: valueOf(aDeployment()) },
      target: { ...TARGET, apiVersion: 'example.com/v1' },
      want: { kind: 'Unsupported' },
    },
    {
      name: 'Pods unreadable',
      reason: 'never no pods',
      world: { deployment: valueOf(aDeployment()), pods: UNREADABLE },
      want: { kind: 'Unreadable', reason: 'listing its Pods: forbidden' },
    },
    {
      name: 'changed a moment ago',
      reason: 'its ReplicaSets are still those of the spec before',
      world: { deployment: valueOf(aDeployment({}, { observedGeneration: 2 })) },
      want: { kind: 'Unreadable', reason: 'the cluster has not acted on its last change yet' },
    },
    {
      name: 'up to date',
      reason: 'the cluster has seen its last change',
      world: { deployment: valueOf(aDeployment({}, { observedGeneration: 3 })) },
      want: { kind: 'Deployment', revisions: [] },
    },
  ];
  test.each(cases)('$name: $reason', async ({ world, target = TARGET, want }) => {
    const asked: string[] = [];
    const evidence = await gatherEvidence(target, readerOf(world, asked));
    expect(evidence).toMatchObject({ ...want, target });
    if (evidence.kind === 'Unsupported') expect(asked).toEqual([]);
  });
});

describe('what manages the target', () => {
  const set = aReplicaSet(3);
  const pod = podOf('p1', set.metadata.uid, { ownerReferences: [{ ...owner(set.metadata.uid), name: set.metadata.name }] });
  const POD = { kind: 'Pod', name: 'p1', namespace: 'shop' };
  type Objects = Readonly<Record<string, Read<KubeObject>>>;
  const all: Objects = { Pod: valueOf(pod), ReplicaSet: valueOf(set), Deployment: valueOf(aDeployment()) };

  const seen = async (target: typeof POD, objects: Objects) => {
    const asked: string[] = [];
    const fetch = async <T extends KubeObject>({ kind }: Resource<T>, { name }: { name: string }) => {
      asked.push(`${kind} ${name}`);
      return (objects[kind] ?? { kind: 'absent' }) as Read<T>;
    };
    return { evidence: await gatherEvidence(target, { ...readerOf({}), fetch }), asked };
  };

  test('[EM-250] [EM-251] the final owner is read instead: of a Pod its Deployment, through its ReplicaSet', async () => {
    const { evidence, asked } = await seen(POD, all);
    expect(asked).toEqual(['Pod p1', 'ReplicaSet checkout-3', 'Deployment checkout', 'Deployment checkout']);
    expect(evidence).toMatchObject({ kind: 'Deployment', target: TARGET, deployment: aDeployment() });
  });

  test('[EM-250] of a ReplicaSet, its Deployment', async () =>
    expect((await seen({ ...POD, kind: 'ReplicaSet', name: 'checkout-3' }, all)).evidence).toMatchObject({ target: TARGET }));

  test.each<{ name: string; objects: Objects; want: object }>([
    { name: 'nothing manages it', objects: { Pod: valueOf(aPod('p1')) }, want: { kind: 'Object', target: POD } },
    { name: 'it is gone', objects: {}, want: { kind: 'Absent', target: POD } },
    {
      name: 'it cannot be read',
      objects: { Pod: UNREADABLE },
      want: { kind: 'Unreadable', target: POD, reason: 'reading its owners: forbidden' },
    },
    {
      name: 'what manages it cannot be read: it is not its own root',
      objects: { ...all, Deployment: UNREADABLE },
      want: { kind: 'Unreadable', target: POD, reason: 'reading its owners: Deployment checkout: forbidden' },
    },
    {
      name: 'another has taken the name of what manages it',
      objects: { ...all, Deployment: valueOf({ ...aDeployment(), metadata: { ...aDeployment().metadata, uid: 'another' } }) },
      want: { kind: 'Unreadable', reason: 'reading its owners: Deployment checkout: another one now' },
    },
    {
      name: 'its Node manages it',
      objects: {
        Pod: valueOf(podOf('p1', 'n', { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'n', controller: true }] })),
        Node: valueOf({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n', resourceVersion: '1', creationTimestamp: '' } }),
      },
      want: { kind: 'Object', target: POD },
    },
  ])('$name', async ({ objects, want }) => expect((await seen(POD, objects)).evidence).toMatchObject(want));
});

describe('of a Node', () => {
  const by = (kind: string) => ({ ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'x', uid: 'x', controller: true }] });

  test('the pods on it are read, those that a drain would move', async () => {
    const asked: string[] = [];
    const others: readonly Pod[] = [
      podOf('daemon', 'd', by('DaemonSet')),
      podOf('static', 's', by('Node')),
      podOf('mirror', 'm', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      podOf('run', 'r', { labels: { 'kubernaut.ai/workflow-execution': 'we-1' } }),
      podOf('going', 'g', { deletionTimestamp: '2026-11-15T03:00:00Z' }),
      { ...podOf('done', 'e'), status: { phase: 'Succeeded' } },
      { ...podOf('failed', 'f'), status: { phase: 'Failed' } },
    ];
    const world = { node: valueOf(aNode()), pods: valueOf([podOf('web', 'w'), ...others, podOf('bare', 'b', { ownerReferences: [] })]) };
    const evidence = await gatherEvidence(NODE_TARGET, readerOf(world, asked));
    if (evidence.kind !== 'Node') throw new Error(evidence.kind);
    expect(evidence.movable.map(({ metadata }) => metadata.name)).toEqual(['web', 'bare']);
    expect(asked).toEqual(['Node /worker-1', 'pods in all with spec.nodeName=worker-1', 'nodes in all with undefined']);
  });

  test.each([
    ['it is gone', {}, { kind: 'Absent' }],
    ['it cannot be read', { node: UNREADABLE }, { kind: 'Unreadable', reason: 'reading it: forbidden' }],
    [
      'its pods cannot be read',
      { node: valueOf(aNode()), pods: UNREADABLE },
      { kind: 'Unreadable', reason: 'listing the Pods on it: forbidden' },
    ],
  ])('%s', async (_, world, want) => expect(await gatherEvidence(NODE_TARGET, readerOf(world))).toMatchObject(want));
});
