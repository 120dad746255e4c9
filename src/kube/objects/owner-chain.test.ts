import { describe, expect, test } from 'vitest';
import type { KubeObject, OwnerReference } from '../../api/meta.ts';
import { ownerChain, type Fetch } from './owner-chain.ts';

const object = (kind: string, name: string, owner?: Partial<OwnerReference>): KubeObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: {
    name,
    namespace: 'shop',
    uid: `${kind}-${name}`,
    resourceVersion: '1',
    creationTimestamp: '2026-11-15T03:00:00Z',
    ...(owner ? { ownerReferences: [{ apiVersion: 'apps/v1', kind: '', name: '', uid: '', controller: true, ...owner }] } : {}),
  },
});

const deployment = object('Deployment', 'checkout');
const replicaSet = object('ReplicaSet', 'checkout-1', { kind: 'Deployment', name: 'checkout', uid: 'Deployment-checkout' });
const pod = object('Pod', 'checkout-1-a', { kind: 'ReplicaSet', name: 'checkout-1', uid: 'ReplicaSet-checkout-1' });

const holding =
  (...objects: readonly KubeObject[]): Fetch =>
  (resource, key) => {
    const value = objects.find(({ kind, metadata }) => kind === resource.kind && metadata.name === key.name);
    return Promise.resolve(value ? { kind: 'value', value } : { kind: 'absent' });
  };

const names = async (start: KubeObject, fetch: Fetch): Promise<readonly string[]> =>
  (await ownerChain(start, fetch)).owners.map(({ kind, metadata }) => `${kind}/${metadata.name}`);

describe('ownerChain', () => {
  test('goes up to the top, nearest first', async () =>
    expect(await names(pod, holding(replicaSet, deployment))).toEqual(['ReplicaSet/checkout-1', 'Deployment/checkout']));

  test('an object that nothing manages is its own top', async () => expect(await names(deployment, holding())).toEqual([]));

  test('an owner that does not control is no owner', async () => {
    const kept = object('Pod', 'a', { kind: 'ReplicaSet', name: 'checkout-1', uid: 'ReplicaSet-checkout-1', controller: false });
    expect(await names(kept, holding(replicaSet, deployment))).toEqual([]);
  });

  test('an owner of a kind that we do not know ends the walk', async () => {
    const managed = object('Deployment', 'checkout', { apiVersion: 'example.com/v1', kind: 'Shop', name: 'main', uid: 's' });
    expect(await ownerChain(managed, holding())).toEqual({ owners: [] });
  });

  test('an owner that is gone ends the walk, and the reason is reported', async () =>
    expect(await ownerChain(pod, holding(replicaSet))).toEqual({ owners: [replicaSet], reason: 'Deployment checkout: gone' }));

  test('an owner that cannot be read is not gone', async () =>
    expect(await ownerChain(pod, () => Promise.resolve({ kind: 'unreadable', reason: 'forbidden' }))).toEqual({
      owners: [],
      reason: 'ReplicaSet checkout-1: forbidden',
    }));

  test('an object of the same name and another UID is not the owner', async () => {
    const another = { ...replicaSet, metadata: { ...replicaSet.metadata, uid: 'another' } };
    expect((await ownerChain(pod, holding(another, deployment))).owners).toEqual([]);
  });

  test('a circle of owners ends', async () => {
    const loop = object('ReplicaSet', 'checkout-1', { kind: 'ReplicaSet', name: 'checkout-1', uid: 'ReplicaSet-checkout-1' });
    expect(await names(pod, holding(loop))).toHaveLength(5);
  });
});
