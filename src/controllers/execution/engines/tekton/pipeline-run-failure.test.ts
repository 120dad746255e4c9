import { describe, expect, test } from 'vitest';
import type { Pod, TaskRun } from '../../../../api/builtin/index.ts';
import type { ExecutionFailure } from '../../status/failure.ts';
import type { PodEvidence } from '../evidence/pod-evidence.ts';
import { pipelineRunFailure, pipelineRunEvidence } from './pipeline-run-failure.ts';
import { podsOfTasks } from './task-pods.ts';
import { aRun, aTask, aTaskPod, ended, givenUp, running, skipped, waiting } from './testing/task-runs.ts';

const NO_EVENTS = { kind: 'value', value: [] } as const;
const FAILED = ['False', 'Failed', 'Tasks Completed: 1 (Failed: 1, Cancelled 0), Skipped: 0'] as const;

interface Scene {
  readonly run?: Parameters<typeof aRun>[0];
  readonly tasks?: readonly TaskRun[];
  readonly pods?: readonly Pod[];
}

const evidenceOf = ({ run = FAILED, tasks = [], pods = [] }: Scene) => {
  const object = aRun(
    run,
    tasks.map(({ metadata }) => metadata.labels?.['tekton.dev/pipelineTask'] ?? ''),
  );
  return { object, story: pipelineRunEvidence(object, podsOfTasks(tasks, pods), undefined, NO_EVENTS) };
};

const failureOf = (scene: Scene) => {
  const { object, story } = evidenceOf(scene);
  return pipelineRunFailure(object, story);
};

describe('why a PipelineRun failed, from what its steps say', () => {
  const cases: readonly (Scene & { readonly name: string; readonly is: string; readonly started: boolean })[] = [
    {
      name: '[WE-014] a step exits with an error',
      tasks: [
        aTask(
          'look',
          ['False', 'Failed', '"step-second" exited with code 3: Error'],
          [ended('first', 0), ended('second', 3), skipped('third')],
        ),
      ],
      is: 'TaskFailed',
      started: true,
    },
    {
      name: 'every step that began reports that a precondition is not met (ruling 118)',
      tasks: [aTask('act', ['False', 'Failed', '"step-one" exited with code 3: Error'], [ended('one', 3)])],
      is: 'TaskFailed',
      started: false,
    },
    {
      name: 'a precondition is not met, but an earlier task did something',
      tasks: [
        aTask('look', ['True', 'Succeeded'], [ended('one', 0)]),
        aTask('act', ['False', 'Failed', '"step-one" exited with code 3: Error'], [ended('one', 3)]),
      ],
      is: 'TaskFailed',
      started: true,
    },
    {
      name: 'a precondition is not met, after an attempt that ended in another way',
      tasks: [aTask('act', ['False', 'Failed'], [ended('one', 3)], { retriesStatus: [{ steps: [ended('one', 1)] }] })],
      is: 'TaskFailed',
      started: true,
    },
    {
      name: 'out of time, its step exits with 3',
      run: ['False', 'PipelineRunTimeout', 'failed to finish within 1m'],
      tasks: [aTask('act', ['False', 'TaskRunTimeout'], [ended('one', 3)])],
      is: 'DeadlineExceeded',
      started: true,
    },
    {
      name: 'a step needs more memory than it may have',
      tasks: [aTask('big', ['False', 'Failed', '"step-one" exited with code 137: OOMKilled'], [ended('one', 137, 'OOMKilled')])],
      is: 'OOMKilled',
      started: true,
    },
    {
      name: 'an image cannot be pulled, and Tekton deleted the pod',
      tasks: [
        aTask(
          'pull',
          ['False', 'TaskRunImagePullFailed', 'the step "one" failed to pull the image ""'],
          [givenUp('one', 'TaskRunImagePullFailed', false)],
        ),
      ],
      is: 'ImagePullBackOff',
      started: false,
    },
    {
      name: 'the image of the second step cannot be pulled, but the first was at work',
      tasks: [
        aTask(
          'pull',
          ['False', 'TaskRunImagePullFailed', 'the step "two" failed to pull the image ""'],
          [givenUp('one', 'TaskRunImagePullFailed', true), givenUp('two', 'TaskRunImagePullFailed', false)],
        ),
      ],
      is: 'ImagePullBackOff',
      started: true,
    },
    {
      name: 'the image of the second task cannot be pulled',
      tasks: [
        aTask('look', ['True', 'Succeeded'], [ended('one', 0)]),
        aTask('pull', ['False', 'TaskRunImagePullFailed', 'no such image'], [givenUp('one', 'TaskRunImagePullFailed', false)]),
      ],
      is: 'ImagePullBackOff',
      started: true,
    },
    {
      name: 'a Secret that a step reads is missing',
      tasks: [
        aTask(
          'env',
          ['False', 'CreateContainerConfigError', 'Failed to create pod due to config error'],
          [waiting('one', 'CreateContainerConfigError', 'secret "nope" not found')],
        ),
      ],
      is: 'ConfigurationError',
      started: false,
    },
    {
      name: 'the runtime cannot start the container',
      tasks: [
        aTask(
          'odd',
          ['False', 'Failed', '"step-one" exited with code 128: StartError'],
          [
            {
              ...ended('one', 128, 'StartError'),
              terminated: { exitCode: 128, reason: 'StartError', message: 'no such file', startedAt: '1970-01-01T00:00:00Z' },
            },
          ],
        ),
      ],
      is: 'ConfigurationError',
      started: false,
    },
    {
      name: 'there is no pod: the quota is used up to the end',
      run: ['False', 'PipelineRunTimeout', 'PipelineRun "wfe-abc" failed to finish within "1m0s"'],
      tasks: [aTask('big', ['False', 'ExceededResourceQuota', 'TaskRun Pod exceeded available resources'], [], { podName: '' })],
      is: 'ResourceExhausted',
      started: false,
    },
    {
      name: 'there is no pod: its account is not there',
      tasks: [
        aTask('one', ['False', 'PodCreationFailed', 'failed to create task run pod: serviceaccount "x" not found'], [], { podName: '' }),
      ],
      is: 'ConfigurationError',
      started: false,
    },
    {
      name: 'there is no pod: a rule does not let it in',
      tasks: [aTask('one', ['False', 'PodAdmissionFailed', 'pods "x" is forbidden: violates PodSecurity'], [], { podName: '' })],
      is: 'Forbidden',
      started: false,
    },
    {
      name: 'Tekton does not take the task',
      tasks: [aTask('one', ['False', 'TaskRunValidationFailed', 'missing param'], [], { podName: '' })],
      is: 'ConfigurationError',
      started: false,
    },
    {
      name: 'it runs out of time while a step is at work',
      run: ['False', 'PipelineRunTimeout', 'PipelineRun "wfe-abc" failed to finish within "12s"'],
      tasks: [
        aTask(
          'slow',
          ['False', 'TaskRunCancelled', 'the PipelineRun it belongs to has timed out'],
          [givenUp('one', 'TaskRunCancelled', true), givenUp('two', 'TaskRunCancelled', true)],
        ),
      ],
      is: 'DeadlineExceeded',
      started: true,
    },
    {
      name: 'one of its tasks runs out of time',
      tasks: [aTask('slow', ['False', 'TaskRunTimeout', 'failed to finish within "5s"'], [givenUp('one', 'TaskRunTimeout', true)])],
      is: 'DeadlineExceeded',
      started: true,
    },
    {
      name: 'it runs out of time before anything begins',
      run: ['False', 'PipelineRunTimeout', 'failed to finish within "12s"'],
      tasks: [aTask('slow', ['False', 'TaskRunCancelled'], [givenUp('one', 'TaskRunCancelled', false)])],
      is: 'DeadlineExceeded',
      started: false,
    },
    {
      name: 'it is cancelled from outside',
      run: ['False', 'Cancelled', 'PipelineRun "wfe-abc" was cancelled'],
      tasks: [aTask('slow', ['False', 'TaskRunCancelled'], [givenUp('one', 'TaskRunCancelled', true)])],
      is: 'Unknown',
      started: true,
    },
    {
      name: 'what it tried was forbidden',
      tasks: [aTask('act', ['False', 'Failed', '"step-act" exited with code 1: Error: deployments is forbidden'], [ended('act', 1)])],
      is: 'Forbidden',
      started: true,
    },
    {
      name: 'its pod is evicted',
      tasks: [aTask('act', ['Unknown', 'Running'], [running('act')])],
      pods: [
        aTaskPod('act', {
          phase: 'Failed',
          reason: 'Evicted',
          message: 'The node was low on resource: memory',
          containerStatuses: [
            { name: 'step-act', ready: false, restartCount: 0, state: { terminated: { exitCode: 137, reason: 'Error' } } },
          ],
        }),
      ],
      is: 'ResourceExhausted',
      started: true,
    },
  ];
  test.each(cases)('$name: $is', ({ is, started, ...scene }) => {
    const failure = failureOf(scene);
    expect({ reason: failure.reason, started: failure.started }).toEqual({ reason: is, started });
    expect(failure.message).not.toContain('secret stuff');
  });

  test('says which step of which task failed, and how', () => {
    const failed = aTask('act', ['False', 'Failed', '"step-second" exited with code 3: Error'], [ended('first', 0), ended('second', 3)]);
    expect(failureOf({ tasks: [aTask('look', ['True', 'Succeeded'], [ended('only', 0)]), failed] })).toMatchObject({
      exitCode: 3,
      step: 'second',
      task: { name: 'act', index: 1 },
      message: '"step-second" exited with code 3: Error',
    });
  });

  test('an attempt that failed and was tried again is not what failed', () => {
    const tried = aTask('look', ['True', 'Succeeded'], [ended('only', 0)], { retriesStatus: [{ steps: [ended('only', 9)] }] });
    const failed = aTask('act', ['False', 'Failed', 'it failed'], [ended('only', 4)]);
    expect(failureOf({ tasks: [tried, failed] })).toMatchObject({ exitCode: 4, task: { name: 'act', index: 1 } });
  });
});

describe('whether any step of a PipelineRun has begun', () => {
  const cases: readonly (Scene & { readonly name: string; readonly started: boolean; readonly reason?: string })[] = [
    { name: 'it ended without a task', started: false },
    { name: 'it has no task yet', run: ['Unknown', 'ResolvingPipelineRef'], started: true, reason: 'one may begin any moment' },
    { name: 'its pipeline is not there', run: ['False', 'CouldntGetPipeline', 'could not find the bundle'], started: false },
    { name: 'its pod is not there yet', tasks: [aTask('one', ['Unknown', 'Pending'], [], { podName: '' })], started: false },
    { name: 'its step waits', tasks: [aTask('one', ['Unknown', 'Pending'], [waiting('one', 'PodInitializing')])], started: false },
    { name: 'its step runs', tasks: [aTask('one', ['Unknown', 'Running'], [running('one')])], started: true },
    {
      name: 'an earlier attempt had begun, this one has not',
      tasks: [aTask('one', ['Unknown', 'Pending'], [waiting('one', 'ErrImagePull')], { retriesStatus: [{ steps: [ended('one', 1)] }] })],
      started: true,
    },
    {
      name: 'an earlier attempt had not begun either',
      tasks: [
        aTask('one', ['Unknown', 'Pending'], [waiting('one', 'ErrImagePull')], {
          retriesStatus: [{ steps: [givenUp('one', 'TaskRunImagePullFailed', false)] }],
        }),
      ],
      started: false,
    },
    {
      name: 'only what Tekton runs before the steps has run',
      tasks: [aTask('one', ['Unknown', 'Pending'], [waiting('one', 'PodInitializing')])],
      pods: [
        aTaskPod('one', {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'prepare', ready: false, restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          ],
          containerStatuses: [{ name: 'step-one', ready: false, restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
        }),
      ],
      started: false,
    },
    {
      name: 'the pod knows of a step what the task does not know yet',
      tasks: [aTask('one', ['Unknown', 'Pending'], [waiting('one', 'PodInitializing')])],
      pods: [
        aTaskPod('one', {
          phase: 'Running',
          containerStatuses: [{ name: 'step-one', ready: true, restartCount: 0, state: { running: {} } }],
        }),
      ],
      started: true,
    },
    {
      name: 'the task had a pod, and nothing is recorded of it',
      tasks: [aTask('one', ['False', 'TaskRunCancelled'], [])],
      started: true,
      reason: 'it is unknown whether it began',
    },
  ];
  test.each(cases)('$name: $started', ({ started, ...scene }) => {
    expect(evidenceOf(scene).story.started).toBe(started);
  });

  test('a task that was deleted from outside may have begun', () => {
    expect(pipelineRunEvidence(aRun(FAILED, ['look', 'act']), podsOfTasks([aTask('look', FAILED)], []), undefined, NO_EVENTS).started).toBe(
      true,
    );
  });

  test('what keeps a step from beginning is reported', () => {
    const tasks = [aTask('pull', ['Unknown', 'PullImageFailed'], [waiting('one', 'ErrImagePull', 'no such image')])];
    expect(evidenceOf({ run: ['Unknown', 'Running'], tasks }).story.obstacle).toEqual({ reason: 'ErrImagePull', message: 'no such image' });
  });

  test('what it says that it did are the results of its pipeline', () => {
    const run = aRun(['True', 'Succeeded'], [], {
      results: [
        { name: 'SUMMARY', value: 'restarted 3 pods' },
        { name: 'PODS', value: ['a', 'b'] },
      ],
    });
    expect(pipelineRunEvidence(run, [], undefined, NO_EVENTS).said).toBe('SUMMARY: restarted 3 pods; PODS: ["a","b"]');
  });
});

describe('why a PipelineRun failed, from its own condition alone', () => {
  test.each([
    { reason: 'Failed', message: 'container was OOM killed', is: 'OOMKilled' },
    { reason: 'PipelineRunTimeout', message: 'failed to finish within "1h"', is: 'DeadlineExceeded' },
    { reason: 'Failed', message: 'context deadline exceeded', is: 'DeadlineExceeded' },
    { reason: 'Failed', message: 'pods is forbidden', is: 'Forbidden' },
    { reason: 'Failed', message: 'RBAC says no', is: 'Forbidden' },
    { reason: 'Failed', message: 'permission denied', is: 'Forbidden' },
    { reason: 'Failed', message: 'exceeded quota: pods', is: 'ResourceExhausted' },
    { reason: 'Failed', message: 'resource exhausted', is: 'ResourceExhausted' },
    { reason: 'Failed', message: 'ImagePullBackOff', is: 'ImagePullBackOff' },
    { reason: 'Failed', message: 'image pull error', is: 'ImagePullBackOff' },
    { reason: 'Failed', message: 'invalid value', is: 'ConfigurationError' },
    { reason: 'Failed', message: 'bad configuration', is: 'ConfigurationError' },
    { reason: 'CouldntGetPipeline', message: 'permission denied by the registry', is: 'ConfigurationError' },
    { reason: 'PipelineValidationFailed', message: 'non-existent variable', is: 'ConfigurationError' },
    { reason: 'ParameterMissing', message: 'missing parameters', is: 'ConfigurationError' },
    { reason: 'InvalidWorkspaceBindings', message: 'needs a workspace', is: 'ConfigurationError' },
    { reason: 'TaskFailed', message: '', is: 'Unknown' },
    { reason: 'Odd', message: 'who knows', is: 'Unknown' },
  ])('$reason, $message: $is, and nothing had begun', ({ reason, message, is }) => {
    expect(failureOf({ run: ['False', reason, message] })).toMatchObject({ reason: is, started: false });
  });

  test('[WE-014] a task failed, and its TaskRun is gone', () => {
    const run = aRun(FAILED, ['look']);
    expect(pipelineRunFailure(run, pipelineRunEvidence(run, [], undefined, NO_EVENTS))).toMatchObject({
      reason: 'TaskFailed',
      started: true,
    });
  });
});

describe('of several facts the others follow from the first', () => {
  const end = { container: 'look/one', exitCode: 1, reason: 'Error', message: 'exit 1' };
  const killed = { ...end, exitCode: 137, reason: 'OOMKilled' };
  const evicted = { reason: 'EvictionByEvictionAPI', message: 'drained' };
  const stuck = { reason: 'ImagePullBackOff', message: 'no such host' };

  test.each<{ name: string; story: PodEvidence; word?: string; want: Partial<ExecutionFailure> }>([
    {
      name: 'a step was killed for its memory, and its pod was then evicted',
      story: { started: true, end: killed, disruption: evicted },
      want: { reason: 'OOMKilled', message: 'exit 1', exitCode: 137, step: 'one', task: { name: 'look', index: 1 } },
    },
    {
      name: 'a step failed while its pod was evicted',
      story: { started: true, end, disruption: evicted },
      want: { message: 'EvictionByEvictionAPI: drained' },
    },
    {
      name: 'a step failed, and a later one was kept from beginning',
      story: { started: true, end, obstacle: stuck },
      want: { reason: 'TaskFailed', message: 'exit 1' },
    },
    {
      name: 'a step ended because a later one was kept from beginning',
      story: { started: true, end: { ...end, reason: 'TaskRunImagePullFailed' }, obstacle: stuck },
      want: { reason: 'ImagePullBackOff', message: 'ImagePullBackOff: no such host' },
    },
    {
      name: 'a step was kept from beginning, without a message',
      story: { started: false, obstacle: { reason: 'ImagePullBackOff', message: '' } },
      want: { reason: 'ImagePullBackOff', message: 'ImagePullBackOff' },
    },
    {
      name: 'its time was up before anything began',
      story: { started: false },
      word: 'PipelineRunTimeout',
      want: {
        reason: 'DeadlineExceeded',
        plain: 'it did not start in time; check that its bundle can be pulled and contains its pipeline',
      },
    },
    {
      name: 'its time was up',
      story: { started: true },
      word: 'PipelineRunTimeout',
      want: { reason: 'DeadlineExceeded', plain: 'it did not finish in time' },
    },
    {
      name: 'the time of a task was up',
      story: { started: true, end: { ...end, reason: 'TaskRunTimeout' } },
      want: { reason: 'DeadlineExceeded', plain: 'it did not finish in time' },
    },
    {
      name: 'it was cancelled from outside while a step was at work',
      story: { started: true, end },
      word: 'Cancelled',
      want: { reason: 'Unknown', plain: 'its PipelineRun was cancelled' },
    },
    {
      name: 'there was no room for its pod',
      story: { started: false, obstacle: { reason: 'ExceededResourceQuota', message: 'exceeded quota: pods' } },
      want: {
        reason: 'ResourceExhausted',
        plain: 'the quota of its namespace is used up',
        message: 'ExceededResourceQuota: exceeded quota: pods',
      },
    },
    {
      name: 'Tekton did not take its task',
      story: { started: false, obstacle: { reason: 'TaskRunValidationFailed', message: 'bad' } },
      want: { reason: 'ConfigurationError' },
    },
    {
      name: 'there is no evidence at all',
      story: { started: false },
      word: '',
      want: { reason: 'Unknown', message: 'the PipelineRun failed' },
    },
  ])('$name', ({ story, word = 'Failed', want }) =>
    expect(pipelineRunFailure(aRun(['False', word], ['before', 'look']), story)).toMatchObject(want),
  );

  test('a run that Tekton has said nothing of', () => {
    const { status: _, ...run } = aRun(FAILED);
    expect(pipelineRunFailure(run, { started: true, end })).toMatchObject({ reason: 'TaskFailed', task: { name: 'look', index: 0 } });
    expect(pipelineRunEvidence(run, [], undefined, NO_EVENTS)).toEqual({ started: true });
    const bare = aRun(['True', 'Succeeded'], [], { childReferences: undefined } as never);
    expect(pipelineRunEvidence(bare, [], undefined, NO_EVENTS)).toEqual({ started: false });
  });

  test('what another’s pods say is nothing of this run', () => {
    const pod = aTaskPod('one', {
      phase: 'Running',
      containerStatuses: [{ name: 'one/a', ready: true, restartCount: 0, state: { running: {} } }],
    });
    const others = { ...pod, metadata: { ...pod.metadata, labels: { 'kubernaut.ai/workflow-execution-uid': 'wfe-2' } } };
    expect(pipelineRunEvidence(aRun(FAILED), [others], undefined, NO_EVENTS).started).toBe(false);
    expect(pipelineRunEvidence(aRun(FAILED), [pod], undefined, NO_EVENTS).started).toBe(true);
    expect(pipelineRunEvidence(aRun(FAILED, ['one']), [others], undefined, NO_EVENTS)).toEqual({ started: true });
  });
});

describe('what a task is at work at', () => {
  const phaseOf = (task: TaskRun, pods: readonly Pod[] = []) => podsOfTasks([task], pods).map(({ status }) => status?.phase);

  test.each([
    {
      name: 'a task without a pod may still get one',
      task: aTask('one', ['Unknown', 'Pending'], [], { podName: '' }),
      pods: [],
      phases: ['Pending'],
    },
    {
      name: 'a task that went through is over',
      task: aTask('one', ['True', 'Succeeded'], [ended('one', 0)]),
      pods: [],
      phases: ['Succeeded'],
    },
    { name: 'a task that failed is over', task: aTask('one', ['False', 'Failed'], [ended('one', 1)]), pods: [], phases: ['Failed'] },
    {
      name: 'a task that was given up, but whose pod has not ended',
      task: aTask('one', ['False', 'TaskRunCancelled'], [givenUp('one', 'TaskRunCancelled', true)]),
      pods: [aTaskPod('one', { phase: 'Running' })],
      phases: ['Running'],
    },
    {
      name: 'the pod of an earlier attempt stands for itself',
      task: aTask('one', ['Unknown', 'Running'], [running('one')], { podName: 'wfe-abc-one-pod-retry1' }),
      pods: [aTaskPod('one', { phase: 'Failed' }), aTaskPod('one', { phase: 'Running' }, 'pod-retry1')],
      phases: ['Running', 'Failed'],
    },
  ])('$name', ({ task, pods, phases }) => {
    expect(phaseOf(task, pods)).toEqual(phases);
  });
});
