import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/builtin/index.ts';
import { after, MINUTE, SECOND } from '../../../base/index.ts';
import { isUnreachable, judgeDrain } from './drain.ts';
import { ago, aNode, aPod, NOW } from '../testing/builders.ts';

const by = (kind: string) => ({ ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'it', uid: 'uid-it', controller: true }] });

const judge = (pod: Pod, ready: 'True' | 'False' | 'Unknown' | 'never' = 'True') =>
  judgeDrain({ node: aNode('node-1', { ready }), pods: [pod], since: after(NOW, -MINUTE), timeoutMs: 10 * MINUTE, now: NOW });

describe('which pods must be evicted', () => {
  test.each<readonly [string, Pod, boolean]>([
    ['one of a ReplicaSet', aPod('a', by('ReplicaSet')), true],
    ['one without a controller', aPod('a'), true],
    ['one of a DaemonSet', aPod('a', by('DaemonSet')), false],
    ['one that the Node runs from a file', aPod('a', { annotations: { 'kubernetes.io/config.mirror': 'x' } }), false],
    ['one of the Node', aPod('a', by('Node')), false],
    ['one that succeeded', aPod('a', { phase: 'Succeeded' }), false],
    ['one that failed', aPod('a', { phase: 'Failed' }), false],
  ])('%s', (_, pod, mustLeave) => {
    const { left, toEvict } = judge(pod);
    expect([left.length, toEvict.length]).toEqual(mustLeave ? [1, 1] : [0, 0]);
  });
});

describe('a pod that is on its way out', () => {
  const going = (deletionTimestamp: string): Pod => aPod('a', { deletionTimestamp });

  test('is not asked again', () => expect(judge(going(ago(-30 * SECOND))).toEvict).toEqual([]));

  test.each<readonly [string, 'True' | 'False' | 'Unknown' | 'never', string, number]>([
    ['is waited for while its Node is in reach, however late it is', 'True', ago(MINUTE), 1],
    ['is waited for on a Node that only says that it is not ready', 'False', ago(MINUTE), 1],
    ['is waited for on a Node out of reach while it has time', 'Unknown', ago(-SECOND), 1],
    ['is not waited for there from the moment on at which it should have ended', 'Unknown', ago(0), 0],
    ['is not waited for on a Node that never reported', 'never', ago(SECOND), 0],
  ])('%s', (_, ready, deletionTimestamp, left) => expect(judge(going(deletionTimestamp), ready).left).toHaveLength(left));
});

test('the timeout starts with the first evictions, or never ends', () => {
  const question = { node: aNode('node-1'), pods: [], since: NOW, now: NOW };
  expect(judgeDrain({ ...question, timeoutMs: MINUTE }).deadline).toBe(after(NOW, MINUTE));
  expect(judgeDrain({ ...question, timeoutMs: 0 }).deadline).toBeUndefined();
});

test.each(['True', 'False'] as const)('a Node that says Ready=%s is in reach', (ready) =>
  expect(isUnreachable(aNode('node-1', { ready }))).toBe(false),
);
