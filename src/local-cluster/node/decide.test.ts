import { describe, expect, test } from 'vitest';
import type { Node } from '../../api/builtin/index.ts';
import { aPod, at, effectText, NOW, timeAt } from '../testing/builders.ts';
import { decide } from './decide.ts';
import { KUBELET_ANNOTATION } from './node-name.ts';

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

describe('a taint is written without the rest of the spec', () => {
  const stopped = (spec?: Node['spec']): Node => ({
    ...node(),
    metadata: { ...node().metadata, name: 'worker-1', annotations: { [KUBELET_ANNOTATION]: 'stopped' } },
    ...(spec && { spec }),
  });
  const other = { key: 'disk', effect: 'NoSchedule' };
  const ours = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'node.kubernetes.io/unreachable', effect }));
  const patches = (object: Node) => decide({ object, orphans: [] }, NOW).effects;
  const { resourceVersion } = stopped().metadata;

  test('beside others, where they are as they were seen', () =>
    expect(patches(stopped({ unschedulable: true, taints: [other] }))).toMatchObject([
      {
        operations: [
          { op: 'test', path: '/spec/taints', value: [other] },
          { op: 'replace', path: '/spec/taints', value: [other, ...ours] },
        ],
      },
    ]));

  test('as the first, where nothing was written since', () => {
    expect(patches(stopped({ unschedulable: true }))).toMatchObject([
      { resourceVersion, operations: [{ op: 'add', path: '/spec/taints', value: ours }] },
    ]);
    expect(patches(stopped())).toMatchObject([{ resourceVersion, operations: [{ op: 'add', path: '/spec', value: { taints: ours } }] }]);
  });

  test('and is removed alone', () => {
    const { annotations: _stopped, ...metadata } = stopped().metadata;
    expect(patches({ ...stopped({ unschedulable: true, taints: ours }), metadata })).toMatchObject([
      {
        operations: [
          { op: 'test', path: '/spec/taints', value: ours },
          { op: 'remove', path: '/spec/taints' },
        ],
      },
    ]);
  });
});
