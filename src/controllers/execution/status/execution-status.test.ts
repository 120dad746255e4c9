import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { ExecutionFailure } from './failure.ts';
import { complete, fail, RECHECK_INTERVAL_MS, skip, statusOf, stay, wait, waiting, type ExecutionStatus } from './execution-status.ts';
import { anExecution, NOW, running } from '../testing/builders.ts';

const LATEST = after(NOW, RECHECK_INTERVAL_MS);
const condition = (type: string, status: string, reason: string, message: string) => ({
  type,
  status,
  reason,
  message,
  observedGeneration: 1,
  lastTransitionTime: toTime(NOW),
});
const begun = anExecution({ status: { ...running, startTime: toTime(after(NOW, -MINUTE)), consecutiveFailures: 2 } });
const pending = anExecution({ status: { phase: 'Pending' } });
const statusIn = (decision: { readonly status?: unknown }): ExecutionStatus => decision.status as ExecutionStatus;

describe('it stays where it is', () => {
  test.each([
    { name: 'until the latest time, where none is known', wakeAt: undefined, want: LATEST },
    { name: 'until then', wakeAt: after(NOW, SECOND), want: after(NOW, SECOND) },
    { name: 'no longer than events may be lost', wakeAt: after(LATEST, 1), want: LATEST },
  ])('$name', ({ wakeAt, want }) => expect(stay(pending, NOW, wakeAt === undefined ? {} : { wakeAt }).wakeAt).toBe(want));

  test('and says why, once', () => {
    expect(wait(pending, NOW, waiting('WaitingForPods', 'a pod is left'))).toEqual({
      status: { phase: 'Pending', observedGeneration: 1, conditions: [condition('Ready', 'False', 'WaitingForPods', 'a pod is left')] },
      effects: [],
      wakeAt: LATEST,
    });
  });

  test('for the generation that was seen, and for the first where none is told', () => {
    expect(statusOf(anExecution({ metadata: { generation: 4 } }), NOW, {})).toEqual({ observedGeneration: 4 });
    const { generation: _, ...metadata } = anExecution().metadata;
    expect(statusOf({ ...anExecution(), metadata }, NOW, { conditions: [waiting('r', 'm')] })).toEqual({
      observedGeneration: 1,
      conditions: [condition('Ready', 'False', 'r', 'm')],
    });
  });
});

describe('the end is all in one status', () => {
  const failure: ExecutionFailure = { reason: 'TaskFailed', message: 'exit 3', started: true };

  test('of a run that failed: the row of failures before it stays as it was', () => {
    const { status, effects, wakeAt } = fail({ object: begun, settings: DEFAULT_SETTINGS }, NOW, { ...failure, exitCode: 3 });
    expect(status).toEqual({
      ...begun.status,
      phase: 'Failed',
      completionTime: toTime(NOW),
      duration: '1m0s',
      failureReason: 'TaskFailed',
      failureDetails: {
        reason: 'TaskFailed',
        message: 'exit 3',
        naturalLanguageSummary: expect.stringContaining('exit 3') as string,
        failedAt: toTime(NOW),
        failedTaskName: 'workflow',
        failedTaskIndex: 0,
        failedStepName: 'workflow',
        exitCode: 3,
        executionTimeBeforeFailure: '1m0s',
        wasExecutionFailure: true,
        requiresManualReview: true,
      },
      observedGeneration: 1,
      conditions: [condition('Ready', 'False', 'TaskFailed', 'exit 3'), condition('ExecutionComplete', 'False', 'TaskFailed', 'exit 3')],
    });
    expect(effects).toEqual([
      { kind: 'Event', type: 'Warning', reason: 'WorkflowFailed', message: statusIn({ status }).failureDetails?.naturalLanguageSummary },
    ]);
    expect(wakeAt).toBe(LATEST);
  });

  test('of one that never began: nothing is said of a run, of its time or of its exit', () => {
    const status = statusIn(
      fail({ object: pending, settings: DEFAULT_SETTINGS }, NOW, { ...failure, reason: 'Forbidden', started: false }),
    );
    expect(status.conditions?.map(({ type }) => type)).toEqual(['Ready']);
    for (const member of ['duration', 'startTime']) expect(status).not.toHaveProperty(member);
    for (const member of ['exitCode', 'executionTimeBeforeFailure']) expect(status.failureDetails).not.toHaveProperty(member);
    expect(status).toMatchObject({ consecutiveFailures: 1, nextAllowedExecution: toTime(after(NOW, MINUTE)) });
  });

  test('of one without a status', () => {
    const status = statusIn(fail({ object: anExecution(), settings: DEFAULT_SETTINGS }, NOW, { ...failure, started: false }));
    expect(status).toMatchObject({ phase: 'Failed', consecutiveFailures: 1 });
  });

  test('of one that is no trouble of its target: the row stays as it was', () => {
    const status = statusIn(fail({ object: pending, settings: DEFAULT_SETTINGS }, NOW, { ...failure, started: false, isUncounted: true }));
    expect(status).not.toHaveProperty('consecutiveFailures');
    expect(status).not.toHaveProperty('nextAllowedExecution');
  });

  test('of a clock that went back: it took no time', () => {
    const object = anExecution({ status: { ...running, startTime: toTime(after(NOW, MINUTE)) } });
    expect(statusIn(fail({ object, settings: DEFAULT_SETTINGS }, NOW, failure)).duration).toBe('0s');
  });

  test('of a success: the row of failures before it is over', () => {
    const { consecutiveFailures: _, ...rest } = begun.status ?? {};
    const object = { ...begun, status: { ...begun.status, nextAllowedExecution: toTime(NOW) } } as typeof begun;
    const message = 'rollback-deployment succeeded on shop/Deployment/checkout';
    expect(complete(object, NOW, { said: 'back at 1', progress: { completedTasks: 1, totalTasks: 1 } })).toEqual({
      status: {
        ...rest,
        phase: 'Completed',
        completionTime: toTime(NOW),
        duration: '1m0s',
        executionStatus: { status: 'Completed', message: 'back at 1', completedTasks: 1, totalTasks: 1 },
        observedGeneration: 1,
        conditions: [
          condition('Ready', 'True', 'Completed', message),
          condition('ExecutionComplete', 'True', 'ExecutionSucceeded', message),
        ],
      },
      effects: [{ kind: 'Event', type: 'Normal', reason: 'WorkflowCompleted', message }],
      wakeAt: LATEST,
    });
  });

  test('of a success without a word', () => {
    const { executionStatus } = statusIn(complete(begun, NOW, { said: undefined, progress: { completedTasks: 1, totalTasks: 1 } }));
    expect(executionStatus).toEqual({ status: 'Completed', completedTasks: 1, totalTasks: 1 });
    const { status: _, ...unseen } = begun;
    expect(statusIn(complete(unseen, NOW, { said: undefined, progress: { completedTasks: 1, totalTasks: 1 } })).phase).toBe('Completed');
  });

  test('of one that is skipped', () => {
    const details = { reason: 'PreviousExecutionFailed', message: 'we-bad failed' } as const;
    expect(skip(pending, NOW, details)).toEqual({
      status: {
        phase: 'Skipped',
        skipDetails: { ...details, skippedAt: toTime(NOW) },
        observedGeneration: 1,
        conditions: [condition('Ready', 'False', 'PreviousExecutionFailed', 'we-bad failed')],
      },
      effects: [],
      wakeAt: LATEST,
    });
  });
});
