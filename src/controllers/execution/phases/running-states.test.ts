import { describe, expect, test } from 'vitest';
import { isTerminal, mayMove } from '../../../api/phases.ts';
import { executionPhases } from '../../../api/workflow-execution/phases.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import { aCase, aPlaybook, aProgress } from '../engines/awx/testing/awx-case.ts';
import { aRun as aPipelineRun } from '../engines/tekton/testing/task-runs.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { aJob, anEvent, anExecution, aPod, found, inState, listed, NOW, running, seenWith, UNREADABLE } from '../testing/builders.ts';

const isRunning = { object: anExecution({ status: running }) };
const statusAfter = (seen: Parameters<typeof seenWith>[0], now = NOW): ExecutionStatus =>
  decide(seenWith({ ...isRunning, ...seen }), now).status as ExecutionStatus;
const goesOn = { run: found(aJob({ ready: 1 })), pods: listed(inState({ running: {} })) };

describe('a run in progress', () => {
  test('[WE-030] [WE-093] is checked again within ten seconds, and stays Running', () => {
    expect(isTerminal(executionPhases, 'Running')).toBe(false);
    const { status, wakeAt } = decide(seenWith({ ...isRunning, ...goesOn }), NOW);
    expect((status as ExecutionStatus).phase).toBe('Running');
    expect(wakeAt).toBe(after(NOW, 10 * SECOND));
  });

  test('shows what it waits for, and that it no longer does', () => {
    const stuck = statusAfter({
      run: found(aJob()),
      pods: listed(),
      events: listed(anEvent('FailedCreate', { message: 'exceeded quota' })),
    });
    expect(stuck.executionStatus).toMatchObject({ status: 'Waiting', reason: 'FailedCreate', message: 'exceeded quota' });
    const freed = statusAfter({ ...goesOn, object: anExecution({ status: stuck }) });
    expect(freed.executionStatus).toEqual({ status: 'Running', completedTasks: 0, totalTasks: 1 });
  });

  test('shows what happens to its pod, and keeps it when the pod is gone', () => {
    const conditions = [{ type: 'DisruptionTarget', status: 'True' as const, reason: 'EvictionByEvictionAPI', message: 'evicting' }];
    const status = [{ name: 'workflow', ready: true, restartCount: 0, state: { running: {} } }];
    const evicted = statusAfter({ run: found(aJob()), pods: listed(aPod({ phase: 'Running', conditions, containerStatuses: status })) });
    expect(evicted.executionStatus).toMatchObject({ status: 'Running', reason: 'EvictionByEvictionAPI' });
    const job = aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded' } });
    const ended = statusAfter({ object: anExecution({ status: evicted }), run: found(job), pods: listed() });
    expect(ended.failureDetails).toMatchObject({
      reason: 'TaskFailed',
      message: 'EvictionByEvictionAPI: evicting',
      wasExecutionFailure: true,
    });
  });
});

describe('whatever the engine', () => {
  const inTekton = { ...running, executionRef: { kind: 'PipelineRun', name: 'wfe-abc', uid: 'run-uid', releasedAt: toTime(NOW) } };
  const inAwx = { ...running, executionRef: { kind: 'AWXJob', name: 'awx-job-77', uid: '77', requestedAt: toTime(NOW) } };
  test.each([
    { engine: 'job', seen: { ...isRunning, ...goesOn } },
    { engine: 'tekton', seen: { object: anExecution({ status: inTekton }), run: found(aPipelineRun(['Unknown', 'Running'])) } },
    { engine: 'ansible', seen: aCase(aProgress(), aPlaybook({ status: inAwx })) },
  ])('[WE-082] the next look is no later than ten seconds from now: $engine', ({ seen }) => {
    const { status, wakeAt } = decide(seenWith(seen), NOW);
    expect((status as ExecutionStatus).phase).toBe('Running');
    expect(wakeAt).toBeLessThanOrEqual(after(NOW, 10 * SECOND));
  });
});

describe('a run that ends', () => {
  test('[WE-031] Completed is the last phase, and means that the run succeeded', () => {
    expect(isTerminal(executionPhases, 'Completed')).toBe(true);
    expect(statusAfter({ run: found(aJob({ ended: { type: 'Complete' } })) }).phase).toBe('Completed');
    const others = [aJob({ ended: { type: 'Failed' } }), aJob({ ready: 1 }), aJob({ held: true, generation: 3 })];
    for (const job of others) expect(statusAfter({ run: found(job) }).phase).not.toBe('Completed');
  });

  test('[WE-032] Failed is the last phase, before a run and during one', () => {
    expect(isTerminal(executionPhases, 'Failed')).toBe(true);
    expect(mayMove(executionPhases, 'Pending', 'Failed') && mayMove(executionPhases, 'Running', 'Failed')).toBe(true);
    const job = aJob({ ended: { type: 'Failed' } });
    const before = statusAfter({
      run: found(job),
      pods: listed(inState({ terminated: { exitCode: 128, reason: 'StartError' } }, 'Failed')),
    });
    const during = statusAfter({ run: found(job), pods: listed(inState({ terminated: { exitCode: 1, reason: 'Error' } }, 'Failed')) });
    expect([before, during].map(({ phase, failureDetails }) => [phase, failureDetails?.wasExecutionFailure])).toEqual([
      ['Failed', false],
      ['Failed', true],
    ]);
  });

  test('waits a minute for Events that cannot be read, before the worst is assumed', () => {
    const seen = { run: found(aJob({ ended: { type: 'Failed' } })), pods: listed<never>(), events: UNREADABLE };
    expect(statusAfter(seen, after(NOW, MINUTE - SECOND)).phase).toBe('Running');
    expect(statusAfter(seen, after(NOW, MINUTE)).failureDetails).toMatchObject({ reason: 'Unknown', wasExecutionFailure: true });
  });

  test('late, on a node that no longer answers, is reported as such', () => {
    const conditions = [
      { type: 'Ready', status: 'False' as const },
      { type: 'ContainersReady', status: 'True' as const },
    ];
    const pod = aPod({
      phase: 'Running',
      conditions,
      containerStatuses: [{ name: 'workflow', ready: true, restartCount: 0, state: { running: {} } }],
    });
    const late = after(NOW, 21 * MINUTE);
    expect(statusAfter({ run: found(aJob()), pods: listed(pod) }, late).failureDetails).toMatchObject({
      reason: 'Unknown',
      wasExecutionFailure: true,
    });
    expect(statusAfter(goesOn, late).failureDetails).toMatchObject({ reason: 'DeadlineExceeded', wasExecutionFailure: true });
  });

  test('late, without having begun, reports what it waited for', () => {
    const pods = listed(inState({ waiting: { reason: 'ErrImagePull', message: 'no such host' } }, 'Pending'));
    expect(statusAfter({ run: found(aJob()), pods }, after(NOW, 21 * MINUTE)).failureDetails).toMatchObject({
      reason: 'ImagePullBackOff',
      wasExecutionFailure: false,
    });
  });
});
