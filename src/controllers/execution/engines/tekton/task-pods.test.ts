import { describe, expect, test } from 'vitest';
import type { ContainerState, Pod, TaskRun, TaskStep } from '../../../../api/builtin/index.ts';
import { podsOfTasks } from './task-pods.ts';
import { aTask, aTaskPod, CREATED, ended, givenUp, running, waiting } from './testing/task-runs.ts';

const LATER = '2026-11-15T16:02:17Z';
const only = (task: TaskRun, ...pods: readonly Pod[]): Pod => {
  const [first, ...more] = podsOfTasks([task], pods);
  if (!first || more.length > 0) throw new Error('one task is one pod');
  return first;
};
const states = ({ status }: Pod) => (status?.containerStatuses ?? []).map(({ name, state }) => ({ name, state }));
const container = (name: string, state?: ContainerState) => ({ name, ready: false, restartCount: 0, ...(state && { state }) });

describe('a task without a pod is described by its own status', () => {
  test.each<{ name: string; task: TaskRun; phase: string }>([
    { name: 'under way', task: aTask('one', ['Unknown', 'Running']), phase: 'Pending' },
    { name: 'succeeded', task: aTask('one', ['True', 'Succeeded']), phase: 'Succeeded' },
    { name: 'failed', task: aTask('one', ['False', 'Failed']), phase: 'Failed' },
    { name: 'not yet processed by Tekton', task: { ...aTask('one', ['True', 'x']), status: {} }, phase: 'Pending' },
  ])('$name', ({ task, phase }) => expect(only(task)).toMatchObject({ apiVersion: 'v1', kind: 'Pod', status: { phase } }));

  test('one that Tekton has said nothing of at all may still get a pod', () => {
    const { status: _, ...task } = aTask('one', ['True', 'x']);
    expect(only(task as TaskRun)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: task.metadata,
      spec: { containers: [] },
      status: { phase: 'Pending', containerStatuses: [], conditions: [] },
    });
    expect(states(only(task as TaskRun, aTaskPod('one', { containerStatuses: [container('step-a', { running: {} })] })))).toEqual([
      { name: 'one/a', state: { running: {} } },
    ]);
  });

  test.each<{ name: string; status: TaskRun['status']; pod: string; spec: object }>([
    { name: 'had none', status: { podName: '', steps: [] }, pod: 'wfe-abc-one', spec: { containers: [] } },
    {
      name: 'had one that nothing is recorded of',
      status: { steps: [] },
      pod: 'wfe-abc-one-pod',
      spec: { containers: [], nodeName: 'unknown' },
    },
    { name: 'had one whose steps are recorded', status: { steps: [ended('a', 0)] }, pod: 'wfe-abc-one-pod', spec: { containers: [] } },
  ])('one that $name', ({ status, pod, spec }) => {
    const told = only(aTask('one', ['False', 'Failed'], [], status));
    expect(told.metadata.name).toBe(pod);
    expect(told.spec).toEqual(spec);
  });

  test.each([
    { reason: 'PodCreationFailed', podName: '', isKnownReason: true },
    { reason: 'PodAdmissionFailed', podName: '', isKnownReason: true },
    { reason: 'ExceededResourceQuota', podName: '', isKnownReason: true },
    { reason: 'TaskRunValidationFailed', podName: '', isKnownReason: true },
    { reason: 'Pending', podName: '', isKnownReason: false },
    { reason: 'PodCreationFailed', podName: 'wfe-abc-one-pod', isKnownReason: false },
  ])('$reason with pod "$podName": why there is none is reported $isTold', ({ reason, podName, isKnownReason }) => {
    const { status } = only(aTask('one', ['False', reason, 'no room'], [], { podName }));
    expect(status?.conditions).toEqual(isKnownReason ? [{ type: 'PodScheduled', status: 'False', reason, message: 'no room' }] : []);
  });
});

describe('a step', () => {
  const sentence = '"step-a" exited with code 3';
  const stepOf = (step: TaskStep, task: Partial<TaskRun['metadata']> = {}) => {
    const told = aTask('one', ['False', 'TaskRunImagePullFailed', sentence], [step]);
    return states(only({ ...told, metadata: { ...told.metadata, ...task } }))[0]?.state;
  };
  const { imageID: _, ...noImage } = ended('a', 3);
  const given = givenUp('a', 'x', false);

  test.each<{ name: string; step: TaskStep; metadata?: object; want: object | undefined }>([
    { name: 'at work', step: running('a'), want: { running: { startedAt: CREATED } } },
    { name: 'waiting', step: waiting('a', 'ContainerCreating'), want: { waiting: { reason: 'ContainerCreating' } } },
    { name: 'of which nothing is recorded', step: { name: 'a' }, want: {} },
    { name: 'that ended', step: ended('a', 3), want: { terminated: { ...ended('a', 3).terminated, message: sentence } } },
    { name: 'without an image that ended later', step: noImage, want: { terminated: { ...noImage.terminated, message: sentence } } },
    {
      name: 'without an image and without a beginning',
      step: { ...given, terminated: { exitCode: 1, reason: 'x' } },
      want: { terminated: { exitCode: 1, reason: 'x', message: sentence } },
    },
    {
      name: 'of a task of unknown age',
      step: given,
      metadata: { creationTimestamp: undefined },
      want: { terminated: { ...given.terminated, message: sentence } },
    },
    { name: 'that was given up before it began', step: given, want: { waiting: { reason: 'ImagePullBackOff', message: sentence } } },
  ])('$name', ({ step, metadata, want }) => expect(stepOf(step, metadata as Partial<TaskRun['metadata']>)).toEqual(want));

  test('that was given up for a reason of Tekton’s own has none of the cluster', () => {
    const told = only(aTask('one', ['False', 'TaskRunCancelled', 'stopped'], [given]));
    expect(states(told)).toEqual([{ name: 'one/a', state: { waiting: { reason: '', message: 'stopped' } } }]);
  });

  test('that ended well leaves no message', () => {
    const told = only(aTask('one', ['True', 'Succeeded', 'All Steps have completed executing'], [ended('a', 0)]));
    expect(states(told)[0]?.state?.terminated?.message).toBe('');
  });

  test('without a name, of a task without its label', () => {
    const task = aTask('one', ['False', 'Failed'], [{ running: {} }]);
    const { labels: _labels, ...metadata } = task.metadata;
    expect(states(only({ ...task, metadata }))[0]?.name).toBe('wfe-abc-one/');
  });
});

describe('an attempt before', () => {
  test.each<{ name: string; steps?: readonly TaskStep[]; want: readonly string[] }>([
    { name: 'that was at work counts', steps: [waiting('a', 'x'), running('b')], want: ['one/b'] },
    { name: 'that ended counts', steps: [ended('a', 1)], want: ['one/a'] },
    { name: 'that was given up before it began does not', steps: [givenUp('a', 'x', false)], want: [] },
    { name: 'that only waited does not', steps: [waiting('a', 'x')], want: [] },
    { name: 'of which nothing is recorded does not', want: [] },
  ])('$name', ({ steps, want }) => {
    const told = only(aTask('one', ['False', 'Failed'], [], { retriesStatus: [{ ...(steps && { steps: [...steps] }) }] }));
    expect(states(told)).toEqual(want.map((name) => ({ name, state: { running: {} } })));
  });
});

describe('a pod describes its steps, and nothing that Tekton runs beside them', () => {
  const pod = aTaskPod('one', {
    phase: 'Running',
    containerStatuses: [
      container('step-a', { terminated: { exitCode: 0, reason: 'Completed', message: 'for Tekton only', startedAt: LATER } }),
      container('step-b', { running: {} }),
      container('step-c'),
      container('sidecar-proxy', { running: {} }),
      container('my-step-x', { running: {} }),
    ],
    initContainerStatuses: [
      container('prepare', { waiting: { reason: 'ImagePullBackOff' } }),
      container('place-scripts', { terminated: { exitCode: 0, reason: 'Completed' } }),
      container('unknown'),
    ],
  });
  const steps = [
    { name: 'one/a', state: { terminated: { exitCode: 0, reason: 'Completed', message: '', startedAt: LATER } } },
    { name: 'one/b', state: { running: {} } },
    { name: 'one/c', state: {} },
  ];

  test('as long as its task has not ended', () => {
    const told = only(aTask('one', ['Unknown', 'Running'], [ended('a', 3)]), pod);
    expect(states(told)).toEqual(steps);
    expect(told.status?.initContainerStatuses).toEqual([container('prepare', { waiting: { reason: 'ImagePullBackOff' } })]);
    expect(told.metadata.name).toBe(pod.metadata.name);
  });

  test('when its task has ended the task’s status is used, with the phase of the pod', () => {
    const told = only(aTask('one', ['False', 'Failed'], [ended('a', 3)]), pod);
    expect(told.status?.phase).toBe('Running');
    expect(states(told).map(({ name }) => name)).toEqual(['one/a']);
    const { status: _, ...bare } = pod;
    expect(only(aTask('one', ['False', 'Failed']), bare as Pod).status?.phase).toBe('Failed');
  });

  test('without a task', () => {
    expect(podsOfTasks([], [pod]).map(states)).toEqual([steps]);
    const { status: _, ...bare } = pod;
    expect(podsOfTasks([], [bare as Pod])).toEqual([{ ...bare, status: { containerStatuses: [], initContainerStatuses: [] } }]);
  });

  test('once each: of two tasks each has its own, and one of an earlier attempt stands for itself', () => {
    const [one, two] = [aTask('one', ['Unknown', 'Running']), aTask('two', ['Unknown', 'Running'])];
    const names = (pods: readonly Pod[]) => podsOfTasks([one, two], pods).map(({ metadata }) => metadata.name);
    expect(names([pod, aTaskPod('two', {})])).toEqual(['wfe-abc-one-pod', 'wfe-abc-two-pod']);
    expect(names([aTaskPod('one', {}, 'pod-retry1')])).toEqual(['wfe-abc-one-pod', 'wfe-abc-two-pod', 'wfe-abc-one-pod-retry1']);
  });
});
