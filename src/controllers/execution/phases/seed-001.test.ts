import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import {
  ABSENT,
  aJob,
  aLock,
  anExecution,
  aRequest,
  effectText,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
} from '../testing/builders.ts';
import { aFailedRun, aFailedStart, aSuccess } from '../testing/finished-executions.ts';

const statusAfter = (seen: Partial<Everything>, at: Instant = NOW): ExecutionStatus => decide(seenWith(seen), at).status as ExecutionStatus;
const atWork = anExecution({ status: running });
const over = (type: 'Complete' | 'Failed', reason?: string) => found(aJob({ ended: { type, ...(reason !== undefined && { reason }) } }));
/** A wait that is over. */
const OVER = { nextAllowedExecution: toTime(after(NOW, -MINUTE)) };
const unfit = anExecution({ status: { phase: 'Pending' }, spec: { targetResource: 'nonsense' } });

describe('what a failure is', () => {
  test.each<{ id: string; what: string; seen: Partial<Everything>; acted: boolean }>([
    { id: 'BO-013', what: 'a spec that cannot be run', seen: { object: unfit, lock: ABSENT }, acted: false },
    {
      id: 'BO-017',
      what: 'a container that never started',
      seen: {
        object: atWork,
        run: over('Failed'),
        pods: listed(inState({ waiting: { reason: 'CreateContainerConfigError' } }, 'Pending')),
      },
      acted: false,
    },
    {
      id: 'BO-018',
      what: 'a task that failed',
      seen: { object: atWork, run: over('Failed'), pods: listed(inState({ terminated: { exitCode: 1 } }, 'Failed')) },
      acted: true,
    },
    {
      id: 'BO-019',
      what: 'a time-out while it ran',
      seen: { object: atWork, run: over('Failed', 'DeadlineExceeded'), pods: listed(inState({ running: { startedAt: toTime(NOW) } })) },
      acted: true,
    },
    {
      id: 'BO-020',
      what: 'a container that started, whatever ended it',
      seen: {
        object: atWork,
        run: over('Failed', 'PodFailurePolicy'),
        pods: listed(inState({ terminated: { exitCode: 137, reason: 'OOMKilled' } }, 'Failed')),
      },
      acted: true,
    },
  ])('[$id] [BO-081] [BO-082] [BO-083] [BO-084] [BO-085] [BO-086] $what: it may have acted: $acted', ({ seen, acted }) => {
    const { phase, completionTime, failureDetails } = statusAfter(seen);
    expect([phase, completionTime, failureDetails?.failedAt]).toEqual(['Failed', toTime(NOW), toTime(NOW)]);
    expect(failureDetails).toMatchObject({ wasExecutionFailure: acted, requiresManualReview: acted });
    expect([failureDetails?.reason, failureDetails?.message].every((text) => text !== undefined && text !== '')).toBe(true);
  });
});

describe('the phases of seed 001', () => {
  test.each<{ id: string; from: string; seen: Partial<Everything>; to: string }>([
    { id: 'BO-110', from: 'Pending, nothing in its way, its run created', seen: { run: found(aJob({ held: true })) }, to: 'Running' },
    { id: 'BO-111', from: 'Running, its run succeeded', seen: { object: atWork, run: over('Complete') }, to: 'Completed' },
    { id: 'BO-113', from: 'Running, its run failed', seen: { object: atWork, run: over('Failed') }, to: 'Failed' },
    { id: 'BO-114', from: 'Pending, what it is told cannot be run', seen: { object: unfit, lock: ABSENT }, to: 'Failed' },
    {
      id: 'WE-027',
      from: 'Pending, another at work on the target',
      seen: { lock: found(aLock('wfe-2')), holder: found(anExecution({ uid: 'wfe-2', status: running })) },
      to: 'Skipped',
    },
    { id: 'WE-027', from: 'Pending, after a run that failed', seen: { lock: ABSENT, history: listed(aFailedRun()) }, to: 'Skipped' },
    {
      id: 'WE-027',
      from: 'Pending, after five that could not start',
      seen: { lock: ABSENT, history: listed(aFailedStart(5)) },
      to: 'Skipped',
    },
  ])('[$id] $from: $to', ({ seen, to }) => expect(statusAfter(seen).phase).toBe(to));

  test('[BO-097] [BO-098] a success is Completed, now', () => {
    const { phase, completionTime } = statusAfter({ object: atWork, run: over('Complete') });
    expect([phase, completionTime]).toEqual(['Completed', toTime(NOW)]);
  });

  test.each([1, 5, 50])(
    '[BO-042] [BO-043] [BO-099] [BO-100] [BO-112] [BO-124] [BO-125] [BO-160] a success clears a count of %d and its wait',
    (count) => {
      const wait = { consecutiveFailures: count, nextAllowedExecution: toTime(after(NOW, MINUTE)) };
      const object = anExecution({ status: { ...running, ...wait } });
      const status = statusAfter({ object, run: over('Complete'), history: listed(aFailedStart(count)) });
      expect(status.phase).toBe('Completed');
      expect(status).not.toHaveProperty('consecutiveFailures');
      expect(status).not.toHaveProperty('nextAllowedExecution');
    },
  );
});

describe('[BO-006] [BO-166] of all that can become of an execution on a target with two failures in a row, only a third one leads to a wait', () => {
  const counted = (status: WorkflowExecution['status'] = running) => anExecution({ status: { ...status, consecutiveFailures: 2 } });
  const never = listed(inState({ waiting: { reason: 'ImagePullBackOff' } }, 'Pending'));
  const begun = listed(inState({ terminated: { exitCode: 1 } }, 'Failed'));
  const cancelled = found(aRequest({ overallPhase: 'Cancelled' }));
  test.each<{ what: string; seen: Partial<Everything>; phase: string; count?: number; waitMs?: number }>([
    { what: 'it fails before anything runs', seen: { run: over('Failed'), pods: never }, phase: 'Failed', count: 3, waitMs: 4 * MINUTE },
    { what: 'it fails while it runs', seen: { run: over('Failed'), pods: begun }, phase: 'Failed', count: 2 },
    { what: 'its run disappears', seen: { run: ABSENT }, phase: 'Failed', count: 2 },
    { what: 'it is stopped before anything ran', seen: { run: found(aJob()), pods: never, request: cancelled }, phase: 'Failed', count: 2 },
    { what: 'it goes on', seen: { run: found(aJob()) }, phase: 'Running', count: 2 },
    { what: 'it succeeds', seen: { run: over('Complete') }, phase: 'Completed' },
  ])('$what', ({ seen, phase, count, waitMs }) => {
    const status = statusAfter({ object: counted(), ...seen });
    expect([status.phase, status.consecutiveFailures]).toEqual([phase, count]);
    expect(status.nextAllowedExecution).toBe(waitMs === undefined ? undefined : toTime(after(NOW, waitMs)));
  });

  test.each<{ what: string; seen: Partial<Everything>; phase: string }>([
    { what: 'it is refused', seen: { request: cancelled, history: listed(aFailedStart(2, OVER)) }, phase: 'Failed' },
    { what: 'it is skipped', seen: { lock: ABSENT, history: listed(aFailedRun()) }, phase: 'Skipped' },
    { what: 'it waits', seen: { lock: ABSENT, history: listed(aFailedStart(2)) }, phase: 'Pending' },
  ])('$what before it begins', ({ seen, phase }) => {
    const status = statusAfter({ object: counted({ phase: 'Pending' }), ...seen });
    expect(status.phase).toBe(phase);
    expect(status).not.toHaveProperty('nextAllowedExecution');
    expect(status.consecutiveFailures ?? 0).toBeLessThanOrEqual(2);
  });
});

describe('[BO-026] the longest wait', () => {
  test('leaves an execution time to run', () => {
    const { execution, timeouts } = DEFAULT_SETTINGS;
    expect(execution.maxCooldownMs).toBeLessThan(Math.min(timeouts.executingMs, timeouts.globalMs));
    const until = after(NOW, execution.maxCooldownMs);
    const object = anExecution({ status: { phase: 'Pending' }, spec: { timesOutAt: toTime(after(NOW, timeouts.executingMs)) } });
    const settings = { ...DEFAULT_SETTINGS, execution: { ...execution, maxConsecutiveFailures: 10 } };
    const seen = seenWith({ object, settings, lock: ABSENT, history: listed(aFailedStart(6, { nextAllowedExecution: toTime(until) })) });
    expect(decide(seen, after(until, -SECOND)).effects).toEqual([]);
    expect(decide(seen, until).effects.map(effectText)).toEqual(['Create Lease']);
  });
});

describe('one that could not start before its deadline', () => {
  const waiting = (reason: string) => {
    const condition = { type: 'Ready', status: 'False', reason, message: 'because', lastTransitionTime: toTime(NOW) } as const;
    return anExecution({ status: { phase: 'Pending', conditions: [condition] } });
  };
  test.each(['WaitingForBudget', 'BudgetPaused', 'CooldownActive', 'RecentlyRemediated', 'WaitingForLock', 'WaitingForRequest'])(
    'because it waited (%s) says nothing about its target',
    (reason) => {
      const status = statusAfter({ object: waiting(reason), history: listed(aFailedStart(2)) }, after(NOW, 20 * MINUTE));
      expect(status).toMatchObject({ phase: 'Failed', failureReason: 'DeadlineExceeded', failureDetails: { wasExecutionFailure: false } });
      expect(status.nextAllowedExecution).toBeUndefined();
    },
  );

  test('although nothing held it back counts: the server refused its run', () => {
    const status = statusAfter({ object: waiting('Pending'), history: listed(aSuccess()) }, after(NOW, 20 * MINUTE));
    expect(status).toMatchObject({ phase: 'Failed', consecutiveFailures: 1 });
  });
});
