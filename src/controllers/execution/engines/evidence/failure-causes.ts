import type { FailureReason } from '../../../../api/workflow-execution/status.ts';

/** Something that the cluster said: its word for it, and its sentence. */
export interface ClusterMessage {
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
const NO_START = { is: 'ConfigurationError', plain: 'its container cannot be started as specified' } as const;
const NO_VOLUME = { is: 'ConfigurationError', plain: 'a Secret or a ConfigMap that it mounts does not exist' } as const;
const CUT_OFF = { is: 'ResourceExhausted', plain: 'its node ran out of resources, so its pod was terminated' } as const;
const NODE_LOST = { is: 'Unknown', plain: 'its node was lost, so it is unknown how far it got' } as const;
const NOT_ADMITTED = { is: 'Forbidden', plain: 'an admission rule of the cluster rejects its pod' } as const;

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
    plain: 'a Secret or a ConfigMap that it reads does not exist',
  },
  { where: 'waiting', reason: 'CreateContainerConfigError', ...NO_START },
  { where: 'waiting', reason: 'CreateContainerError', ...NO_START },
  { where: 'waiting', reason: 'RunContainerError', ...NO_START },
  { where: 'unstarted', reason: 'StartError', ...NO_START },
  { where: 'unstarted', reason: 'ContainerCannotRun', ...NO_START },

  { where: 'placing', reason: 'Unschedulable', ...NO_ROOM },
  { where: 'placing', reason: 'SchedulingGated', is: 'ConfigurationError', plain: 'its pod has a scheduling gate that was not removed' },
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
    plain: 'its requests do not fit the quota or the limits of its namespace',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /service ?account|priorityclass|runtimeclass/i,
    is: 'ConfigurationError',
    plain: 'an object that its pod references does not exist',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /is invalid/i,
    is: 'ConfigurationError',
    plain: 'the API server rejects its pod as invalid',
  },
  {
    where: 'event',
    reason: 'FailedCreate',
    says: /being terminated/i,
    is: 'ConfigurationError',
    plain: 'the namespace that it runs in is being deleted',
  },
  { where: 'event', reason: 'FailedCreate', says: /forbidden|denied/i, ...NOT_ADMITTED },
  { where: 'event', reason: 'FailedCreate', is: 'Unknown', plain: 'its pod cannot be created' },
  { where: 'event', reason: 'FailedMount', ...NO_VOLUME },
  { where: 'event', reason: 'FailedAttachVolume', ...NO_VOLUME },
  { where: 'event', reason: 'FailedScheduling', ...NO_ROOM },
  { where: 'event', reason: 'FailedCreatePodSandBox', is: 'Unknown', plain: 'its node cannot create its pod' },

  { where: 'disrupted', reason: 'PreemptionByScheduler', ...CUT_OFF },
  { where: 'disrupted', reason: 'TerminationByKubelet', says: /low on resource|pressure|preempt|exceed/i, ...CUT_OFF },
  { where: 'disrupted', reason: 'Evicted', ...CUT_OFF },
  { where: 'disrupted', reason: 'TerminationByKubelet', is: 'Unknown', plain: 'its node terminated its pod' },
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
  { where: 'ended', reason: /^/, says: /\bforbidden\b/i, is: 'Forbidden', plain: 'the API server refusal something that it tried' },
];

const BEFORE: readonly Where[] = ['waiting', 'unstarted', 'placing', 'event'];

/** What keeps a run from beginning. The word is enough, wherever it stood: it is all that is kept of it. */
export const obstacleCause = (said: ClusterMessage): Pick<Cause, 'is' | 'plain'> =>
  find(BEFORE, said) ?? { is: 'Unknown', plain: 'something keeps it from starting' };

/** Whether it is one of them. */
export const isObstacle = (said: ClusterMessage): boolean => find(BEFORE, said) !== undefined;

/** What the cluster did to a run's pod. */
export const disruptionCause = (said: ClusterMessage): Pick<Cause, 'is' | 'plain'> =>
  find(['disrupted'], said) ?? { is: 'Unknown', plain: 'the cluster terminated its pod' };

/** How a container ended that had begun. */
export const endCause = (said: ClusterMessage): Pick<Cause, 'is' | 'plain'> =>
  find(['ended'], said) ?? { is: 'TaskFailed', plain: 'it exited with an error' };

/** Whether a reason in this place is one that an operator must act on; others pass by themselves. */
export const isKnownReason = (where: Where, reason: string): boolean =>
  CAUSES.some((cause) => cause.where === where && typeof cause.reason === 'string' && cause.reason === reason);

const find = (places: readonly Where[], { reason, message }: ClusterMessage): Cause | undefined =>
  CAUSES.find((cause) => places.includes(cause.where) && isWord(cause.reason, reason) && (cause.says?.test(message) ?? true));

const isWord = (wanted: string | RegExp, reason: string): boolean => (typeof wanted === 'string' ? wanted === reason : wanted.test(reason));
