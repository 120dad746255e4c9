import { Job, Pod } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { after, parseTime, SECOND, type Instant } from '../../base/index.ts';
import { isOwnedBy } from '../../kube/objects/owner-references.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { jobPodKey } from './job-pod-key.ts';

/** All that a decision about a Job rests on. */
export interface JobSeen {
  readonly object: Job;
  readonly pod: Read<Pod>;
}

/** When the Job has taken too long; undefined while it has not begun or may take any time. */
export function deadlineOf({ spec, status }: Job): Instant | undefined {
  const startedAt = parseTime(status?.startTime);
  return startedAt === undefined || spec.activeDeadlineSeconds === undefined
    ? undefined
    : after(startedAt, spec.activeDeadlineSeconds * SECOND);
}

/** A pod of a started Job is reported gone, or timed out, only after a live read. */
export async function observe(key: ObjectKey, reader: Reader, now: Instant): Promise<JobSeen | undefined> {
  const job = reader.get(Job, key);
  if (job.kind !== 'value') return undefined;
  const object = job.value;
  const cached = reader.get(Pod, jobPodKey(object));
  const isLate = now >= (deadlineOf(object) ?? Infinity);
  const isInDoubt = object.status?.startTime !== undefined && (cached.kind === 'absent' || isLate);
  return { object, pod: ours(object, isInDoubt ? await reader.fetch(Pod, jobPodKey(object)) : cached) };
}

const ours = (job: Job, pod: Read<Pod>): Read<Pod> =>
  pod.kind === 'value' && !isOwnedBy(pod.value, job.metadata.uid)
    ? { kind: 'unreadable', reason: 'its name is taken by a pod of another owner' }
    : pod;
