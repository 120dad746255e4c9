import { describe, expect, test } from 'vitest';
import { Node, type Cluster } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { MINUTE } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { NodeRead, WorkloadNodes } from '../../../workload-clusters/index.ts';
import { withLiveNode, targetFromCache } from './node-of-machine.ts';
import { aMachine, aNode, ago, ready } from '../testing/a-machine.ts';

const OURS = aNode([ready('True', MINUTE)]);
const THEIRS: Node = { ...aNode([ready('False', MINUTE)]), metadata: { ...aNode().metadata, uid: 'theirs' } };
const PROD: Cluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'machine-api', uid: 'c', resourceVersion: '1', creationTimestamp: ago(0) },
};
const DELETED: Cluster = { ...PROD, metadata: { ...PROD.metadata, deletionTimestamp: ago(0) } };
const ABSENT = { kind: 'absent' } as const;
const NO_SUCH_KIND = { kind: 'absent', isKindUnknown: true } as const;
const value = <T>(one: T): Read<T> => ({ kind: 'value', value: one });
const unreadable = (reason: string) => ({ kind: 'unreadable', reason }) as const;

interface World {
  readonly node?: Read<Node>;
  readonly cluster?: Read<Cluster>;
  /** What the server says where it differs from what is kept. */
  readonly fetchedNode?: Read<Node>;
  readonly fetchedCluster?: Read<Cluster>;
}
function readerOf({ node = ABSENT, cluster = ABSENT, fetchedNode = node, fetchedCluster = cluster }: World): Reader {
  const either = <T extends KubeObject>(resource: Resource<T>, ofNode: Read<Node>, ofCluster: Read<Cluster>): Read<T> =>
    (resource.kind === Node.kind ? ofNode : ofCluster) as unknown as Read<T>;
  return {
    get: (resource) => either(resource, node, cluster),
    fetch: (resource) => Promise.resolve(either(resource, fetchedNode, fetchedCluster)),
    list: () => unreadable('not asked'),
    fetchList: () => Promise.resolve(unreadable('not asked')),
  };
}
const nodesSaying = (kept: NodeRead, fetched = kept): WorkloadNodes => ({
  get: ({ namespace, name }) => (namespace === 'machine-api' && name === 'prod' ? kept : unreadable('asked for another cluster')),
  fetch: () => Promise.resolve(fetched),
  isLocal: () => kept.kind === 'local',
  onChange: () => () => undefined,
});
const ofProd = aMachine({ spec: { clusterName: 'prod' } });
const MISSING = { kind: 'missing', name: 'worker-0' };

describe('the Node of a Machine', () => {
  test.each([
    { title: 'without a cluster is ours', machine: aMachine(), world: { node: value(OURS) }, want: { kind: 'there', node: OURS } },
    {
      title: 'of a Cluster is ours where the server has no Clusters',
      machine: ofProd,
      world: { node: value(OURS), cluster: NO_SUCH_KIND },
      want: { kind: 'there', node: OURS },
    },
    {
      title: 'of a Cluster that does not exist is not known, although we have one of that name (ruling 123)',
      machine: ofProd,
      world: { node: value(OURS) },
      want: { kind: 'unreadable', why: 'Cluster prod does not exist' },
    },
    {
      title: 'of a Cluster that is being deleted is not known (ruling 123)',
      machine: ofProd,
      world: { node: value(OURS), cluster: value(DELETED) },
      nodes: nodesSaying(value(THEIRS)),
      want: { kind: 'unreadable', why: 'Cluster prod is being deleted' },
    },
    {
      title: 'of a Cluster is theirs, whatever ours is called',
      machine: ofProd,
      world: { node: value(OURS), cluster: value(PROD) },
      nodes: nodesSaying(value(THEIRS)),
      want: { kind: 'there', node: THEIRS },
    },
    {
      title: 'that they do not have is missing, although we have one of that name',
      machine: ofProd,
      world: { node: value(OURS), cluster: value(PROD) },
      nodes: nodesSaying(ABSENT),
      want: MISSING,
    },
    {
      title: 'that cannot be seen there is not missing',
      machine: ofProd,
      world: { cluster: value(PROD) },
      nodes: nodesSaying(unreadable('prod is down')),
      want: { kind: 'unreadable', why: 'prod is down' },
    },
    {
      title: 'of a Cluster that is the one we run in is ours',
      machine: ofProd,
      world: { node: value(OURS), cluster: value(PROD) },
      nodes: nodesSaying({ kind: 'local' }),
      want: { kind: 'there', node: OURS },
    },
    {
      title: 'of a Cluster that cannot be reached is not known',
      machine: ofProd,
      world: { node: value(OURS), cluster: value(PROD) },
      want: { kind: 'unreadable', why: 'Sickbay does not read Nodes of the cluster prod' },
    },
    {
      title: 'that may not be read here is not missing',
      machine: aMachine(),
      world: { node: unreadable('forbidden') },
      want: { kind: 'unreadable', why: 'the local Nodes cannot be read: forbidden' },
    },
    {
      title: '[MH-137] that has none yet is unnamed: no other cluster is asked',
      machine: aMachine({ status: {}, spec: { clusterName: 'prod' } }),
      world: { cluster: value(PROD) },
      nodes: nodesSaying(unreadable('asked')),
      want: { kind: 'unnamed' },
    },
  ])('$title', ({ machine, world, nodes, want }) => expect(targetFromCache(machine, readerOf(world), nodes).node).toEqual(want));
});

describe('before a Node counts as gone or unhealthy, it is read from its server', () => {
  const after = async (machine: typeof ofProd, world: World, nodes?: WorkloadNodes) => {
    const reader = readerOf(world);
    return (await withLiveNode(targetFromCache(machine, reader, nodes), reader, { nodes })).node;
  };
  test.each([
    { title: 'and says the same', machine: aMachine(), world: {}, want: MISSING },
    {
      title: 'and has it: it was only not shown yet',
      machine: aMachine(),
      world: { fetchedNode: value(OURS) },
      want: { kind: 'there', node: OURS },
    },
    {
      title: 'and does not answer',
      machine: aMachine(),
      world: { fetchedNode: unreadable('timeout') },
      want: { kind: 'unreadable', why: 'the local Nodes cannot be read: timeout' },
    },
    {
      title: 'unless the Machine is of a Cluster that was not shown yet',
      machine: ofProd,
      world: { cluster: NO_SUCH_KIND, fetchedCluster: value(PROD) },
      want: { kind: 'unreadable', why: 'the local Nodes do not apply: Cluster prod was just created' },
    },
    {
      title: 'unless it is not known whether there is a Cluster',
      machine: ofProd,
      world: { cluster: NO_SUCH_KIND, fetchedCluster: unreadable('timeout') },
      want: { kind: 'unreadable', why: 'Cluster prod cannot be read: timeout' },
    },
    {
      title: 'unless the server has come to have Clusters, and not this one (ruling 123)',
      machine: ofProd,
      world: { cluster: NO_SUCH_KIND, fetchedCluster: ABSENT },
      want: { kind: 'unreadable', why: 'Cluster prod does not exist' },
    },
    {
      title: 'unless its Cluster is gone, which the cache does not show yet (ruling 123)',
      machine: ofProd,
      world: { cluster: value(PROD), fetchedCluster: ABSENT },
      nodes: nodesSaying(ABSENT),
      want: { kind: 'unreadable', why: 'Cluster prod does not exist' },
    },
    {
      title: 'unless its Cluster is being deleted, which the cache does not show yet (ruling 123)',
      machine: ofProd,
      world: { cluster: value(PROD), fetchedCluster: value(DELETED) },
      nodes: nodesSaying(ABSENT),
      want: { kind: 'unreadable', why: 'Cluster prod is being deleted' },
    },
    {
      title: 'unless the server has no Clusters any more',
      machine: ofProd,
      world: { cluster: value(PROD), fetchedCluster: NO_SUCH_KIND },
      nodes: nodesSaying(ABSENT),
      want: { kind: 'unreadable', why: 'whether its Node is a local one has just changed' },
    },
    {
      title: 'there: gone',
      machine: ofProd,
      world: { cluster: value(PROD), node: value(OURS) },
      nodes: nodesSaying(ABSENT),
      want: MISSING,
    },
    {
      title: 'there: not shown yet',
      machine: ofProd,
      world: { cluster: value(PROD) },
      nodes: nodesSaying(ABSENT, value(THEIRS)),
      want: { kind: 'there', node: THEIRS },
    },
    {
      title: 'there: no answer',
      machine: ofProd,
      world: { cluster: value(PROD) },
      nodes: nodesSaying(ABSENT, unreadable('prod is down')),
      want: { kind: 'unreadable', why: 'prod is down' },
    },
    {
      title: 'there, which is here: gone',
      machine: ofProd,
      world: { cluster: value(PROD) },
      nodes: nodesSaying({ kind: 'local' }),
      want: MISSING,
    },
  ])('$title', async ({ machine, world, nodes, want }) => expect(await after(machine, world, nodes)).toEqual(want));

  test.each([
    { title: 'there is no name to ask for', machine: aMachine({ status: {} }), node: ABSENT },
    { title: 'nothing can be seen there anyway', machine: aMachine(), node: unreadable('timeout') },
  ])('but not where $title', async ({ machine, node }) => {
    const target = targetFromCache(machine, readerOf({ node }));
    expect(await withLiveNode(target, readerOf({ fetchedNode: value(OURS) }))).toBe(target);
  });
});
