import { createHash } from 'node:crypto';
import type { Job, Pod, PodSpec } from '../../api/builtin/index.ts';
import { isOwnedBy } from '../../kube/objects/owner-references.ts';
import { jobPodKey } from '../job/job-pod-key.ts';

/**
 * The proof that a Job may run as a process of this machine, on the Job and on its pod: a digest of what runs. Only this process writes it:
 * `marking-transport.ts` for Sickbay's own Jobs, the Job controller for their pods; `mark-rule.ts` refuses it from every user, administrators included.
 */
export const PROCESS_MARK = 'local-cluster.sickbay.dev/process';

/** The mark of a pod that runs exactly this, under this account; who names none has the namespace's own. */
export function markOf({ serviceAccountName = 'default', containers }: PodSpec): string {
  const runs = containers.map(({ image = '', command = [], args = [], env = [], envFrom = [] }) => [
    image,
    command,
    args,
    env.map(({ name, value = '', valueFrom = null }) => [name, value, valueFrom]),
    envFrom,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([serviceAccountName, runs]))
    .digest('hex');
}

/** Whether the pod is the one of a Job that Sickbay created, and runs what Sickbay asked for: labels, names and owners alone prove nothing. */
export function mayRunAsProcess(pod: Pod, job: Job): boolean {
  const mark = job.metadata.annotations?.[PROCESS_MARK];
  const isItsPod = pod.metadata.name === jobPodKey(job).name && isOwnedBy(pod, job.metadata.uid);
  return mark !== undefined && isItsPod && pod.metadata.annotations?.[PROCESS_MARK] === mark && markOf(pod.spec) === mark;
}
