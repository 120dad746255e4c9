import type { ContainerState, Pod } from '../../../../api/builtin/index.ts';
import { PRECONDITION_NOT_MET } from '../../../../api/workflow-execution/precondition-exit-code.ts';
import { isKnownReason, type ClusterMessage } from './failure-causes.ts';

/** What the pods of a run say about it. */
export interface PodEvidence {
  /** Whether any container of the workflow has begun: from then on it may have changed the cluster. */
  readonly started: boolean;
  /** What keeps it from beginning, in the cluster's words. */
  readonly obstacle?: ClusterMessage;
  /** What the cluster did to its pod, in the cluster's words: evicted it, or lost its node. */
  readonly disruption?: ClusterMessage;
  /** What the workflow says that it did, when it went through. */
  readonly said?: string;
  readonly end?: ContainerEnd;
  /** Every container that began exited with `PRECONDITION_NOT_MET`: the workflow reports that it changed nothing. */
  readonly refused?: true;
}

/** How a container of the run came to its end. */
export interface ContainerEnd extends ClusterMessage {
  readonly container: string;
  readonly exitCode: number;
}

/** What was last seen of a run, as its execution keeps it: a run out of time takes its pods with it. */
export interface RecordedState extends ClusterMessage {
  /** Whether it had begun by then. */
  readonly started: boolean;
}

/** A story before it is settled whether anything began: the pods alone do not always tell. */
export interface PodSummary extends Omit<PodEvidence, 'started'> {
  readonly began: 'yes' | 'no' | 'unsure';
}

interface NamedState {
  readonly container: string;
  readonly state: ContainerState;
}

/** Where it is unknown, it counts as begun. */
export function podEvidence(pods: readonly Pod[]): PodEvidence {
  const { began, ...rest } = summarizePods(pods);
  return { ...rest, started: began !== 'no' };
}

/** Combines what all pods of a run say; there is more than one only if pods were created from outside. */
export function summarizePods(pods: readonly Pod[]): PodSummary {
  const all = pods.flatMap(statesOf);
  const obstacle = firstOf(all.map(obstacleOf)) ?? firstOf(pods.map(unplaced));
  const disruption = firstOf(pods.map(disruptionOf));
  const ends = all.flatMap(({ container, state: { terminated } }) => (terminated ? [{ container, ...terminated }] : []));
  const end = ends.find(({ exitCode }) => exitCode !== 0);
  const said = firstOf(ends.map(({ exitCode, message = '' }) => (exitCode === 0 ? message.trim() || undefined : undefined)));
  return {
    began: begunIn(pods, all),
    ...(obstacle ? { obstacle } : {}),
    ...(disruption ? { disruption } : {}),
    ...(said === undefined ? {} : { said }),
    ...(hasRefused(pods, all) ? { refused: true } : {}),
    ...(end
      ? { end: { container: end.container, exitCode: end.exitCode, reason: end.reason ?? '', message: (end.message ?? '').trim() } }
      : {}),
  };
}

/** Whether a container may still be at work in the pod. */
export const isPodActive = ({ status }: Pod): boolean => status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

const statesOf = ({ status }: Pod): readonly NamedState[] =>
  [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].flatMap(({ name, state, lastState }) =>
    [state, lastState].flatMap((one) => (one === undefined ? [] : [{ container: name, state: one }])),
  );

const firstOf = <T>(found: readonly (T | undefined)[]): T | undefined => found.find((one) => one !== undefined);

function begunIn(pods: readonly Pod[], states: readonly NamedState[]): PodSummary['began'] {
  const begun = states.map(({ state }) => hasBegun(state));
  if (begun.includes('yes')) return 'yes';
  return begun.includes('unsure') || pods.some(isSilent) ? 'unsure' : 'no';
}

/** The kubelet gives `ContainerStatusUnknown` both to a container that it lost and to one that never was, when their pod is ended. */
function hasBegun({ running, terminated }: ContainerState): PodSummary['began'] {
  if (running) return 'yes';
  if (!terminated || isKnownReason('unstarted', terminated.reason ?? '')) return 'no';
  return terminated.reason === 'ContainerStatusUnknown' && !terminated.startedAt ? 'unsure' : 'yes';
}

/** A container that ended in any other way may have changed something, and so may a pod that left no trace. */
function hasRefused(pods: readonly Pod[], states: readonly NamedState[]): boolean {
  const begun = states.filter(({ state }) => hasBegun(state) !== 'no');
  return begun.length > 0 && !pods.some(isSilent) && begun.every(({ state }) => state.terminated?.exitCode === PRECONDITION_NOT_MET);
}

/** Was on a node and is past waiting, but nothing is left of what its containers did: they may have begun. */
const isSilent = (pod: Pod): boolean =>
  pod.spec.nodeName !== undefined &&
  (pod.status?.phase ?? 'Pending') !== 'Pending' &&
  (pod.status?.containerStatuses ?? []).length === 0 &&
  !isRejected(pod);

/** The kubelet looked at the pod and did not take it: nothing of it ever began. */
const isRejected = ({ status }: Pod): boolean => status?.phase === 'Failed' && (status.message ?? '').startsWith('Pod was rejected');

function obstacleOf({ state: { waiting, terminated } }: NamedState): ClusterMessage | undefined {
  if (waiting && isKnownReason('waiting', waiting.reason ?? '')) return saidBy(waiting);
  return terminated && isKnownReason('unstarted', terminated.reason ?? '') ? saidBy(terminated) : undefined;
}

function unplaced(pod: Pod): ClusterMessage | undefined {
  if (isRejected(pod)) return saidBy(pod.status ?? {});
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return scheduled?.status === 'False' ? { ...saidBy(scheduled), reason: scheduled.reason ?? 'Unschedulable' } : undefined;
}

function disruptionOf(pod: Pod): ClusterMessage | undefined {
  const target = pod.status?.conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
  if (target) return saidBy(target);
  if (isEnded(pod)) return saidBy(pod.status ?? {});
  return isCutOff(pod) ? { reason: 'NodeNotReady', message: `node ${pod.spec.nodeName ?? ''} no longer answers` } : undefined;
}

/** By its node, or for want of it. */
const isEnded = (pod: Pod): boolean =>
  pod.status?.phase === 'Failed' && !isRejected(pod) && /^(Evicted|Node\w+)$/.test(pod.status.reason ?? '');

/** The kubelet keeps both conditions the same; only the control plane sets one of them back, when it hears no more of the node. */
function isCutOff({ status }: Pod): boolean {
  const is = (type: string): string | undefined => status?.conditions?.find((condition) => condition.type === type)?.status;
  return status?.phase === 'Running' && is('Ready') === 'False' && is('ContainersReady') === 'True';
}

const saidBy = ({ reason = '', message = '' }: { readonly reason?: string; readonly message?: string }): ClusterMessage => ({
  reason,
  message: message.trim(),
});
