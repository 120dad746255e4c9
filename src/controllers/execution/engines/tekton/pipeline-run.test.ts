import { describe, expect, test } from 'vitest';
import type { PipelineRun } from '../../../../api/builtin/index.ts';
import { parseTime } from '../../../../base/index.ts';
import { pipelineRunEnd, pipelineRunProgress, stopPipelineRun, wasNeverReleased } from './pipeline-run.ts';

const run = (status: PipelineRun['status'], spec: PipelineRun['spec'] = {}): PipelineRun => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'PipelineRun',
  metadata: {
    name: 'wfe-1',
    namespace: 'runs',
    uid: 'run-uid',
    resourceVersion: '9',
    generation: 2,
    creationTimestamp: '2026-11-15T16:00:00Z',
  },
  spec,
  ...(status ? { status } : {}),
});

const condition = (status: 'True' | 'False' | 'Unknown', reason: string, message = '') => ({
  type: 'Succeeded',
  status,
  reason,
  message,
  lastTransitionTime: '2026-11-15T16:02:00Z',
});

describe('how a PipelineRun ended', () => {
  test.each([
    { name: 'no condition yet', status: undefined, end: undefined },
    { name: 'held', status: { conditions: [condition('Unknown', 'PipelineRunPending')] }, end: undefined },
    { name: 'resolving', status: { conditions: [condition('Unknown', 'ResolvingPipelineRef')] }, end: undefined },
    { name: 'running', status: { conditions: [condition('Unknown', 'Running')] }, end: undefined },
    { name: 'could not be cancelled yet', status: { conditions: [condition('Unknown', 'PipelineRunCouldntCancel')] }, end: undefined },
    { name: 'succeeded', status: { conditions: [condition('True', 'Succeeded')] }, end: true },
    { name: 'completed with tasks left out', status: { conditions: [condition('True', 'Completed')] }, end: true },
    { name: 'failed', status: { conditions: [condition('False', 'Failed')] }, end: false },
    { name: 'cancelled', status: { conditions: [condition('False', 'Cancelled')] }, end: false },
    { name: 'out of time', status: { conditions: [condition('False', 'PipelineRunTimeout')] }, end: false },
    { name: 'could not get its pipeline', status: { conditions: [condition('False', 'CouldntGetPipeline')] }, end: false },
  ])('$name', ({ status, end }) => {
    expect(pipelineRunEnd(run(status))?.succeeded).toBe(end);
  });

  test('at the time that it says, or when its condition changed', () => {
    const conditions = [condition('True', 'Succeeded')];
    expect(pipelineRunEnd(run({ conditions, completionTime: '2026-11-15T16:01:00Z' }))?.at).toBe(parseTime('2026-11-15T16:01:00Z'));
    expect(pipelineRunEnd(run({ conditions }))?.at).toBe(parseTime('2026-11-15T16:02:00Z'));
  });
});

describe('how far a PipelineRun is', () => {
  const childReferences = [{ name: 'wfe-1-look' }, { name: 'wfe-1-act' }];
  test.each([
    { message: 'Tasks Completed: 0 (Failed: 0, Cancelled 0), Incomplete: 2, Skipped: 0', completedTasks: 0 },
    { message: 'Tasks Completed: 1 (Failed: 0, Cancelled 0), Incomplete: 1, Skipped: 0', completedTasks: 1 },
    { message: 'Tasks Completed: 2 (Failed: 0, Cancelled 0), Skipped: 0', completedTasks: 2 },
    { message: 'Tasks Completed: 2 (Failed: 1, Cancelled 0), Skipped: 1', completedTasks: 1 },
    { message: 'Tasks Completed: 2 (Failed: 0, Cancelled 2), Skipped: 0', completedTasks: 0 },
    { message: 'PipelineRun "wfe-1" failed to finish within "12s"', completedTasks: 0 },
  ])('$message', ({ message, completedTasks }) => {
    expect(pipelineRunProgress(run({ childReferences, conditions: [condition('Unknown', 'Running', message)] }))).toEqual({
      completedTasks,
      totalTasks: 2,
    });
  });

  test('nothing is known of it', () => {
    expect(pipelineRunProgress(run(undefined))).toEqual({ completedTasks: 0, totalTasks: 0 });
  });
});

describe('whether a PipelineRun that is held was ever released', () => {
  test.each([
    { name: 'just created', status: undefined, is: true },
    { name: 'seen by Tekton, which rewrote parts of it', status: { conditions: [condition('Unknown', 'PipelineRunPending')] }, is: true },
    { name: 'has a time at which it began', status: { startTime: '2026-11-15T16:01:00Z' }, is: false },
    { name: 'has a task', status: { childReferences: [{ name: 'wfe-1-look' }] }, is: false },
  ])('$name', ({ status, is }) => {
    expect(wasNeverReleased(run(status))).toBe(is);
  });
});

describe('stopping a PipelineRun', () => {
  test('Tekton is asked to, for exactly the run that was seen', () => {
    expect(stopPipelineRun(run({ conditions: [condition('Unknown', 'Running')] }))).toEqual({
      kind: 'Patch',
      resource: expect.objectContaining({ kind: 'PipelineRun' }) as unknown,
      key: { namespace: 'runs', name: 'wfe-1' },
      uid: 'run-uid',
      resourceVersion: '9',
      operations: [{ op: 'add', path: '/spec/status', value: 'Cancelled' }],
    });
  });

  test.each([
    { name: 'is held', object: run(undefined, { status: 'PipelineRunPending' }), reason: 'nothing of it runs' },
    { name: 'was asked already', object: run(undefined, { status: 'Cancelled' }) },
    { name: 'has ended', object: run({ conditions: [condition('False', 'Failed')] }) },
  ])('there is nothing to ask of one that $name', ({ object }) => {
    expect(stopPipelineRun(object)).toBeUndefined();
  });
});
