import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../../../../base/index.ts';
import { ABSENT, aRequest, found, NOW, TIMES_OUT_AT, UNREADABLE } from '../../../testing/builders.ts';
import { followAwxJob } from './follow-awx-job.ts';
import type { AwxProgress, ObservedAwx } from '../observed-awx.ts';
import { aCase, aJob, aPlaybook, aProgress, made, stepsIn } from '../testing/awx-case.ts';

type Status = NonNullable<WorkflowExecution['status']>;

const asked = { phase: 'Running', startTime: toTime(NOW), executionRef: { kind: 'AWXJob', requestedAt: toTime(NOW) } } as const;
const known = { ...asked, executionRef: { ...asked.executionRef, name: 'awx-job-77', uid: '77' } } as const;

interface Look {
  readonly status?: Status;
  readonly now?: Instant;
  readonly request?: ReturnType<typeof aRequest>;
}

function follow(awx: ObservedAwx, { status = known, now = NOW, request }: Look = {}) {
  const base = aCase(awx, aPlaybook({ status }));
  const decision = followAwxJob(request ? { ...base, request: found(request) } : base, now);
  return { ...decision, status: decision.status as Status, steps: stepsIn(decision.effects) };
}

describe('the state of the job is the state of the execution', () => {
  test.each([
    ['[WE-139] ', 'pending', 'Running'],
    ['[WE-140] ', 'waiting', 'Running'],
    ['[WE-141] ', 'running', 'Running'],
    ['', 'new', 'Running'],
    ['[WE-142] ', 'successful', 'Completed'],
    ['[WE-143] ', 'failed', 'Failed'],
    ['[WE-144] ', 'error', 'Failed'],
    ['[WE-145] ', 'canceled', 'Failed'],
  ])('%s%s', (_, status, phase) => {
    const decision = follow(aProgress({ job: found(aJob({ status })) }));
    expect(decision.status.phase).toBe(phase);
    expect(decision.steps).toEqual([]);
    if (phase === 'Running') {
      expect(decision.status.executionStatus?.status).toBe(status);
      expect(decision.wakeAt).toBe(after(NOW, 10 * SECOND));
    }
  });
});

describe('a job that ended badly', () => {
  test.each(['failed', 'error', 'canceled'])('%s: an execution failure if it ever ran, and only then', (status) => {
    expect(follow(aProgress({ job: found(aJob({ status })) })).status.failureDetails).toMatchObject({
      reason: 'TaskFailed',
      wasExecutionFailure: true,
    });
    const never = follow(aProgress({ job: found(aJob({ status, hasStarted: false, explanation: 'project update failed' })) }));
    expect(never.status.failureDetails).toMatchObject({
      reason: 'Unknown',
      wasExecutionFailure: false,
      message: `AWX job 77 ended as ${status}: project update failed`,
    });
  });

  test('reports the end of its output, and where to read the rest', () => {
    const { failureDetails } = follow(
      aProgress({ job: found(aJob({ status: 'failed' })), output: `${'x'.repeat(5_000)} fatal: no route` }),
    ).status;
    expect(failureDetails?.message).toMatch(/^AWX job 77 ended as failed: …x+ fatal: no route$/);
    expect(failureDetails?.message.length).toBeLessThanOrEqual(1_000);
    expect(failureDetails?.naturalLanguageSummary).toContain('Check job 77 in AWX.');
  });

  test('a recorded job that is gone is an execution failure, and never launched again', () => {
    const { status, steps } = follow(aProgress({ job: ABSENT }));
    expect(status).toMatchObject({
      phase: 'Failed',
      failureDetails: { wasExecutionFailure: true, message: expect.stringContaining('awx-job-77 no longer exists in AWX') as string },
    });
    expect(steps).toEqual([]);
  });
});

describe('after the intent to launch was recorded in status', () => {
  const all = made().credentials;
  const mark = all.slice(0, 1);
  const missing = (change: Partial<AwxProgress> = {}): AwxProgress => aProgress({ job: ABSENT, credentials: all, ...change });
  const late = after(NOW, MINUTE);

  test('a job that carries our mark is recorded in status', () => {
    const { status, steps } = follow(aProgress({ job: found(aJob({ status: 'pending' })), credentials: all }), { status: asked });
    expect(status).toMatchObject({
      phase: 'Running',
      executionRef: { ...asked.executionRef, name: 'awx-job-77', uid: '77' },
      executionStatus: { status: 'pending', completedTasks: 0, totalTasks: 1 },
      conditions: [{ type: 'ExecutionRunning', status: 'True', reason: 'ExecutionStarted', message: 'AWX runs it as awx-job-77' }],
    });
    expect(steps).toEqual([]);
  });

  test('one that does not show is waited for, and not launched again', () => {
    const { status, steps } = follow(missing(), { status: asked, now: after(late, -1) });
    expect(status.phase).toBe('Running');
    expect(steps).toEqual([]);
  });

  test.each<{ why: string; look: Look; change?: Partial<AwxProgress> }>([
    { why: 'it does not come', look: { now: late } },
    { why: 'AWX said no', look: {}, change: { trouble: { code: 'Invalid', message: 'extra_vars' } } },
    { why: 'its request was cancelled', look: { request: aRequest({ overallPhase: 'Cancelled' }) } },
    { why: 'its time is over', look: { now: TIMES_OUT_AT } },
    { why: 'it is unknown when the launch was requested', look: { status: { ...asked, executionRef: { kind: 'AWXJob' } } } },
  ])('$why: the fence goes first, and everything but the mark', ({ look, change }) => {
    const { status, steps } = follow(missing(change), { status: asked, ...look });
    expect(status.phase).toBe('Running');
    expect(steps).toEqual(all.slice(1).map(({ id }) => ({ do: 'delete credential', id })));
  });

  test.each<{ name: string; look?: Look; change?: Partial<AwxProgress>; want: object }>([
    { name: 'it is certain that nothing ran', want: { reason: 'Unknown', message: 'AWX never received the launch' } },
    {
      name: 'the answer of AWX is reported',
      change: { trouble: { code: 'Invalid', message: 'AWX answered 400: bad' } },
      want: { reason: 'ConfigurationError', message: 'AWX answered 400: bad' },
    },
    {
      name: 'the missing permission is reported',
      change: { trouble: { code: 'Unauthorized', message: '401' } },
      want: { reason: 'Forbidden', message: '401' },
    },
    {
      name: 'a missing answer is reported',
      change: { trouble: { code: 'Unavailable', message: 'no answer' } },
      want: { reason: 'Unknown', message: 'AWX never received the launch: no answer' },
    },
    {
      name: 'the person who stopped it is reported',
      look: { request: aRequest({ overallPhase: 'Cancelled' }) },
      want: { message: expect.stringContaining('it was stopped') as string },
    },
  ])('without fence and job $name', ({ look, change, want }) => {
    const { status } = follow(missing({ credentials: mark, ...change }), { status: asked, ...look });
    expect(status).toMatchObject({ phase: 'Failed', failureDetails: { ...want, wasExecutionFailure: false } });
  });

  test.each(['Unavailable', 'Internal', 'TooManyRequests'] as const)('%s is no answer: it may still come', (code) => {
    const { status, steps } = follow(missing({ trouble: { code, message: 'x' } }), { status: asked, now: after(late, -1) });
    expect(status.phase).toBe('Running');
    expect(steps).toEqual([]);
  });

  test('without the mark it is unknown whether a job runs: the worst is assumed', () => {
    expect(follow(missing({ credentials: all.slice(1) }), { status: asked, now: late }).steps).toHaveLength(2);
    expect(follow(missing({ credentials: [] }), { status: asked }).status).toMatchObject({
      phase: 'Failed',
      failureDetails: { wasExecutionFailure: true },
    });
  });

  test('a job that AWX launched without our mark may have acted', () => {
    const trouble = { code: 'Terminal', message: 'launched job 9 but left out its credentials' } as const;
    expect(follow(missing({ trouble }), { status: asked }).status.failureDetails).toMatchObject({
      wasExecutionFailure: true,
      message: trouble.message,
    });
  });
});

describe('AWX does not answer', () => {
  const silent = { kind: 'unreadable', reason: 'AWX answered 503' } as const;

  test('nothing is concluded from that, and it is shown', () => {
    const { status, steps } = follow(silent);
    const executionStatus = { status: 'Unknown', reason: 'AWXUnreachable', message: 'AWX answered 503', completedTasks: 0, totalTasks: 1 };
    expect(status).toMatchObject({ phase: 'Running', executionStatus });
    expect(steps).toEqual([]);
  });

  test.each<{ name: string; awx: ObservedAwx; says: string }>([
    { name: 'the job alone cannot be read', awx: aProgress({ job: UNREADABLE }), says: 'forbidden' },
    {
      name: 'AWX was read for another purpose',
      awx: { kind: 'remains', types: [], credentials: [], job: ABSENT },
      says: 'it was not read in this pass',
    },
  ])('nor where $name', ({ awx, says }) => {
    for (const status of [known, asked])
      expect(follow(awx, { status }).status).toMatchObject({ phase: 'Running', executionStatus: { status: 'Unknown', message: says } });
  });

  test.each([known, asked])('when its time is over the worst is assumed', (status) =>
    expect(follow(silent, { status, now: TIMES_OUT_AT }).status).toMatchObject({
      phase: 'Failed',
      failureDetails: {
        reason: 'DeadlineExceeded',
        wasExecutionFailure: true,
        message: 'it did not finish in time, as far as is known: AWX answered 503',
      },
    }),
  );
});

describe('a plan without an end has the time that its workflow takes, from the start on', () => {
  const { timesOutAt: _, ...spec } = aPlaybook().spec;

  test.each<{ name: string; timeout?: string; startTime?: string; at: Instant; isOver: boolean }>([
    { name: 'half an hour, where nothing is said', at: after(NOW, 30 * MINUTE), isOver: true },
    { name: 'no less than half an hour', at: after(NOW, 30 * MINUTE - 1), isOver: false },
    { name: 'what is said', timeout: '2m', at: after(NOW, 2 * MINUTE), isOver: true },
    { name: 'no less than is said', timeout: '2m', at: after(NOW, 2 * MINUTE - 1), isOver: false },
    { name: 'none, where its start time is unknown', startTime: '', at: after(NOW, 60 * MINUTE), isOver: false },
  ])('$name', ({ timeout, startTime = toTime(NOW), at, isOver }) => {
    const execution = aPlaybook({ status: { ...known, startTime } });
    const object = { ...execution, spec: { ...spec, ...(timeout !== undefined && { executionConfig: { timeout } }) } };
    expect(followAwxJob(aCase(aProgress(), object), at).status).toMatchObject({ phase: isOver ? 'Failed' : 'Running' });
  });
});

test('a job that succeeded reports what AWX says of it', () => {
  const through = (explanation: string) =>
    follow(aProgress({ job: found(aJob({ status: 'successful', explanation })) })).status.executionStatus;
  expect(through('all well')).toEqual({ status: 'Completed', message: 'all well', completedTasks: 1, totalTasks: 1 });
  expect(through('')).toEqual({ status: 'Completed', completedTasks: 1, totalTasks: 1 });
});

test('the output of a job is reported unchanged, where it is short', () => {
  const message = (output: string) => follow(aProgress({ job: found(aJob({ status: 'failed' })), output })).status.failureDetails?.message;
  expect(message(` ${'x'.repeat(498)} `)).toBe(`AWX job 77 ended as failed: ${'x'.repeat(498)}`);
  expect(message(`${'x'.repeat(501)}`)).toBe(`AWX job 77 ended as failed: …${'x'.repeat(500)}`);
});

test('a job that ended by itself did so, also when its time is over', () => {
  const { status } = follow(aProgress({ job: found(aJob({ status: 'failed' })) }), { now: TIMES_OUT_AT });
  expect(status.failureDetails).toMatchObject({ reason: 'TaskFailed', message: 'AWX job 77 ended as failed' });
});

describe('a job that has to end', () => {
  const cancelled = aRequest({ overallPhase: 'Cancelled', cancellation: { by: 'anna', reason: 'wrong one' } } as never);

  test('one that has begun: recorded in status at once, naming who cancelled it', () =>
    expect(follow(aProgress(), { request: cancelled }).status).toMatchObject({
      phase: 'Failed',
      failureDetails: { message: expect.stringContaining('anna cancelled it (wrong one)') as string, wasExecutionFailure: true },
    }));

  test('one that has not begun is stopped first: it could still begin', () => {
    const { status, steps } = follow(aProgress({ job: found(aJob({ status: 'pending', hasStarted: false })) }), { request: cancelled });
    expect(status.phase).toBe('Running');
    expect(steps).toEqual([{ do: 'cancel', job: 77 }]);
  });

  test('and when it has stopped without beginning, nothing was changed', () =>
    expect(follow(aProgress({ job: found(aJob({ status: 'canceled', hasStarted: false })) }), { request: cancelled }).status).toMatchObject(
      {
        phase: 'Failed',
        failureDetails: { message: expect.stringContaining('anna cancelled it') as string, wasExecutionFailure: false },
      },
    ));

  test('one whose time is over', () =>
    expect(follow(aProgress(), { now: TIMES_OUT_AT }).status.failureDetails).toMatchObject({
      reason: 'DeadlineExceeded',
      wasExecutionFailure: true,
    }));

  test('one that went through after all counts as that', () =>
    expect(follow(aProgress({ job: found(aJob({ status: 'successful' })) }), { request: cancelled, now: TIMES_OUT_AT }).status.phase).toBe(
      'Completed',
    ));
});
