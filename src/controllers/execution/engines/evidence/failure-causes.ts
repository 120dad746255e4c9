import type { FailureReason } from '../../../../api/workflow-execution/status.ts';

/** Something that the cluster said: its word for it, and its sentence. */
export interface Said {
  readonly reason: string;
  readonly message: string;
}

/**
 * Where a fact stands. `waiting`, `unstarted` (states of a container), `placing` (the scheduler's word and the kubelet's) and `event` keep a
 * run from beginning. The others are how it ends: `disrupted` is what the cluster did to its pod, `ended` how its container came to an end.
 */
export type Where = 'waiting' | 'unstarted' | 'placing' | 'event' | 'disrupted' | 'ended';

export interface Cause {
  readonly where: Where;
  /** The cluster's word; a pattern where it has many of a kind. */
  readonly reason: string | RegExp;
  /** What its sentence says, where the word alone does not tell. */
  readonly says?: RegExp;
  readonly is: FailureReason;
  readonly plain: string;
}

const NO_IMAGE = { is: 'ImagePullBackOff', plain: 'its image cannot be pulled' } as const;
const NO_ROOM = { is: 'ResourceExhausted', plain: 'no node has room for it' } as const;
const NO_START = { is: 'ConfigurationError', plain: 'its container cannot be started as it is written' } as const;
const NO_VOLUME = { is: 'ConfigurationError', plain: 'something that it mounts, a Secret or a ConfigMap, is not there' } as const;
const CUT_OFF = { is: 'ResourceExhausted', plain: 'its node ran out of room, so its pod was ended' } as const;
const NODE_LOST = { is: 'Unknown', plain: 'its node was lost, so nobody knows how far it got' } as const;
const NOT_ADMITTED = { is: 'Forbidden', plain: 'a rule of the cluster does not let its pod in' } as const;

/** From fact to category: the first row that fits. */
export const CAUSES: readonly Cause[] = [
  { where: 'unstarted', reason: /./, says: /oom-?killed/i, is: 'OOMKilled', plain: 'its memory limit is too low for it even to start' },
  { where: 'waiting', reason: 'ErrImagePull', ...NO_IMAGE },
  { where: 'waiting', reason: 'ImagePullBackOff', ...NO_IMAGE },
  { where: 'waiting', reason: 'ErrImageNeverPull', ...NO_IMAGE },
  { where: 'waiting', reason: 'InvalidImageName', ...NO_IMAGE },
  { where: 'waiting', reason: 'ImageInspectError', ...NO_IMAGE },
  { where: 'waiting', reason: 'RegistryUnavailable', ...NO_IMAGE },
  { where: 'waiting', reason: 'SignatureValidationFailed', ...NO_IMAGE },
  {
    where: 'waiting',
    reason: 'CreateContainerConfigError',
    says: /not found|couldn't find key/i,
    is: 'ConfigurationError',
    plain: 'something that it reads, a Secret or a ConfigMap, is not there',
  },
  { where: 'waiting', reason: 'CreateContainerConfigError', ...NO_START },
  { where: 'waiting', reason: 'CreateContainerError', ...NO_START },
  { where: 'waiting', reason: 'RunContainerError', ...NO_START },
  { where: 'unstarted', reason: 'StartError', ...NO_START },
  { where: 'unstarted', reason: 'ContainerCannotRun', ...NO_START },

  { where: 'placing', reason: 'Unschedulable', ...NO_ROOM },
  { where: 'placing', reason: 'SchedulingGated', is: 'ConfigurationError', plain: 'somebody put a gate on its pod and has not lifted it' },
  { where: 'placing', reason: /^OutOf/, ...NO_ROOM },
  { where: 'placing', reason: /^(Evicted|Preempting)$/, ...NO_ROOM },

  {
    where: 'event',
    reason: 'FailedCreate',
    says: /exceeded quota/i,
    is: 'ResourceExhausted',
    plain: 'the quota of its namespace is used up',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /failed quota|must specify|(maximum|minimum) \S+ usage per|limit to request ratio/i,
    is: 'ConfigurationError',
    plain: 'what it asks for does not fit the quota or the limits of its namespace',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /service ?account|priorityclass|runtimeclass/i,
    is: 'ConfigurationError',
    plain: 'something that its pod names is not there',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /is invalid/i,
    is: 'ConfigurationError',
    plain: 'its pod is not one that the API server takes',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /being terminated/i,
    is: 'ConfigurationError',
    plain: 'somebody is deleting the namespace that it runs in',
  },
  { where: 'event', reason: 'FailedCreate', says: /forbidden|denied/i, ...NOT_ADMITTED },
  { where: 'event', reason: 'FailedCreate', is: 'Unknown', plain: 'its pod cannot be created' },
  { where: 'event', reason: 'FailedMount', ...NO_VOLUME },
  { where: 'event', reason: 'FailedAttachVolume', ...NO_VOLUME },
  { where: 'event', reason: 'FailedScheduling', ...NO_ROOM },
  { where: 'event', reason: 'FailedCreatePodSandBox', is: 'Unknown', plain: 'its node cannot make a pod for it' },

  { where: 'disrupted', reason: 'PreemptionByScheduler', ...CUT_OFF },
  { where: 'disrupted', reason: 'TerminationByKubelet', says: /low on resource|pressure|preempt|exceed/i, ...CUT_OFF },
  { where: 'disrupted', reason: 'Evicted', ...CUT_OFF },
  { where: 'disrupted', reason: 'TerminationByKubelet', is: 'Unknown', plain: 'its node ended its pod' },
  {
    where: 'disrupted',
    reason: 'EvictionByEvictionAPI',
    is: 'TaskFailed',
    plain: 'its pod was evicted, for example by a drain of its node',
  },
  { where: 'disrupted', reason: 'DeletionByTaintManager', ...NODE_LOST },
  { where: 'disrupted', reason: 'DeletionByPodGC', ...NODE_LOST },
  { where: 'disrupted', reason: /^Node/, ...NODE_LOST },

  { where: 'ended', reason: 'OOMKilled', is: 'OOMKilled', plain: 'it was killed, because it needed more memory than its limit allows' },
  { where: 'ended', reason: 'ContainerStatusUnknown', ...NODE_LOST },
  { where: 'ended', reason: /^/, says: /\bforbidden\b/i, is: 'Forbidden', plain: 'the API server refused something that it tried' },
];

const BEFORE: readonly Where[] = ['waiting', 'unstarted', 'placing', 'event'];

/** What keeps a run from beginning. The word is enough, wherever it stood: it is all that is kept of it. */
export const obstacleCause = (said: Said): Pick<Cause, 'is' | 'plain'> =>
  find(BEFORE, said) ?? { is: 'Unknown', plain: 'something keeps it from beginning' };

/** Whether it is one of them. */
export const isObstacle = (said: Said): boolean => find(BEFORE, said) !== undefined;

/** What the cluster did to a run's pod. */
export const disruptionCause = (said: Said): Pick<Cause, 'is' | 'plain'> =>
  find(['disrupted'], said) ?? { is: 'Unknown', plain: 'the cluster ended its pod' };

/** How a container ended that had begun. */
export const endCause = (said: Said): Pick<Cause, 'is' | 'plain'> =>
  find(['ended'], said) ?? { is: 'TaskFailed', plain: 'it ended with an error' };

/** Whether a word of this place is one that somebody has to do something about; others pass by themselves. */
export const isTold = (where: Where, reason: string): boolean =>
  CAUSES.some((cause) => cause.where === where && typeof cause.reason === 'string' && cause.reason === reason);

const find = (places: readonly Where[], { reason, message }: Said): Cause | undefined =>
  CAUSES.find((cause) => places.includes(cause.where) && isWord(cause.reason, reason) && (cause.says?.test(message) ?? true));

const isWord = (wanted: string | RegExp, reason: string): boolean => (typeof wanted === 'string' ? wanted === reason : wanted.test(reason));
