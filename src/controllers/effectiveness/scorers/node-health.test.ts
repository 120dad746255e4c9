import { expect, test } from 'vitest';
import type { Node, NodeCondition } from '../../../api/builtin/index.ts';
import { scoreNodeHealth } from './node-health.ts';

const aNode = (conditions: readonly NodeCondition[]): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'worker-1', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-11-15T03:00:00Z' },
  spec: { unschedulable: true },
  status: { conditions },
});
const READY = { type: 'Ready', status: 'True' } as const;

test.each([
  { name: 'ready', conditions: [READY], score: 1, message: 'the Node is ready' },
  {
    name: 'not heard of',
    conditions: [{ type: 'Ready', status: 'Unknown' }],
    score: 0,
    message: 'the Node is not well: its kubelet does not report',
  },
  { name: 'nothing said', conditions: [], score: 0, message: 'the Node is not well: it has never said that it is ready' },
  {
    name: 'not ready, and short of disk',
    conditions: [
      { type: 'Ready', status: 'False' },
      { type: 'DiskPressure', status: 'True' },
    ],
    score: 0,
    message: 'the Node is not well: it is not ready, DiskPressure is True',
  },
  {
    name: 'ready, but short of disk',
    conditions: [READY, { type: 'DiskPressure', status: 'True' }],
    score: 0.5,
    message: 'the Node is not well: DiskPressure is True',
  },
] as const)('a Node that is $name scores $score', ({ conditions, score, message }) =>
  expect(scoreNodeHealth(aNode(conditions))).toEqual({ score, message }),
);
