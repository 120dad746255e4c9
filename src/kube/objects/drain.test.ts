import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/builtin/index.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import { drainObstacle, podNames } from './drain.ts';

const OWNED = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: 'x', controller: true }] };
const EMPTY_DIR = { volumes: [{ name: 'data', emptyDir: {} }] };
const aPod = (name: string, more: Partial<ObjectMeta> = OWNED, spec: object = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
  spec: { containers: [], ...spec },
});
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

describe('which pods block the drain of a node', () => {
  test.each([
    { what: 'no pods', pods: [], want: undefined },
    { what: 'pods that are made again', pods: [aPod('a'), aPod('b', OWNED, { volumes: [{ name: 'c', configMap: {} }] })], want: undefined },
    { what: 'a pod without a controller', pods: [aPod('a'), aPod('b', {})], want: 'orphans shop/b' },
    {
      what: 'a pod with an owner that does not manage it',
      pods: [aPod('b', { ownerReferences: [{ ...OWNED.ownerReferences[0]!, controller: false }] })],
      want: 'orphans shop/b',
    },
    { what: 'a pod with an emptyDir', pods: [aPod('a', OWNED, EMPTY_DIR)], want: 'data shop/a' },
    { what: 'both', pods: [aPod('a', OWNED, EMPTY_DIR), aPod('b', {})], want: 'orphans shop/b' },
    { what: 'pods that are going already', pods: [aPod('a', GOING), aPod('b', { ...OWNED, ...GOING }, EMPTY_DIR)], want: undefined },
  ])('$what', ({ pods, want }) => {
    const found = drainObstacle(pods);
    expect(found && `${found.kind} ${podNames(found.pods)}`).toBe(want);
  });

  test('data that may be lost does not, but pods that nothing makes again do', () => {
    expect(drainObstacle([aPod('a', OWNED, EMPTY_DIR)], { mayLoseData: true })).toBeUndefined();
    expect(drainObstacle([aPod('a', {}, EMPTY_DIR)], { mayLoseData: true })?.kind).toBe('orphans');
  });

  test('five are named', () => {
    const pods = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => aPod(name));
    expect(podNames(pods.slice(0, 5))).toBe('shop/a, shop/b, shop/c, shop/d, shop/e');
    expect(podNames(pods)).toBe('shop/a, shop/b, shop/c, shop/d, shop/e and 2 more');
  });
});
