import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import { runName } from '../names.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import {
  ABSENT,
  aJob,
  anExecution,
  aPod,
  aRequest,
  aTarget,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
  TIMES_OUT_AT,
  UNREADABLE,
  withTarget,
} from '../testing/builders.ts';
import { judged, wanted, type Case } from '../testing/decision-case.ts';

const alive = listed(inState({ running: { startedAt: toTime(NOW) } }));
const finished = found(aJob({ ended: { type: 'Complete' } }));
const isRunning = (more: ExecutionStatus = {}) => ({ object: anExecution({ status: { ...running, ...more } }), lock: UNREADABLE });
const late = after(TIMES_OUT_AT, MINUTE);
const timedOut = { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' } as const;
const stuck = { status: 'Waiting', reason: 'ErrImagePull', message: 'no such host' };

const cancelled = found(
  aRequest({ overallPhase: 'Cancelled', cancellation: { by: 'alex', reason: 'maintenance', requestedAt: toTime(NOW) } }),
);
const stops = { phase: 'Failed', because: 'Unknown', effects: ['Event WorkflowFailed'] } as const;

const stopping: readonly Case[] = [
  {
    name: '[RR-047] cancelled, a container at work',
    reason: 'it is stopped, and may have acted',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })), pods: alive, request: cancelled },
    ...stops,
    acted: true,
  },
  {
    name: 'cancelled, no container yet',
    reason: 'it is stopped, and nothing was changed',
    seen: { ...isRunning(), run: found(aJob({})), pods: listed(inState({ waiting: { reason: 'ContainerCreating' } })), request: cancelled },
    ...stops,
    acted: false,
  },
  {
    name: 'cancelled, the pods unreadable',
    reason: 'they may have done anything',
    seen: { ...isRunning(), run: found(aJob({})), pods: UNREADABLE, request: cancelled },
    ...stops,
    acted: true,
  },
  {
    name: '[RR-025] timed out',
    reason: 'its request no longer waits for it',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })), pods: alive, request: found(aRequest({ overallPhase: 'TimedOut' })) },
    ...stops,
    acted: true,
  },
  {
    name: 'the request deleted',
    reason: 'the run is no longer wanted',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })), pods: alive, request: ABSENT },
    ...stops,
    acted: true,
  },
  {
    name: 'the request unreadable',
    reason: 'not known is not cancelled',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })), pods: UNREADABLE, request: UNREADABLE },
    phase: 'Running',
  },
  {
    name: 'cancelled, and it went through meanwhile',
    reason: 'its result counts: it is what happened',
    seen: { ...isRunning(), run: finished, pods: listed(), request: cancelled },
    phase: 'Completed',
    because: 'Completed',
    effects: ['Event WorkflowCompleted'],
  },
];

const runs: readonly Case[] = [
  {
    name: 'under way',
    reason: 'nothing to do but wait',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })), pods: UNREADABLE },
    phase: 'Running',
  },
  { name: 'not readable', reason: 'not known is not gone', seen: { ...isRunning(), run: UNREADABLE }, at: late, phase: 'Running' },
  {
    name: 'crash before the release',
    reason: 'effects follow from what exists',
    seen: { ...isRunning(), run: found(aJob({ held: true })) },
    phase: 'Running',
    effects: ['Patch Job'],
  },
  {
    name: 'held, request not readable',
    reason: 'without an answer there is no permission',
    seen: { ...isRunning(), run: found(aJob({ held: true })), request: UNREADABLE },
    phase: 'Running',
  },
  {
    name: 'held, request ended',
    reason: 'never released: nothing happened yet',
    seen: { ...isRunning(), run: found(aJob({ held: true })), request: found(aRequest({ overallPhase: 'TimedOut' })) },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'held, target changed',
    reason: 'the target was fixed between recording the run and releasing it',
    seen: { ...isRunning(), run: found(aJob({ held: true })), request: found(withTarget()), target: found(aTarget(3)) },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'held, too late',
    reason: 'never released',
    seen: { ...isRunning(), run: found(aJob({ held: true })) },
    at: TIMES_OUT_AT,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'lost',
    reason: 'it is unknown how far it got',
    seen: { ...isRunning(), run: ABSENT },
    phase: 'Failed',
    because: 'Unknown',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: 'replaced',
    reason: 'another Job does not bring ours back',
    seen: { ...isRunning(), run: found(aJob({ uid: 'job-9' })) },
    phase: 'Failed',
    because: 'Unknown',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: 'suspended again',
    reason: 'to let it go would run the workflow twice',
    seen: { ...isRunning(), run: found(aJob({ held: true, generation: 3 })) },
    phase: 'Failed',
    because: 'Unknown',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: '[WE-025] [WE-108] through',
    reason: 'the Job completed',
    seen: { ...isRunning(), run: found(aJob({ ended: { type: 'Complete' } })) },
    phase: 'Completed',
    because: 'Completed',
    effects: ['Event WorkflowCompleted'],
  },
  {
    name: 'through, late',
    reason: 'a run that went through is no failure',
    seen: { ...isRunning(), run: found(aJob({ ended: { type: 'Complete' } })) },
    at: late,
    phase: 'Completed',
    because: 'Completed',
    effects: ['Event WorkflowCompleted'],
  },
  {
    name: '[WE-015] [WE-026] [WE-085] [WE-109] failed',
    reason: 'its container exited with an error',
    seen: {
      ...isRunning(),
      run: found(aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded' } })),
      pods: listed(inState({ terminated: { exitCode: 1, reason: 'Error' } }, 'Failed')),
    },
    phase: 'Failed',
    because: 'TaskFailed',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: 'failed, pods not readable',
    reason: 'details may come',
    seen: { ...isRunning(), run: found(aJob({ ended: { type: 'Failed' } })), pods: UNREADABLE },
    phase: 'Running',
  },
  {
    name: 'failed, pods never readable',
    reason: 'a run without evidence may have acted',
    seen: { ...isRunning(), run: found(aJob({ ended: { type: 'Failed' } })), pods: UNREADABLE },
    at: after(NOW, MINUTE),
    phase: 'Failed',
    because: 'Unknown',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: '[WE-013] [WE-087] no image until its time was over',
    reason: 'its pod is gone, what was seen of it counts',
    seen: { ...isRunning({ executionStatus: stuck }), run: found(aJob({ ended: timedOut })), pods: listed() },
    phase: 'Failed',
    because: 'ImagePullBackOff',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: '[WE-009] took too long',
    reason: 'nothing says that it had not begun',
    seen: { ...isRunning(), run: found(aJob({ ended: timedOut })), pods: listed() },
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: 'overdue',
    reason: 'the Job did not end by itself',
    seen: { ...isRunning(), run: found(aJob()), pods: alive },
    at: late,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: true,
  },
  {
    name: 'overdue, never begun',
    reason: 'its pod never got a node',
    seen: { ...isRunning(), run: found(aJob()), pods: listed(aPod({ phase: 'Pending' })) },
    at: late,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'nearly overdue',
    reason: 'the Job has a minute to end by itself',
    seen: { ...isRunning(), run: found(aJob({ ready: 1 })) },
    at: after(late, -1),
    phase: 'Running',
  },
];

describe('a running execution', () => {
  test.each(runs)('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));
  test.each(stopping)('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));

  test('[WE-083] a run that went through has its end and how long it took', () => {
    const { status } = decide(seenWith({ ...isRunning(), run: finished }), after(NOW, 90 * SECOND));
    expect(status).toMatchObject({ completionTime: toTime(after(NOW, 90 * SECOND)), duration: '1m30s' });
  });

  test.each([
    {
      reason: 'in its own message',
      pods: listed(inState({ terminated: { exitCode: 0, message: 'rolled back to revision 1\n' } }, 'Succeeded')),
      says: 'rolled back to revision 1',
    },
    { reason: 'it left no message', pods: listed(inState({ terminated: { exitCode: 0 } }, 'Succeeded')), says: undefined },
    {
      reason: 'its pods cannot be read: that is no reason to wait',
      pods: { kind: 'unreadable', reason: 'forbidden' } as const,
      says: undefined,
    },
  ])('a run that went through tells what it did: $reason', ({ pods, says }) => {
    const { status } = decide(seenWith({ ...isRunning(), run: finished, pods }), NOW);
    expect(status).toMatchObject({ phase: 'Completed' });
    expect((status as ExecutionStatus).executionStatus?.message).toBe(says);
  });

  test('[WE-018] [WE-084] a failure says what happened, for people too', () => {
    const ended = { type: 'Failed', reason: 'BackoffLimitExceeded' } as const;
    const pods = listed(inState({ terminated: { exitCode: 1, reason: 'Error', message: 'no such revision\n' } }, 'Failed'));
    const { status } = decide(seenWith({ ...isRunning(), run: found(aJob({ ended })), pods }), after(NOW, 5 * SECOND));
    expect((status as ExecutionStatus).failureDetails).toEqual({
      reason: 'TaskFailed',
      message: 'container workflow exited with 1: no such revision',
      naturalLanguageSummary:
        'rollback-deployment failed on shop/Deployment/checkout after 5s: ' +
        'it exited with an error (container workflow exited with 1: no such revision). ' +
        'It may have changed shop/Deployment/checkout: check it before anything else runs there, then allow the next workflow with: ' +
        'sickbay clear-block shop/Deployment/checkout --reason "what you found". ' +
        `Read its output, and its log while the run is kept. Next: kubectl -n kubernaut-workflows logs job/${runName(anExecution().spec)}`,
      failedAt: toTime(after(NOW, 5 * SECOND)),
      failedTaskName: 'workflow',
      failedTaskIndex: 0,
      failedStepName: 'workflow',
      exitCode: 1,
      executionTimeBeforeFailure: '5s',
      wasExecutionFailure: true,
      requiresManualReview: true,
    });
  });

  test('[BO-114] a precondition that is not met (ruling 118): nothing was changed, and the condition quotes which one', () => {
    const ended = { type: 'Failed', reason: 'BackoffLimitExceeded' } as const;
    const message = 'waiting for the node\nDeployment shop/checkout is not rolled back: it has no revision 1, only 2\n';
    const pods = listed(inState({ terminated: { exitCode: 3, reason: 'Error', message } }, 'Failed'));
    const status = decide(seenWith({ ...isRunning(), run: found(aJob({ ended })), pods }), NOW).status as ExecutionStatus;
    const said = 'a precondition is not met: Deployment shop/checkout is not rolled back: it has no revision 1, only 2';
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(said);
    expect(status.failureDetails).toMatchObject({ exitCode: 3, wasExecutionFailure: false, requiresManualReview: false });
    expect(status.failureDetails?.naturalLanguageSummary).toMatch(
      new RegExp(`^rollback-deployment did nothing on shop/Deployment/checkout: ${said}\\. Nothing was changed\\. `),
    );
    expect(status).toMatchObject({ consecutiveFailures: 1, nextAllowedExecution: toTime(after(NOW, MINUTE)) });
  });

  const kept = aJob({ ended: { type: 'Failed', reason: 'BackoffLimitExceeded' } });
  test.each<{ name: string; seen: Partial<Everything>; at?: Instant; says: string }>([
    { name: 'it is gone', seen: { run: ABSENT }, says: 'the Job recorded in status no longer exists, so it is unknown how far it got' },
    {
      name: 'it was held again from outside',
      seen: { run: found(aJob({ held: true, generation: 3 })) },
      says: 'the Job was suspended after it had been released; resuming it would run the workflow a second time',
    },
    {
      name: 'it was held for too long',
      seen: { run: found(aJob({ held: true })) },
      at: TIMES_OUT_AT,
      says: 'it could not start in time',
    },
    { name: 'it does not end', seen: { run: found(aJob()), pods: alive }, at: late, says: 'it did not finish in time, so it was stopped' },
  ])('what became of its run is told: $name', ({ seen, at = NOW, says }) => {
    const { status } = decide(seenWith({ ...isRunning(), ...seen }), at);
    expect((status as ExecutionStatus).failureDetails?.message).toBe(says);
  });

  test('pods of a failed run that cannot be read are waited for, until a minute after its end', () => {
    const unread = { ...isRunning(), run: found(kept), pods: { kind: 'unreadable', reason: 'forbidden' } as const };
    const first = decide(seenWith(unread), after(NOW, MINUTE - SECOND));
    expect(first.status).toMatchObject({ phase: 'Running' });
    expect(first.wakeAt).toBe(after(NOW, MINUTE));
    expect(decide(seenWith(unread), after(NOW, MINUTE)).status).toMatchObject({ phase: 'Failed' });
  });

  test('pods of a run under way that cannot be read leave what was shown as it was', () => {
    const shown = { status: 'Waiting', reason: 'ImagePullBackOff', message: 'no such host' };
    const status = { ...running, executionStatus: shown } as ExecutionStatus;
    const seen = { ...isRunning(status), run: found(aJob()), pods: { kind: 'unreadable', reason: 'forbidden' } as const };
    expect((decide(seenWith(seen), NOW).status as ExecutionStatus).executionStatus).toEqual(shown);
  });

  test('what keeps a run from beginning is remembered, and forgotten when it begins', () => {
    const pulling = listed(inState({ waiting: { reason: 'ImagePullBackOff', message: 'no such host' } }, 'Pending'));
    const first = decide(seenWith({ ...isRunning(), run: found(aJob()), pods: pulling }), NOW).status as ExecutionStatus;
    expect(first.executionStatus).toMatchObject({ status: 'Waiting', reason: 'ImagePullBackOff', message: 'no such host' });
    const next = decide(seenWith({ ...isRunning(first), run: found(aJob()), pods: alive }), NOW).status as ExecutionStatus;
    const creating = listed(inState({ waiting: { reason: 'ContainerCreating' } }, 'Pending'));
    const meanwhile = decide(seenWith({ ...isRunning(), run: found(aJob()), pods: creating }), NOW).status as ExecutionStatus;
    expect(meanwhile.executionStatus?.status).toBe('Running');
    expect(next.executionStatus).toEqual({ status: 'Running', completedTasks: 0, totalTasks: 1 });
  });
});
