import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  TaskRun,
  TaskRunStatus,
  TaskStep,
} from '../../../../api/builtin/index.ts';
import { parseTime } from '../../../../base/index.ts';
import { isOwnedBy } from '../../../../kube/objects/owner-references.ts';
import { succeeded } from './pipeline-run.ts';

/** Which task of its pipeline a TaskRun or a pod is for. */
const TASK = 'tekton.dev/pipelineTask';

/** What Tekton calls the container of a step. */
const STEP = /^step-/;

/** Words of Tekton for a pod that it did not make; what else it says of one passes by itself. */
const WITHOUT_POD =
  /^(ExceededResourceQuota|Pod(Creation|Admission)Failed|InvalidParamValue|Task(Run)?\w*Failed|ResourceVerificationFailed)$/;

/** Words of Tekton for a pod that it gave up before it began, and the cluster's words for the same. */
const GIVEN_UP: Readonly<Record<string, string>> = {
  TaskRunImagePullFailed: 'ImagePullBackOff',
  CreateContainerConfigError: 'CreateContainerConfigError',
};

/**
 * What the tasks of a run say, told as pods: Tekton deletes the pod of a task that it gives up, and then only the TaskRun knows what became of
 * its steps. A task that has not ended and has no pod may still get one, so it stands for a pod that waits. Only steps count: what Tekton runs
 * beside them in a pod does nothing to the target. Each is called `task/step`.
 */
export function podsOfTasks(tasks: readonly TaskRun[], pods: readonly Pod[]): readonly Pod[] {
  const isOf = (task: TaskRun, pod: Pod): boolean =>
    isOwnedBy(pod, task.metadata.uid) && (task.status?.podName ?? pod.metadata.name) === pod.metadata.name;
  const told = tasks.map((task) =>
    podOfTask(
      task,
      pods.find((pod) => isOf(task, pod)),
    ),
  );
  return [...told, ...pods.filter((pod) => !tasks.some((task) => isOf(task, pod))).map(stepsOnly)];
}

/** A task that has ended tells all, in the order of its steps; until then its pod is nearer to the truth. */
function podOfTask(task: TaskRun, pod: Pod | undefined): Pod {
  const earlier = (task.status?.retriesStatus ?? []).flatMap((attempt) => beganBefore(attempt, task));
  const now = pod && !isOver(task) ? stepsOnly(pod) : accountOf(task, pod?.status?.phase);
  const { containerStatuses = [] } = now.status ?? {};
  return { ...now, status: { ...now.status, containerStatuses: [...containerStatuses, ...earlier] } };
}

function accountOf(task: TaskRun, phase: NonNullable<Pod['status']>['phase'] = phaseOf(task)): Pod {
  const { podName = '', steps = [] } = task.status ?? {};
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...task.metadata, name: podName === '' ? task.metadata.name : podName },
    // A pod that was there and of which nothing was told may have done anything.
    spec: { containers: [], ...(podName !== '' && steps.length === 0 ? { nodeName: 'unknown' } : {}) },
    status: {
      phase,
      containerStatuses: steps.map((step) => containerOf(task, step.name, stateOf(step, task))),
      conditions: podName === '' ? notPlaced(task) : [],
    },
  };
}

function phaseOf(task: TaskRun): 'Succeeded' | 'Failed' | 'Pending' {
  if (!isOver(task)) return 'Pending';
  return succeeded(task.status)?.status === 'True' ? 'Succeeded' : 'Failed';
}

const isOver = ({ status }: TaskRun): boolean => ['True', 'False'].includes(succeeded(status)?.status ?? 'Unknown');

/** Why there is no pod. */
function notPlaced({ status }: TaskRun): readonly PodCondition[] {
  const { reason = '', message = '' } = succeeded(status) ?? {};
  return WITHOUT_POD.test(reason) ? [{ type: 'PodScheduled', status: 'False', reason, message }] : [];
}

function stateOf(step: TaskStep, task: TaskRun): ContainerState {
  const { running, waiting, terminated } = step;
  if (running) return { running };
  if (waiting) return { waiting };
  if (!terminated) return {};
  if (hasBegun(step, task)) return { terminated: { ...terminated, message: sentenceOf(task) } };
  const { reason = '', message = '' } = succeeded(task.status) ?? {};
  return { waiting: { reason: GIVEN_UP[reason] ?? '', message } };
}

/**
 * Where Tekton gives a pod up it writes an end for each of its steps, also for those that never began: without an image, and with the time at
 * which the task was made.
 */
function hasBegun({ imageID = '', terminated }: TaskStep, { metadata }: TaskRun): boolean {
  if (imageID !== '') return true;
  const [start, creation] = [parseTime(terminated?.startedAt), parseTime(metadata.creationTimestamp)];
  return start === undefined || creation === undefined || start > creation;
}

/** Tekton's sentence says which step failed, how, and how to read its log; what its containers say is meant for Tekton. */
const sentenceOf = ({ status }: TaskRun): string => (succeeded(status)?.status === 'False' ? (succeeded(status)?.message ?? '') : '');

/** An attempt that began is why the whole task has; how it ended no longer counts. */
function beganBefore(attempt: TaskRunStatus, task: TaskRun): readonly ContainerStatus[] {
  const begun = (attempt.steps ?? []).find((step) => step.running || (step.terminated && hasBegun(step, task)));
  return begun ? [containerOf(task, begun.name, { running: {} })] : [];
}

const containerOf = (task: TaskRun, step = '', state: ContainerState): ContainerStatus => ({
  name: `${nameOf(task)}/${step}`,
  ready: false,
  restartCount: 0,
  state,
});

const nameOf = ({ metadata }: TaskRun | Pod): string => metadata.labels?.[TASK] ?? metadata.name;

/** Of what Tekton runs before the steps only what keeps them from beginning is of interest. */
function stepsOnly(pod: Pod): Pod {
  const { containerStatuses = [], initContainerStatuses = [], ...rest } = pod.status ?? {};
  const steps = containerStatuses
    .filter(({ name }) => STEP.test(name))
    .map((status) => ({ ...status, name: `${nameOf(pod)}/${status.name.replace(STEP, '')}`, state: silent(status.state) }));
  const stuck = initContainerStatuses.flatMap(({ state, ...status }) => (state?.waiting ? [{ ...status, state }] : []));
  return { ...pod, status: { ...rest, containerStatuses: steps, initContainerStatuses: stuck } };
}

/** What a step leaves as its last word is for Tekton to read. */
const silent = (state: ContainerState = {}): ContainerState =>
  state.terminated ? { ...state, terminated: { ...state.terminated, message: '' } } : state;
