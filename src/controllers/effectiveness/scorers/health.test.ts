import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/builtin/index.ts';
import { MINUTE } from '../../../base/index.ts';
import { aPod, at, time } from '../testing/builders.ts';
import { scoreHealth, type TargetPods } from './health.ts';

const LOOPING = { state: { waiting: { reason: 'CrashLoopBackOff' } } };
const ended = (reason: string, atMs: number) => ({ lastState: { terminated: { exitCode: 1, reason, finishedAt: time(atMs) } } });
const SINCE = at(-MINUTE);

const READY = { type: 'Ready', status: 'True' } as const;
/** The kubelet has not said a word about it. */
const unheardOf = (name: string): Pod => {
  const { status: _, ...pod } = aPod(name);
  return pod;
};

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
    message: 'scaled to zero: no pods run',
  },
  {
    name: '[EM-126] none wanted, on purpose',
    pods: [],
    desired: 0,
    more: { scalesToZero: true },
    score: undefined,
    message: 'scaled to zero, as the workflow intended',
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
    name: '[EM-130] OOMKilled since',
    pods: [aPod('a'), aPod('b', { container: { restartCount: 1, ...ended('OOMKilled', 0) } })],
    score: 0.25,
    message: '2 of 2 pods ready, but b was OOMKilled',
  },
  {
    name: '[EM-135] OOMKilled and not ready',
    pods: [aPod('a'), aPod('b', { ready: false, container: { restartCount: 1, ...ended('OOMKilled', 0) } })],
    score: 0.5,
    message: '1 of 2 pods ready, 1 restart since the fix',
  },
  {
    name: '[EM-136] one OOMKilled, the other restarted',
    pods: [
      aPod('a', { container: { restartCount: 3, ...ended('Error', 0) } }),
      aPod('b', { container: { restartCount: 1, ...ended('OOMKilled', 0) } }),
    ],
    score: 0.25,
    message: '2 of 2 pods ready, but b was OOMKilled',
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
    name: 'restarted at an unknown time',
    pods: [aPod('a', { container: { restartCount: 1 } })],
    desired: 1,
    score: 0.75,
    message: '1 of 1 pods ready, 1 restart since the fix',
  },
  {
    name: 'restarted, and the start of the remediation is unknown',
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
    name: 'pods without any status, or none of their containers',
    pods: [aPod('a'), { ...aPod('b'), status: {} }, unheardOf('c')],
    score: 0.5,
    message: '1 of 3 pods ready',
  },
  {
    name: 'ready, and other things besides',
    pods: [{ ...aPod('a'), status: { conditions: [READY, { type: 'Initialized', status: 'False' }] } }],
    desired: 1,
    score: 1,
    message: '1 of 1 pods ready',
  },
  {
    name: 'other things, but not ready',
    pods: [{ ...aPod('a'), status: { conditions: [{ type: 'Initialized', status: 'True' }] } }],
    desired: 1,
    score: 0,
    message: '0 of 1 pods ready',
  },
  { name: 'none wanted, and one still there', pods: [aPod('a', { ready: false })], desired: 0, score: 0, message: '0 of 1 pods ready' },
  {
    name: 'one of several containers OOMKilled',
    pods: [aPod('a', { init: {}, container: { restartCount: 1, ...ended('OOMKilled', 0) } })],
    desired: 1,
    score: 0.25,
    message: '1 of 1 pods ready, but a was OOMKilled',
  },
  {
    name: 'ended once without a restart: that was a run, not a restart',
    pods: [aPod('a', { init: { restartCount: 0, ...ended('Completed', 0) } })],
    desired: 1,
    score: 1,
    message: '1 of 1 pods ready',
  },
  {
    name: 'restarted, and what it knows of its last end is empty',
    pods: [aPod('a', { container: { restartCount: 1, lastState: {}, state: {} } })],
    desired: 1,
    score: 0.75,
    message: '1 of 1 pods ready, 1 restart since the fix',
  },
];

const restarted = (times: number, createdMs: number): Pod => {
  const pod = aPod('a', { container: { restartCount: times, ...ended('Error', 0) } });
  return { ...pod, metadata: { ...pod.metadata, creationTimestamp: time(createdMs) } };
};

/** How often the pods of a target restarted, as people are told. */
const restarts: readonly (readonly [string, readonly Pod[], string])[] = [
  ['a new pod, three times', [restarted(3, 0)], '3 restarts'],
  ['a pod made at the very moment, twice', [restarted(2, -MINUTE)], '2 restarts'],
  ['an older pod, nine times, of which one was since', [restarted(9, -2 * MINUTE)], 'at least 1 restart'],
  ['an older pod, for the first time', [restarted(1, -2 * MINUTE)], '1 restart'],
  ['an older and a new one', [restarted(4, -2 * MINUTE), restarted(2, 0)], 'at least 3 restarts'],
  ['a new and an older one', [restarted(2, 0), restarted(4, -2 * MINUTE)], 'at least 3 restarts'],
  ['two older ones, one of them for the first time', [restarted(1, -2 * MINUTE), restarted(4, -2 * MINUTE)], 'at least 2 restarts'],
];

describe('health', () => {
  test.each(cases)('$name', ({ pods, desired = 2, more, score, message }) => {
    const health = scoreHealth({ pods, desired, since: SINCE, ...more });
    expect(health).toEqual(score === undefined ? { message } : { score, message });
  });

  test.each(restarts)('restarts of %s', (_, pods, told) =>
    expect(scoreHealth({ pods, desired: pods.length, since: SINCE })).toEqual({
      score: 0.75,
      message: `${pods.length} of ${pods.length} pods ready, ${told} since the fix`,
    }),
  );

  test('of a pod of unknown age, and of a remediation of unknown time, are counted conservatively', () => {
    const { creationTimestamp: _, ...ageless } = restarted(4, 0).metadata;
    const pod = { ...restarted(4, 0), metadata: ageless } as Pod;
    expect(scoreHealth({ pods: [pod], desired: 1, since: SINCE }).message).toContain('at least 1 restart since');
    expect(scoreHealth({ pods: [restarted(4, 0)], desired: 1, since: undefined }).message).toContain('at least 1 restart since');
  });
});
