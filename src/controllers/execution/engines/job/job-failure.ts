import type { Event, Job, Pod } from '../../../../api/builtin/index.ts';
import type { Listed } from '../../../../kube/client/read.ts';
import { isOwnedBy } from '../../../../kube/objects/owner-references.ts';
import { lastPart, quoted, type ExecutionFailure } from '../../status/failure.ts';
import { disruptionCause, endCause, obstacleCause, type Cause, type ClusterMessage } from '../evidence/failure-causes.ts';
import { endOf } from './job-end.ts';
import type { ContainerEnd, PodEvidence, RecordedState } from '../evidence/pod-evidence.ts';
import { lastLine, refusalOf } from '../evidence/refusal.ts';
import { runEvidence } from '../evidence/run-evidence.ts';

const OUT_OF_TIME = 'DeadlineExceeded';

/** What the run's own pods say, and what is told and remembered of them. */
export function evidenceOf(job: Job, pods: readonly Pod[], remembered: RecordedState | undefined, events: Listed<Event>): PodEvidence {
  const own = pods.filter((pod) => isOwnedBy(pod, job.metadata.uid));
  return runEvidence(job, { pods: own, events, remembered, hadNoPod: hadNoPod(job) });
}

/** A Job counts every pod that it ever had, also those that were deleted. */
const hadNoPod = ({ status = {} }: Job): boolean =>
  [status.active, status.ready, status.failed, status.succeeded].every((count = 0) => count === 0);

/** Why a Job failed: from what its pods say and, where they say nothing, from its own word. */
export function jobFailure(job: Job, story: PodEvidence): ExecutionFailure {
  const refusal = endOf(job)?.reason === OUT_OF_TIME ? undefined : refusalOf(story, lastLine(story.end?.message));
  return { ...(refusal ?? failureFrom(job, story)), ...exitOf(story) };
}

function failureFrom(job: Job, story: PodEvidence): ExecutionFailure {
  const fact = factOf(story) ?? ownFact(story, endOf(job)?.reason) ?? NOTHING_KNOWN;
  return {
    // No task fails that never began.
    reason: fact.is === 'TaskFailed' && !story.started ? 'Unknown' : fact.is,
    plain: fact.plain,
    message: quoted(fact.message || ownWord(job)),
    started: story.started,
  };
}

const NOTHING_KNOWN: Fact = { is: 'Unknown', plain: 'the cause is unknown' };

function ownWord(job: Job): string {
  const { message, reason } = endOf(job) ?? {};
  return message || reason || 'the Job failed';
}

interface Fact extends Pick<Cause, 'is' | 'plain'> {
  readonly message?: string;
}

/** The fact that explains the failure. Of several the one that the others follow from: who is evicted exits as well, who waits runs out of time. */
function factOf({ started, obstacle, disruption, end }: PodEvidence): Fact | undefined {
  if (!started && obstacle) return { ...obstacleCause(obstacle), message: words(obstacle) };
  if (started && end?.reason === 'OOMKilled') return { ...endCause(end), message: exitText(end) };
  return disruption && { ...disruptionCause(disruption), message: words(disruption) };
}

function ownFact({ started, end }: PodEvidence, reason: string | undefined): Fact | undefined {
  if (reason === OUT_OF_TIME) return { is: OUT_OF_TIME, plain: started ? 'it did not finish in time' : 'it could not start in time' };
  return started && end ? { ...endCause(end), message: exitText(end) } : undefined;
}

const exitOf = ({ started, end }: PodEvidence): Pick<ExecutionFailure, 'exitCode' | 'step'> =>
  started && end ? { exitCode: end.exitCode, step: end.container } : {};

const words = ({ reason, message }: ClusterMessage): string => [reason, message].filter(Boolean).join(': ');

const exitText = ({ container, exitCode, reason, message }: ContainerEnd): string =>
  [`container ${container} exited with ${exitCode}`, reason === 'Error' ? '' : reason, lastPart(message)].filter(Boolean).join(': ');
