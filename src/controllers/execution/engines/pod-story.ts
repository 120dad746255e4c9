import type { ContainerState, Pod } from '../../../api/builtin/index.ts';

/** What the pods of a run say about it. */
export interface PodStory {
  /** Whether any container of the workflow has begun: from then on it may have changed the cluster. */
  readonly started: boolean;
  /** What keeps it from beginning, in the cluster's words. */
  readonly obstacle?: { readonly reason: string; readonly message: string };
  /** What the workflow says that it did, when it went through. */
  readonly said?: string;
  readonly end?: { readonly exitCode: number; readonly reason: string; readonly message: string };
}

/** Waiting that somebody has to do something about; other kinds of waiting pass. */
const STUCK = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
]);

/** The runtime made the container, but its program never ran. */
const NEVER_RAN = new Set(['StartError', 'ContainerCannotRun']);

/** Puts together what all pods of a run say; there is more than one only if somebody meddled. */
export function podStory(pods: readonly Pod[]): PodStory {
  const states = pods.flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]);
  const all = states.flatMap(({ state, lastState }) => [state, lastState]).filter((state) => state !== undefined);
  const obstacle = all.map(obstacleOf).find((found) => found !== undefined) ?? pods.map(unschedulable).find((found) => found !== undefined);
  const ends = all.map(({ terminated }) => terminated).filter((ended) => ended !== undefined);
  const end = ends.find(({ exitCode }) => exitCode !== 0);
  const said = ends.map(({ exitCode, message = '' }) => (exitCode === 0 ? message.trim() : '')).find((text) => text !== '');
  return {
    started: all.some(hasBegun) || pods.some(isSilent),
    ...(obstacle ? { obstacle } : {}),
    ...(said === undefined ? {} : { said }),
    ...(end ? { end: { exitCode: end.exitCode, reason: end.reason ?? '', message: (end.message ?? '').trim() } } : {}),
  };
}

/** Whether a container may still be at work in the pod. */
export const isAlive = ({ status }: Pod): boolean => status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

const hasBegun = ({ running, terminated }: ContainerState): boolean =>
  running !== undefined || (terminated !== undefined && !NEVER_RAN.has(terminated.reason ?? ''));

/** Was on a node and is past waiting, but nothing is left of what its containers did: they may have begun. */
const isSilent = ({ spec, status }: Pod): boolean =>
  spec.nodeName !== undefined && (status?.phase ?? 'Pending') !== 'Pending' && (status?.containerStatuses ?? []).length === 0;

function obstacleOf({ waiting, terminated }: ContainerState): PodStory['obstacle'] {
  const cause = waiting && STUCK.has(waiting.reason ?? '') ? waiting : NEVER_RAN.has(terminated?.reason ?? '') ? terminated : undefined;
  return cause && { reason: cause.reason ?? '', message: (cause.message ?? '').trim() };
}

function unschedulable({ status }: Pod): PodStory['obstacle'] {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.status === 'False' ? { reason: scheduled.reason ?? 'Unschedulable', message: scheduled.message ?? '' } : undefined;
}
