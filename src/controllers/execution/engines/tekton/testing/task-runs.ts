import type { PipelineRun, Pod, TaskRun, TaskStep } from '../../../../../api/builtin/index.ts';
import { LABELS } from '../../../../../api/well-known.ts';

export const CREATED = '2026-11-15T16:02:08Z';
const MARK = { [LABELS.workflowExecutionUid]: 'wfe-1' };
const IMAGE = 'sha256:4a9c8123ffc7d6746c2d4ad4d7a5d0e3cdad6aa52faeef56fcb4248f0a5c213c';

type Word = readonly [status: 'True' | 'False' | 'Unknown', reason: string, message?: string];

const conditionOf = ([status, reason, message = '']: Word) => ({ type: 'Succeeded', status, reason, message, lastTransitionTime: CREATED });

/** A PipelineRun that Tekton has this to say of. */
export const aRun = (word: Word, tasks: readonly string[] = [], status: PipelineRun['status'] = {}): PipelineRun => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'PipelineRun',
  metadata: { name: 'wfe-abc', namespace: 'runs', uid: 'run-uid', resourceVersion: '9', creationTimestamp: CREATED, labels: MARK },
  spec: {},
  status: {
    startTime: CREATED,
    conditions: [conditionOf(word)],
    childReferences: tasks.map((pipelineTaskName) => ({ kind: 'TaskRun', name: `wfe-abc-${pipelineTaskName}`, pipelineTaskName })),
    ...status,
  },
});

/** A TaskRun as Tekton 1.9 writes it. */
export const aTask = (name: string, word: Word, steps: readonly TaskStep[] = [], status: TaskRun['status'] = {}): TaskRun => ({
  apiVersion: 'tekton.dev/v1',
  kind: 'TaskRun',
  metadata: {
    name: `wfe-abc-${name}`,
    namespace: 'runs',
    uid: `task-${name}`,
    resourceVersion: '9',
    creationTimestamp: CREATED,
    labels: { ...MARK, 'tekton.dev/pipelineTask': name },
  },
  status: { conditions: [conditionOf(word)], podName: `wfe-abc-${name}-pod`, steps, ...status },
});

/** The pod of a task. */
export const aTaskPod = (name: string, status: Pod['status'], suffix = 'pod'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `wfe-abc-${name}-${suffix}`,
    namespace: 'runs',
    uid: `pod-${name}-${suffix}`,
    resourceVersion: '9',
    creationTimestamp: CREATED,
    labels: { ...MARK, 'tekton.dev/pipelineTask': name },
    ownerReferences: [{ apiVersion: 'tekton.dev/v1', kind: 'TaskRun', name: `wfe-abc-${name}`, uid: `task-${name}`, controller: true }],
  },
  spec: { containers: [], nodeName: 'node1' },
  ...(status ? { status } : {}),
});

/** A step whose container really ran. */
export const ended = (name: string, exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error'): TaskStep => ({
  name,
  container: `step-${name}`,
  imageID: IMAGE,
  terminated: { exitCode, reason, message: '[{"key":"what","value":"secret stuff","type":1}]', startedAt: '2026-11-15T16:02:17Z' },
});

/** A step that never had its turn, since one before it failed. */
export const skipped = (name: string): TaskStep => ended(name, 1);

export const running = (name: string): TaskStep => ({ name, container: `step-${name}`, imageID: IMAGE, running: { startedAt: CREATED } });

export const waiting = (name: string, reason: string, message = ''): TaskStep => ({
  name,
  container: `step-${name}`,
  waiting: { reason, ...(message ? { message } : {}) },
});

/** The end that Tekton writes for a step whose pod it gives up: with the image of its container, if it had one. */
export const givenUp = (name: string, reason: string, hadBegun: boolean): TaskStep => ({
  name,
  container: `step-${name}`,
  ...(hadBegun ? { imageID: IMAGE } : {}),
  terminated: {
    exitCode: 1,
    reason,
    message: `Step ${name} terminated as pod wfe-abc-pod is terminated`,
    startedAt: hadBegun ? '2026-11-15T16:02:16Z' : CREATED,
  },
});
