import { describe, expect, test } from 'vitest';
import { Deployment, PersistentVolumeClaim, Pod, ReplicaSet } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import { ownerReference, type Fetch, type Read } from '../kube/index.ts';
import { anObject } from '../testkit/fake-client.ts';
import { findTarget } from './find-target.ts';
import type { NamedObject } from './signal.ts';

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

const POD: NamedObject = { resource: Pod, key: { namespace: 'shop', name: 'checkout-1-a' } };
const DEPLOYMENT: NamedObject = { resource: Deployment, key: { namespace: 'shop', name: 'checkout' } };
const CLAIM: NamedObject = { resource: PersistentVolumeClaim, key: { namespace: 'shop', name: 'data-checkout-0' } };

const unreadable = { kind: 'unreadable', reason: 'forbidden' } as const;

/** A cluster that holds these, but for what is put in their place. */
const holding =
  (objects: readonly KubeObject[], instead: Readonly<Record<string, Read<KubeObject>>> = {}): Fetch =>
  (resource, { name }) => {
    const value = objects.find(({ kind, metadata }) => kind === resource.kind && metadata.name === name);
    return Promise.resolve(instead[name] ?? (value ? { kind: 'value', value } : { kind: 'absent' }));
  };

const find = (about: NamedObject, fetch: Fetch) => findTarget({ about }, fetch);

describe('the target of a signal', () => {
  test.each([
    ['a pod', POD],
    ['the Deployment itself', DEPLOYMENT],
    ['a ReplicaSet', { resource: ReplicaSet, key: { namespace: 'shop', name: 'checkout-1' } }],
  ])('is the top owner of %s', async (_, about) =>
    expect(await find(about, holding([pod, replicaSet, deployment]))).toEqual({
      kind: 'value',
      value: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1', object: deployment },
    }),
  );

  test('ruling 117: is the object that is named, and not its owner, where it owns no pods', async () =>
    expect(await find(CLAIM, holding([at('PersistentVolumeClaim', 'data-checkout-0', deployment), deployment]))).toMatchObject({
      value: { kind: 'PersistentVolumeClaim', name: 'data-checkout-0', namespace: 'shop' },
    }));

  test('is the object as it was named when it does not exist', async () =>
    expect(await find(DEPLOYMENT, holding([]))).toEqual({
      kind: 'value',
      value: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1', object: undefined },
    }));

  test('is the last known owner when the next has gone', async () =>
    expect(await find(POD, holding([pod, replicaSet]))).toMatchObject({ value: { kind: 'ReplicaSet', name: 'checkout-1' } }));

  test('is the pod where a Node owns it: one unhealthy static pod is no reason to remediate the Node', async () =>
    expect(await find({ ...POD, key: { namespace: 'shop', name: 'etcd' } }, holding([at('Pod', 'etcd', node), node]))).toMatchObject({
      value: { kind: 'Pod', name: 'etcd', namespace: 'shop' },
    }));

  test.each([
    ['the object', 'checkout-1-a', 'shop/Pod/checkout-1-a: forbidden'],
    ['its owner', 'checkout-1', 'shop/ReplicaSet/checkout-1: forbidden'],
    ['the owner of its owner', 'checkout', 'shop/Deployment/checkout: forbidden'],
  ] as const)('is not known while %s cannot be read', async (_, name, reason) =>
    expect(await find(POD, holding([pod, replicaSet, deployment, node], { [name]: unreadable }))).toEqual({ kind: 'unreadable', reason }),
  );
});
