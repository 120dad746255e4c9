import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../base/index.ts';
import { crashOf, isReady, readySince, shakiestRun, troubleOf } from './pod-state.ts';
import { aCrashingPod, aPod, ended, minutesAgo, NOW, type PodOptions } from './testing/a-deployment.ts';

const runningFor = (ms: number): PodOptions['state'] & object => ({ running: { startedAt: toTime(after(NOW, -ms)) } });

describe('crashOf', () => {
  const cases: readonly { name: string; pod: PodOptions; want: object | undefined }[] = [
    { name: 'runs well', pod: {}, want: undefined },
    {
      name: 'waits to be restarted',
      pod: { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(3, { ranMs: 7 * SECOND }), restarts: 2 },
      want: { exitCode: 3, reason: 'Error', restarts: 2, ranForMs: 7 * SECOND, ends: 3, lastEndAt: minutesAgo(2) },
    },
    { name: 'waits for something else', pod: { state: { waiting: { reason: 'ContainerCreating' } }, restarts: 1 }, want: undefined },
    { name: 'ended for the first time', pod: { state: ended(1) }, want: undefined },
    {
      name: 'ended again',
      pod: { state: ended(1), restarts: 1 },
      want: { exitCode: 1, reason: 'Error', restarts: 1, ranForMs: SECOND, ends: 2, lastEndAt: minutesAgo(2) },
    },
    { name: 'ended again, as it should', pod: { state: ended(0), restarts: 1 }, want: undefined },
    {
      name: 'was restarted a moment ago',
      pod: { state: runningFor(MINUTE - SECOND), lastState: ended(1), restarts: 1 },
      want: { exitCode: 1, reason: 'Error', restarts: 1, ranForMs: SECOND, ends: 1, lastEndAt: minutesAgo(2) },
    },
    { name: 'was restarted a minute ago', pod: { state: runningFor(MINUTE), lastState: ended(1), restarts: 1 }, want: undefined },
    {
      name: 'was restarted a moment ago after a good end',
      pod: { state: runningFor(0), lastState: ended(0), restarts: 1 },
      want: undefined,
    },
    {
      name: 'ends before it began, by clocks that differ',
      pod: { state: ended(1, { ranMs: -SECOND }), restarts: 1 },
      want: { exitCode: 1, reason: 'Error', restarts: 1, ranForMs: 0, ends: 2, lastEndAt: minutesAgo(2) },
    },
    {
      name: 'does not say when it ran',
      pod: { state: { terminated: { exitCode: 1 } }, restarts: 1 },
      want: { exitCode: 1, restarts: 1, ranForMs: 0, ends: 2 },
    },
  ];
  test.each(cases)('a container that $name', ({ pod, want }) => expect(crashOf(aPod('p', pod), NOW)).toEqual(want));

  test('a pod without a status has none', () => {
    const { status: _, ...pod } = aPod('p');
    expect([crashOf(pod, NOW), isReady(pod), readySince(pod), shakiestRun(pod, NOW), troubleOf(pod)]).toEqual([
      undefined,
      false,
      undefined,
      undefined,
      'Unknown',
    ]);
  });
});

describe('shakiestRun', () => {
  test('is unknown for a pod that never ended', () => expect(shakiestRun(aPod('p'), NOW)).toBeUndefined());
  test('counts from the restart', () =>
    expect(shakiestRun(aPod('p', { state: runningFor(MINUTE), lastState: ended(1, { ranMs: 5 * SECOND }) }), NOW)).toEqual({
      forMs: MINUTE,
      beforeMs: 5 * SECOND,
    }));
  test('counts from the end where the container has not been restarted', () =>
    expect(shakiestRun(aCrashingPod('p'), NOW)).toEqual({ forMs: 2 * MINUTE, beforeMs: SECOND }));
});

describe('troubleOf', () => {
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] as const;
  const cases: readonly { pod: PodOptions; want: string }[] = [
    { pod: { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(137, { reason: 'OOMKilled' }) }, want: 'OOMKilled' },
    { pod: { state: { waiting: { reason: 'ErrImagePull' } } }, want: 'ErrImagePull' },
    { pod: { state: {}, conditions }, want: 'Unschedulable' },
    { pod: { ready: false }, want: 'NotReady' },
  ];
  test.each(cases)('$want', ({ pod, want }) => expect(troubleOf(aPod('p', pod))).toBe(want));

  test('a pod that was evicted says so itself', () => {
    const { status: _, ...pod } = aPod('p');
    expect(troubleOf({ ...pod, status: { phase: 'Failed', reason: 'Evicted' } })).toBe('Evicted');
    expect(troubleOf({ ...pod, status: { phase: 'Pending' } })).toBe('Pending');
  });
});
