import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/builtin/index.ts';
import { MINUTE } from '../../../base/index.ts';
import { aPod, at, time } from '../testing/builders.ts';
import { scoreHealth, type TargetPods } from './health.ts';

const LOOPING = { state: { waiting: { reason: 'CrashLoopBackOff' } } };
const ended = (reason: string, atMs: number) => ({ lastState: { terminated: { exitCode: 1, reason, finishedAt: time(atMs) } } });
const SINCE = at(-MINUTE);

interface Case {
  readonly name: string;
  readonly pods: readonly Pod[];
  readonly desired?: number;
  readonly more?: Partial<TargetPods>;
  readonly score: number | undefined;
  readonly message: string;
}

const cases: readonly Case[] = [
  { name: '[EM-132] all ready', pods: [aPod('a'), aPod('b')], score: 1, message: '2 of 2 pods ready' },
  {
    name: '[EM-125] none wanted',
    pods: [],
    desired: 0,
    score: 0,
    message: 'scaled to zero: there is no pod to be ready',
  },
  {
    name: '[EM-126] none wanted, on purpose',
    pods: [],
    desired: 0,
    more: { scalesToZero: true },
    score: undefined,
    message: 'scaled to zero, as the workflow meant',
  },
  {
    name: 'one wanted, though the workflow scales to zero: it is judged as any other',
    pods: [],
    desired: 1,
    more: { scalesToZero: true },
    score: 0,
    message: '0 of 1 pods ready',
  },
  {
    name: '[EM-127] one crashes again and again',
    pods: [aPod('a', { ready: false, container: LOOPING })],
    desired: 1,
    score: 0,
    message: '0 of 1 pods ready, a is in CrashLoopBackOff',
  },
  {
    name: '[EM-134] one crashes again and again, the other is ready',
    pods: [aPod('a'), aPod('b', { ready: false, container: LOOPING })],
    score: 0,
    message: '1 of 2 pods ready, b is in CrashLoopBackOff',
  },
  {
    name: 'a container that only prepares crashes again and again',
    pods: [aPod('a'), aPod('b', { ready: false, init: LOOPING })],
    score: 0,
    message: '1 of 2 pods ready, b is in CrashLoopBackOff',
  },
  { name: '[EM-128] none ready', pods: [aPod('a', { ready: false }), aPod('b', { ready: false })], score: 0, message: '0 of 2 pods ready' },
  { name: 'no pods at all', pods: [], score: 0, message: '0 of 2 pods ready' },
  { name: '[EM-129] one ready of two', pods: [aPod('a'), aPod('b', { ready: false })], score: 0.5, message: '1 of 2 pods ready' },
  { name: 'one ready, the other not there', pods: [aPod('a')], score: 0.5, message: '1 of 2 pods ready' },
  {
    name: 'all wanted are ready, but a rollout is stuck beside them',
    pods: [aPod('a'), aPod('b'), aPod('c', { ready: false })],
    score: 0.5,
    message: '2 of 3 pods ready',
  },
  {
    name: '[EM-130] killed for want of memory since',
    pods: [aPod('a'), aPod('b', { container: { restartCount: 1, ...ended('OOMKilled', 0) } })],
    score: 0.25,
    message: '2 of 2 pods ready, but b was killed for want of memory',
  },
  {
    name: '[EM-135] killed for want of memory and not ready',
    pods: [aPod('a'), aPod('b', { ready: false, container: { restartCount: 1, ...ended('OOMKilled', 0) } })],
    score: 0.5,
    message: '1 of 2 pods ready, 1 restart since the fix',
  },
  {
    name: '[EM-136] one killed for want of memory, the other restarted',
    pods: [
      aPod('a', { container: { restartCount: 3, ...ended('Error', 0) } }),
      aPod('b', { container: { restartCount: 1, ...ended('OOMKilled', 0) } }),
    ],
    score: 0.25,
    message: '2 of 2 pods ready, but b was killed for want of memory',
  },
  {
    name: '[EM-131] restarted since',
    pods: [aPod('a'), aPod('b', { container: { restartCount: 1, ...ended('Error', 0) } })],
    score: 0.75,
    message: '2 of 2 pods ready, 1 restart since the fix',
  },
  {
    name: 'restarted at the very moment of the remediation',
    pods: [aPod('a', { container: { restartCount: 1, ...ended('Error', -MINUTE) } })],
    desired: 1,
    score: 0.75,
    message: '1 of 1 pods ready, 1 restart since the fix',
  },
  {
    name: 'restarted before the remediation',
    pods: [aPod('a', { container: { restartCount: 9, ...ended('OOMKilled', -MINUTE - 1_000) } })],
    desired: 1,
    score: 1,
    message: '1 of 1 pods ready',
  },
  {
    name: 'restarted, and only the new start is known',
    pods: [aPod('a', { container: { restartCount: 1, state: { running: { startedAt: time(-2 * MINUTE) } } } })],
    desired: 1,
    score: 1,
    message: '1 of 1 pods ready',
  },
  {
    name: 'restarted, nobody knows when',
    pods: [aPod('a', { container: { restartCount: 1 } })],
    desired: 1,
    score: 0.75,
    message: '1 of 1 pods ready, 1 restart since the fix',
  },
  {
    name: 'restarted, and nobody knows when the remediation began',
    pods: [aPod('a', { container: { restartCount: 1, ...ended('Error', -60 * MINUTE) } })],
    desired: 1,
    more: { since: undefined },
    score: 0.75,
    message: '1 of 1 pods ready, 1 restart since the fix',
  },
  {
    name: 'the pods of before are going',
    pods: [aPod('a'), aPod('b'), aPod('old', { deleted: true, ready: false, container: LOOPING })],
    score: 1,
    message: '2 of 2 pods ready',
  },
  {
    name: 'evicted pods are left lying about',
    pods: [aPod('a'), aPod('b'), aPod('c', { phase: 'Failed', ready: false }), aPod('d', { phase: 'Succeeded', ready: false })],
    score: 1,
    message: '2 of 2 pods ready',
  },
  {
    name: 'a pod without any status',
    pods: [aPod('a'), { ...aPod('b'), status: {} }],
    score: 0.5,
    message: '1 of 2 pods ready',
  },
];

describe('health', () => {
  test.each(cases)('$name', ({ pods, desired = 2, more, score, message }) => {
    const health = scoreHealth({ pods, desired, since: SINCE, ...more });
    expect(health).toEqual(score === undefined ? { message } : { score, message });
  });
});
