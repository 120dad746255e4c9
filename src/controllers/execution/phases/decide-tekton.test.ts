import { describe, expect, test } from 'vitest';
import type { PipelineRun, TaskRun } from '../../../api/builtin/index.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import { pipelineRunDraft } from '../engines/tekton/pipeline-run-draft.ts';
import { podsOfTasks } from '../engines/tekton/task-pods.ts';
import { aRun, aTask, ended, givenUp, running } from '../engines/tekton/testing/task-runs.ts';
import { runName } from '../names.ts';
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
  listed,
  NOW,
  seenWith,
  TARGET,
  TIMES_OUT_AT,
  UNREADABLE,
} from '../testing/builders.ts';
import { judged, wanted, type Case } from '../testing/decision-case.ts';

const workflowRef = { workflowId: 'restart', version: '1.0.0', executionBundle: 'bundle:1', executionEngine: 'tekton' } as const;
const spec = { workflowRef, parameters: {} };
const NAME = runName({ targetResource: TARGET });
const pending = anExecution({ spec, status: { phase: 'Pending' } });
const executionRef = { name: NAME, namespace: 'kubernaut-workflows', kind: 'PipelineRun', uid: 'run-uid', releasedAt: toTime(NOW) };
const atWork = anExecution({ spec, status: { phase: 'Running', startTime: toTime(NOW), executionRef } });

/** As the server keeps what was drafted. */
const held = (change: PipelineRun['status'] = {}): PipelineRun => {
  const draft = pipelineRunDraft(pending, { namespace: 'kubernaut-workflows', now: NOW });
  const metadata = { ...draft.metadata, name: NAME, uid: 'run-uid', resourceVersion: '7', generation: 2, creationTimestamp: toTime(NOW) };
  return { ...draft, metadata, status: change };
};

describe('pending, for Tekton', () => {
  const cases: readonly Case[] = [
    {
      name: '[WE-113] everything is there',
      reason: 'the PipelineRun is created',
      seen: { object: pending, installed: found(true) },
      phase: 'Pending',
      because: 'Pending',
      effects: ['Create PipelineRun'],
    },
    {
      name: '[WE-113] a dependency is not there',
      reason: 'no PipelineRun is created',
      seen: { object: pending, installed: found(true), dependencies: listed({ kind: 'Secret', name: 'db', read: ABSENT }) },
      phase: 'Failed',
      because: 'ConfigurationError',
      effects: ['Event WorkflowFailed'],
      acted: false,
    },
    {
      name: '[WE-113] a dependency cannot be read',
      reason: 'no PipelineRun is created',
      seen: { object: pending, installed: found(true), dependencies: listed({ kind: 'Secret', name: 'db', read: UNREADABLE }) },
      phase: 'Pending',
      because: 'WaitingForDependencies',
    },
    {
      name: '[BO-016] Tekton is not installed',
      reason: 'waiting does not bring it',
      seen: { object: pending, installed: ABSENT },
      phase: 'Failed',
      because: 'ConfigurationError',
      effects: ['Event WorkflowFailed'],
      acted: false,
    },
    {
      name: 'whether Tekton is installed cannot be read',
      reason: 'it is unknown',
      seen: { object: pending, installed: UNREADABLE },
      phase: 'Pending',
      because: 'WaitingForEngine',
    },
    {
      name: 'whether Tekton is installed was not read',
      reason: 'what was not read is not taken for granted',
      seen: { object: pending },
      phase: 'Pending',
      because: 'WaitingForEngine',
    },
    {
      name: 'the run is there, held, although Tekton has rewritten it',
      reason: 'it is recorded in status and released',
      seen: { object: pending, run: found(held({ conditions: [{ type: 'Succeeded', status: 'Unknown', reason: 'PipelineRunPending' }] })) },
      phase: 'Running',
      because: 'Running',
      effects: ['Event ExecutionCreated', 'Patch PipelineRun'],
    },
    {
      name: 'the run is held, but was released before',
      reason: 'it acts already; it is not released a second time',
      seen: { object: pending, run: found(held({ startTime: toTime(NOW) })) },
      phase: 'Running',
      because: 'Running',
      effects: ['Event ExecutionCreated'],
    },
  ];
  test.each(cases)('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));

  test('says that Tekton is not installed, and what to do', () => {
    const { failureDetails } = decide(seenWith({ object: pending, installed: ABSENT }), NOW).status as ExecutionStatus;
    expect(failureDetails?.message).toContain('pipelineruns.tekton.dev');
    expect(failureDetails?.naturalLanguageSummary).toMatch(/Install it, or offer the workflow with another engine\./);
  });

  test('a Job of another execution at work on the target keeps a PipelineRun away, and the other way round', () => {
    const other = anExecution({ uid: 'wfe-2', name: 'we-rr-2', status: { phase: 'Running' } });
    const theirs = { lock: ABSENT, holder: found(other) };
    const job = { ...theirs, run: found(aJob({ of: 'wfe-2' })) };
    expect(judged({ seen: { object: pending, ...job } })).toMatchObject({ phase: 'Skipped', because: 'ResourceBusy', effects: [] });
    const labels = { ...held().metadata.labels, 'kubernaut.ai/workflow-execution-uid': 'wfe-2' };
    const run = { ...held({ startTime: toTime(NOW) }), metadata: { ...held().metadata, labels } };
    expect(judged({ seen: { ...theirs, run: found(run) } })).toMatchObject({ phase: 'Skipped', because: 'ResourceBusy', effects: [] });
  });
});

const tasks = (...all: readonly TaskRun[]) => listed(...podsOfTasks(all, []));
const GOES_ON = ['Unknown', 'Running', 'Tasks Completed: 0 (Failed: 0, Cancelled 0), Incomplete: 1, Skipped: 0'] as const;
const onIt = { run: found(aRun(GOES_ON, ['act'])), pods: tasks(aTask('act', ['Unknown', 'Running'], [running('one')])) };
const cancelled = found(aRequest({ overallPhase: 'Cancelled', cancellation: { by: 'alex', requestedAt: toTime(NOW) } }));
const stoppedRun = (...begun: readonly string[]) => found(aRun(['False', 'Cancelled', 'was cancelled'], begun));
const late = after(TIMES_OUT_AT, MINUTE);

describe('running, on Tekton', () => {
  const at = (change: Partial<Everything>) => ({ object: atWork, lock: UNREADABLE, ...change });
  const cases: readonly Case[] = [
    { name: 'at work', reason: 'it is followed', seen: at(onIt), phase: 'Running' },
    {
      name: '[WE-111] a task is tried again',
      reason: 'that is for Tekton to do',
      seen: at({
        ...onIt,
        pods: tasks(aTask('act', ['Unknown', 'Running'], [running('one')], { retriesStatus: [{ steps: [ended('one', 1)] }] })),
      }),
      phase: 'Running',
    },
    ...(['Succeeded', 'Completed'] as const).map((reason) => ({
      name: `[WE-114] went through, which Tekton calls ${reason}`,
      reason: 'it is Completed, also where Tekton skipped a task',
      seen: at({ run: found(aRun(['True', reason], ['act'])), pods: tasks(aTask('act', ['True', 'Succeeded'], [ended('one', 0)])) }),
      phase: 'Completed',
      because: 'Completed',
      effects: ['Event WorkflowCompleted'],
    })),
    {
      name: '[WE-115] failed',
      reason: 'it is Failed',
      seen: at({ run: found(aRun(['False', 'Failed'], ['act'])), pods: tasks(aTask('act', ['False', 'Failed'], [ended('one', 1)])) }),
      phase: 'Failed',
      because: 'TaskFailed',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'cancelled',
      reason: 'Tekton is asked to stop it, and what it had begun is seen when it has',
      seen: at({ ...onIt, request: cancelled }),
      phase: 'Running',
      effects: ['Patch PipelineRun'],
    },
    {
      name: 'cancelled, and asked to stop',
      reason: 'the stop is requested only once',
      seen: at({ ...onIt, run: found({ ...aRun(GOES_ON, ['act']), spec: { status: 'Cancelled' as const } }), request: cancelled }),
      phase: 'Running',
    },
    {
      name: 'cancelled, and stopped at work',
      reason: 'it may have acted',
      seen: at({
        run: stoppedRun('act'),
        pods: tasks(aTask('act', ['False', 'TaskRunCancelled'], [givenUp('one', 'TaskRunCancelled', true)])),
        request: cancelled,
      }),
      phase: 'Failed',
      because: 'Unknown',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'cancelled, and stopped before its pipeline was there',
      reason: 'nothing was changed',
      seen: at({ run: stoppedRun(), pods: listed(), request: cancelled }),
      phase: 'Failed',
      because: 'Unknown',
      effects: ['Event WorkflowFailed'],
      acted: false,
    },
    {
      name: 'cancelled, but it failed by itself',
      reason: 'that is what happened',
      seen: at({
        run: found(aRun(['False', 'Failed'], ['act'])),
        pods: tasks(aTask('act', ['False', 'Failed'], [ended('one', 1)])),
        request: cancelled,
      }),
      phase: 'Failed',
      because: 'TaskFailed',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'out of time, and it does not end by itself',
      reason: 'Tekton is asked to stop it',
      seen: at(onIt),
      at: late,
      phase: 'Running',
      effects: ['Patch PipelineRun'],
    },
    {
      name: 'out of time, and stopped for it',
      reason: 'it may have acted',
      seen: at({ ...onIt, run: stoppedRun('act') }),
      at: late,
      phase: 'Failed',
      because: 'DeadlineExceeded',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'out of time, and Tekton does not stop it either',
      reason: 'the worst is assumed',
      seen: at(onIt),
      at: after(late, MINUTE),
      phase: 'Failed',
      because: 'DeadlineExceeded',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'an operator cancelled the PipelineRun itself',
      reason: 'its request did not ask for it',
      seen: at({ ...onIt, run: stoppedRun('act') }),
      phase: 'Failed',
      because: 'Unknown',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
    {
      name: 'it was held again from outside',
      reason: 'letting it go would run it a second time',
      seen: at({ ...onIt, run: found({ ...aRun(GOES_ON, ['act']), spec: { status: 'PipelineRunPending' as const } }) }),
      phase: 'Failed',
      because: 'Unknown',
      effects: ['Event WorkflowFailed'],
      acted: true,
    },
  ];
  test.each(cases)('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));

  test('says who cancelled it', () => {
    const seen = seenWith({ object: atWork, run: stoppedRun(), pods: listed(), request: cancelled });
    expect((decide(seen, NOW).status as ExecutionStatus).failureDetails?.message).toContain('alex cancelled it');
  });
});

describe('ended, on Tekton', () => {
  const over = (agoMs: number) =>
    anExecution({ spec, status: { phase: 'Failed', completionTime: toTime(after(NOW, -agoMs)), executionRef } });
  const foreign = { ...aRun(['False', 'Failed']), metadata: { ...aRun(GOES_ON).metadata, uid: 'other', labels: {} } };

  test.each([
    { name: 'at work', reason: 'Tekton is asked to stop it', agoMs: SECOND, run: aRun(GOES_ON, ['act']), effects: ['Patch PipelineRun'] },
    {
      name: 'asked to stop',
      reason: 'that takes a moment',
      agoMs: SECOND,
      run: { ...aRun(GOES_ON, ['act']), spec: { status: 'Cancelled' as const } },
      effects: [],
    },
    { name: 'held', reason: 'nothing of it runs', agoMs: SECOND, run: held(), effects: ['Delete PipelineRun'] },
    { name: 'over', reason: 'it is kept for the cooldown', agoMs: SECOND, run: aRun(['False', 'Failed']), effects: [] },
    {
      name: '[WE-098] over, and so is the cooldown',
      reason: 'it goes',
      agoMs: MINUTE,
      run: aRun(['False', 'Failed']),
      effects: ['Delete PipelineRun'],
    },
    {
      name: 'did not stop in the cooldown',
      reason: 'it goes',
      agoMs: MINUTE,
      run: aRun(GOES_ON, ['act']),
      effects: ['Delete PipelineRun'],
    },
    {
      name: '[WE-167] not ours by its label',
      reason: 'it is not ours to delete',
      agoMs: MINUTE,
      run: foreign,
      effects: ['Delete Lease', 'Event LockReleased'],
    },
  ])('the run is $name: $reason', ({ agoMs, run, effects }) => {
    const decision = decide(seenWith({ object: over(agoMs), run: found(run), lock: found(aLock()), pods: listed() }), NOW);
    expect(decision.effects.map(effectText)).toEqual(effects);
  });

  test('the lock waits for a task that has not ended, pod or not', () => {
    const left = tasks(aTask('act', ['Unknown', 'Pending'], [], { podName: '' }));
    const seen = seenWith({ object: over(MINUTE), run: ABSENT, lock: found(aLock()), pods: left });
    expect(decide(seen, NOW).effects).toEqual([]);
    expect(decide(seenWith({ ...seen, pods: tasks(aTask('act', ['False', 'Failed'], [])) }), NOW).effects.map(effectText)).toEqual([
      'Delete Lease',
      'Event LockReleased',
    ]);
  });
});
