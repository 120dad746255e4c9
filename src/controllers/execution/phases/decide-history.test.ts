import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { ABSENT, aJob, aLock, anExecution, found, inState, listed, NOW, running, seenWith, UNREADABLE } from '../testing/builders.ts';
import { judged, wanted, type Case } from '../testing/decision-case.ts';
import { aFailedRun, aFailedStart, aSuccess } from '../testing/finished-executions.ts';

const free: Partial<Everything> = { lock: ABSENT };
const waits = (minutes: number) => aFailedStart(2, { nextAllowedExecution: toTime(after(NOW, minutes * MINUTE)) });
const holder = anExecution({ uid: 'wfe-2', name: 'we-2', status: { phase: 'Failed', completionTime: toTime(after(NOW, -30 * SECOND)) } });
const cooling: Partial<Everything> = { lock: found(aLock('wfe-2')), holder: found(holder) };
const busy: Partial<Everything> = { lock: found(aLock('wfe-2')), holder: found(anExecution({ uid: 'wfe-2', status: running })) };

const cases: readonly Case[] = [
  {
    name: 'free',
    reason: 'nothing holds it back',
    seen: { history: listed(aSuccess()) },
    phase: 'Pending',
    because: 'Pending',
    effects: ['Create Job'],
  },
  {
    name: 'backing off',
    reason: '[BO-119] not even the lock is taken',
    seen: { ...free, history: listed(waits(1)) },
    phase: 'Pending',
    because: 'RecentlyRemediated',
  },
  {
    name: 'backing off under the lock',
    reason: '[BO-005] nothing is created',
    seen: { history: listed(waits(1)) },
    phase: 'Pending',
    because: 'RecentlyRemediated',
  },
  {
    name: 'backing off with a held run',
    reason: 'no run is released',
    seen: { run: found(aJob({ held: true })), history: listed(waits(1)) },
    phase: 'Pending',
    because: 'RecentlyRemediated',
  },
  {
    name: 'back-off over',
    reason: '[BO-007] [BO-075] now is late enough',
    seen: { ...free, history: listed(waits(0)) },
    phase: 'Pending',
    because: 'Pending',
    effects: ['Create Lease'],
  },
  {
    name: 'both, back-off longer',
    reason: '[BO-007] the later end counts',
    seen: { ...cooling, history: listed(waits(1)) },
    phase: 'Pending',
    because: 'RecentlyRemediated',
  },
  {
    name: 'both, cooldown longer',
    reason: '[BO-007] the later end counts',
    seen: { ...cooling, history: listed(waits(0.1)) },
    phase: 'Pending',
    because: 'CooldownActive',
  },
  {
    name: 'another runs',
    reason: '[BO-052] a run at work is the better reason',
    seen: { ...busy, history: listed(waits(1)) },
    phase: 'Skipped',
    because: 'ResourceBusy',
  },
  {
    name: 'a run failed',
    reason: '[BO-117] at once',
    seen: { ...free, history: listed(aFailedRun()) },
    phase: 'Skipped',
    because: 'PreviousExecutionFailed',
  },
  {
    name: 'a run failed, seen under the lock',
    reason: '[BO-120] also then',
    seen: { history: listed(aFailedRun()) },
    phase: 'Skipped',
    because: 'PreviousExecutionFailed',
  },
  {
    name: 'a run failed, seen when ours is held',
    reason: 'also then',
    seen: { run: found(aJob({ held: true })), history: listed(aFailedRun()) },
    phase: 'Skipped',
    because: 'PreviousExecutionFailed',
  },
  {
    name: 'five failed',
    reason: '[BO-118] [BO-161] at once',
    seen: { ...free, history: listed(aFailedStart(5)) },
    phase: 'Skipped',
    because: 'ExhaustedRetries',
  },
  {
    name: 'not readable',
    reason: 'unreadable is never absent',
    seen: { ...free, history: UNREADABLE },
    phase: 'Pending',
    because: 'WaitingForHistory',
  },
  {
    name: 'not readable under the lock',
    reason: 'unreadable is never absent',
    seen: { history: UNREADABLE },
    phase: 'Pending',
    because: 'WaitingForHistory',
  },
  {
    name: 'a run of ours acts already',
    reason: 'nothing can take that back: its result is taken',
    seen: { run: found(aJob()), history: listed(aFailedRun()) },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated'],
  },
];

describe('pending, by what ran before', () => {
  test.each(cases)('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));
});

const bad = { workflowRef: { ...anExecution().spec.workflowRef, executionBundle: ' ' } };
const statusAfter = (seen: Partial<Everything>): ExecutionStatus => decide(seenWith(seen), NOW).status as ExecutionStatus;
const pendingBad = anExecution({ spec: bad, status: { phase: 'Pending' } });
const atWork = (consecutiveFailures?: number) =>
  anExecution({ status: { ...running, ...(consecutiveFailures === undefined ? {} : { consecutiveFailures }) } });
const over = (type: 'Complete' | 'Failed') => found(aJob({ ended: { type } }));

describe('[BO-159] a failure before anything ran', () => {
  test.each([
    { id: 'BO-122', before: [], failures: 1, minutes: 1 },
    { id: 'BO-123', before: [], failures: 1, minutes: 1 },
    { id: 'BO-128', before: [aFailedStart(3, { nextAllowedExecution: toTime(NOW) })], failures: 4, minutes: 8 },
    { id: 'BO-044', before: [aFailedStart(3, { minutesAgo: 9 }), aSuccess()], failures: 1, minutes: 1 },
  ])('[$id] [BO-087] [BO-115] [BO-096] number $failures waits $minutes min, all in one write', ({ before, failures, minutes }) => {
    expect(statusAfter({ object: pendingBad, history: listed(...before) })).toMatchObject({
      phase: 'Failed',
      completionTime: toTime(NOW),
      consecutiveFailures: failures,
      nextAllowedExecution: toTime(after(NOW, minutes * MINUTE)),
      failureDetails: { reason: 'ConfigurationError', failedAt: toTime(NOW), wasExecutionFailure: false, requiresManualReview: false },
    });
  });

  test('[BO-014] also of a run that could not begin, with the count it started with', () => {
    const pods = listed(inState({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }, 'Pending'));
    expect(statusAfter({ object: atWork(2), run: over('Failed'), pods })).toMatchObject({
      phase: 'Failed',
      consecutiveFailures: 3,
      nextAllowedExecution: toTime(after(NOW, 4 * MINUTE)),
    });
  });

  test('a run takes the count along when it starts', () => {
    const before = aFailedStart(2, { nextAllowedExecution: toTime(NOW) });
    expect(statusAfter({ run: found(aJob({ held: true })), history: listed(before) })).toMatchObject({
      phase: 'Running',
      consecutiveFailures: 2,
    });
  });

  test('what was refused is not counted', () => {
    const status = statusAfter({ request: ABSENT, history: listed(aFailedStart(2)) });
    expect(status.phase).toBe('Failed');
    expect(status.nextAllowedExecution).toBeUndefined();
  });
});

describe('other ends', () => {
  test('[BO-092] [BO-093] [BO-094] [BO-116] a run that failed raises nothing and waits for nothing', () => {
    const pods = listed(inState({ terminated: { exitCode: 1 } }, 'Failed'));
    const status = statusAfter({ object: atWork(2), run: over('Failed'), pods });
    expect(status).toMatchObject({ consecutiveFailures: 2, failureDetails: { wasExecutionFailure: true, requiresManualReview: true } });
    expect(status.nextAllowedExecution).toBeUndefined();
  });

  test.each([0, 1, 4, 99])('[BO-160] [BO-099] [BO-100] [BO-103] [BO-112] a success clears a count of %d in the same write', (count) => {
    const status = statusAfter({ object: atWork(count), run: over('Complete') });
    expect(status).toMatchObject({ phase: 'Completed', completionTime: toTime(NOW) });
    expect([status.consecutiveFailures, status.nextAllowedExecution]).toEqual([undefined, undefined]);
  });

  test('[BO-065] a skip says when', () => {
    expect(statusAfter({ ...free, history: listed(aFailedRun()) }).skipDetails?.skippedAt).toBe(toTime(NOW));
    expect(statusAfter({ ...free, history: listed(aFailedStart(5)) }).skipDetails?.skippedAt).toBe(toTime(NOW));
  });
});
