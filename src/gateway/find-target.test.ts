import { describe, expect, test } from 'vitest';
import { Deployment, Node, Pod, ReplicaSet } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { ownerReference, type Fetch, type Read } from '../kube/index.ts';
import { anObject } from '../testkit/fake-client.ts';
import { findTarget } from './find-target.ts';
import type { Candidate, Signal } from './signal.ts';

const at = (kind: string, name: string, owner?: KubeObject): KubeObject =>
  anObject(kind, {
    apiVersion: kind === 'Pod' || kind === 'Node' ? 'v1' : 'apps/v1',
    metadata: {
      name,
      uid: `uid-of-${name}`,
      namespace: kind === 'Node' ? undefined : 'shop',
      ownerReferences: owner ? [ownerReference(owner, { controller: true, blockOwnerDeletion: false })] : undefined,
    },
  });
const deployment = at('Deployment', 'checkout');
const replicaSet = at('ReplicaSet', 'checkout-1', deployment);
const pod = at('Pod', 'checkout-1-a', replicaSet);
const node = at('Node', 'worker-1');

const POD: Candidate = { resource: Pod, key: { namespace: 'shop', name: 'checkout-1-a' } };
const DEPLOYMENT: Candidate = { resource: Deployment, key: { namespace: 'shop', name: 'checkout' } };
const NODE: Candidate = { resource: Node, key: { namespace: '', name: 'worker-1' } };

const unreadable = { kind: 'unreadable', reason: 'forbidden' } as const;

/** A cluster that holds these, but for what is put in their place. */
const holding =
  (objects: readonly KubeObject[], instead: Readonly<Record<string, Read<KubeObject>>> = {}): Fetch =>
  (resource, { name }) => {
    const value = objects.find(({ kind, metadata }) => kind === resource.kind && metadata.name === name);
    return Promise.resolve(instead[name] ?? (value ? { kind: 'value', value } : { kind: 'absent' }));
  };

const find = (candidates: readonly [Candidate, ...Candidate[]], fetch: Fetch) => findTarget({ candidates } as Signal, fetch);

describe('the target of a signal', () => {
  test.each([
    ['a pod', POD],
    ['the Deployment itself', DEPLOYMENT],
    ['a ReplicaSet', { resource: ReplicaSet, key: { namespace: 'shop', name: 'checkout-1' } }],
  ])('is the top owner of %s', async (_, candidate) =>
    expect(await find([candidate], holding([pod, replicaSet, deployment]))).toEqual({
      kind: 'value',
      value: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1', object: deployment },
    }),
  );

  test('is the first that exists', async () =>
    expect(await find([DEPLOYMENT, NODE], holding([node]))).toMatchObject({ value: { kind: 'Node', name: 'worker-1', namespace: '' } }));

  test('is the first as it was named when none exists', async () =>
    expect(await find([DEPLOYMENT, POD], holding([]))).toEqual({
      kind: 'value',
      value: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1', object: undefined },
    }));

  test('is the last known owner when the next has gone', async () =>
    expect(await find([POD], holding([pod, replicaSet]))).toMatchObject({ value: { kind: 'ReplicaSet', name: 'checkout-1' } }));

  test('is the pod where a Node owns it: one unhealthy static pod is no reason to remediate the Node', async () =>
    expect(await find([{ ...POD, key: { namespace: 'shop', name: 'etcd' } }], holding([at('Pod', 'etcd', node), node]))).toMatchObject({
      value: { kind: 'Pod', name: 'etcd', namespace: 'shop' },
    }));

  test.each([
    ['the first candidate', [POD, NODE], 'checkout-1-a', 'shop/Pod/checkout-1-a: forbidden'],
    ['its owner', [POD], 'checkout-1', 'shop/ReplicaSet/checkout-1: forbidden'],
    ['the owner of its owner', [POD], 'checkout', 'shop/Deployment/checkout: forbidden'],
  ] as const)('is not known while %s cannot be read', async (_, candidates, name, reason) =>
    expect(await find([...candidates], holding([pod, replicaSet, deployment, node], { [name]: unreadable }))).toEqual({
      kind: 'unreadable',
      reason,
    }),
  );
});
