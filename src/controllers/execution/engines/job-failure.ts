import type { Job, Pod } from '../../../api/builtin/index.ts';
import type { FailureReason } from '../../../api/workflow-execution/status.ts';
import { clip } from '../../../base/index.ts';
import { isOwnedBy } from '../../../kube/owner-references.ts';
import type { Failure } from '../failure.ts';
import { endOf } from './job-run.ts';
import { podStory, type PodStory } from './pod-story.ts';

/** The longest text of a container that goes into a status. */
const LONGEST_MESSAGE = 1_000;

const CAUSES: Readonly<Record<string, FailureReason>> = {
  ErrImagePull: 'ImagePullBackOff',
  ImagePullBackOff: 'ImagePullBackOff',
  ErrImageNeverPull: 'ImagePullBackOff',
  InvalidImageName: 'ImagePullBackOff',
  ImageInspectError: 'ImagePullBackOff',
  RegistryUnavailable: 'ImagePullBackOff',
  Unschedulable: 'ResourceExhausted',
  CreateContainerConfigError: 'ConfigurationError',
  CreateContainerError: 'ConfigurationError',
  RunContainerError: 'ConfigurationError',
  StartError: 'ConfigurationError',
  ContainerCannotRun: 'ConfigurationError',
};

/**
 * What the run's own pods say. A Job that ran out of time deletes its pods, so what was seen to keep them from beginning is remembered in
 * the status and counts when they are gone.
 */
export function storyOf(job: Job, pods: readonly Pod[], remembered: PodStory['obstacle']): PodStory {
  const own = pods.filter((pod) => isOwnedBy(pod, job.metadata.uid));
  if (own.length > 0) return podStory(own);
  return remembered ? { started: false, obstacle: remembered } : { started: true };
}

/** Why a Job failed, from its own word and its pods'. */
export function jobFailure(job: Job, story: PodStory): Failure {
  const condition = endOf(job);
  const reason = reasonOf(story, condition?.reason ?? '');
  return {
    reason,
    message: clip(messageOf(story, condition?.message || condition?.reason || 'the Job failed'), LONGEST_MESSAGE),
    started: story.started,
    ...(story.end ? { exitCode: story.end.exitCode } : {}),
  };
}

function reasonOf({ started, obstacle, end }: PodStory, condition: string): FailureReason {
  if (!started && obstacle) return CAUSES[obstacle.reason] ?? 'Unknown';
  if (end?.reason === 'OOMKilled') return 'OOMKilled';
  if (condition === 'DeadlineExceeded') return 'DeadlineExceeded';
  if (!end) return 'Unknown';
  return /\bforbidden\b/i.test(end.message) ? 'Forbidden' : 'TaskFailed';
}

function messageOf({ started, obstacle, end }: PodStory, job: string): string {
  if (!started && obstacle) return [obstacle.reason, obstacle.message].filter(Boolean).join(': ');
  if (!end) return job;
  return [`container workflow exited with ${end.exitCode}`, end.reason === 'Error' ? '' : end.reason, end.message]
    .filter(Boolean)
    .join(': ');
}
