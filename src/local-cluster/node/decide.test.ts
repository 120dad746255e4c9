import { expect, test } from 'vitest';
import type { Node } from '../../api/builtin/index.ts';
import { aPod, at, effectText, NOW, timeAt } from '../testing/builders.ts';
import { decide } from './decide.ts';

const node = (status?: Node['status']): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { ...aPod({}).metadata, name: 'local' },
  ...(status && { status }),
});

test('the node reports that it is ready, and since when', () => {
  const status = decide({ object: node(), orphans: [] }, NOW).status as Node['status'];
  expect(status?.conditions).toMatchObject([{ type: 'Ready', status: 'True', lastTransitionTime: timeAt(0) }]);
  expect(decide({ object: node(status), orphans: [] }, at(99)).status).toEqual(status);
});

test('conditions and labels of other writers stay', () => {
  const before: Node['status'] = {
    capacity: { cpu: '1' },
    conditions: [
      { type: 'Disk', status: 'False' },
      { type: 'Ready', status: 'False', lastTransitionTime: timeAt(0) },
    ],
  };
  const status = decide({ object: node(before), orphans: [] }, at(5)).status as Node['status'];
  expect(status?.capacity).toEqual({ cpu: '1' });
  expect(status?.conditions).toMatchObject([{ type: 'Disk' }, { type: 'Ready', status: 'True', lastTransitionTime: timeAt(5) }]);
});

test('processes without a pod are ended, and looked at again soon', () => {
  const decision = decide({ object: node(), orphans: ['pod-1', 'pod-2'] }, NOW);
  expect(decision.effects.map(effectText)).toEqual(['Call forget-process pod-1', 'Call forget-process pod-2']);
  expect(decision.wakeAt).toBe(at(1));
  expect(decide({ object: node(), orphans: [] }, NOW).wakeAt).toBe(at(30));
});
