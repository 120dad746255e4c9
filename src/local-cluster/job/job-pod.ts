import { Pod, type Job } from '../../api/builtin/index.ts';
import { keyOf, type Draft } from '../../api/meta.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { PROCESS_MARK } from '../process-job/process-mark.ts';
import { jobPodKey } from './job-pod-key.ts';

/** Holds the pod back until the Job's status says that it was started. */
export const RECORDED_GATE = 'local-cluster.sickbay.dev/recorded';

/** Created held: no node takes it before its gate is gone. */
export function createHeldPod(job: Job): Effect {
  const { metadata, spec } = job;
  const { name, uid } = metadata;
  const object: Draft<Pod> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...spec.template.metadata,
      ...jobPodKey(job),
      labels: {
        ...spec.template.metadata?.labels,
        'batch.kubernetes.io/job-name': name,
        'job-name': name,
        'batch.kubernetes.io/controller-uid': uid,
        'controller-uid': uid,
      },
      annotations: annotationsOf(job),
      ownerReferences: [ownerReference(job, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { ...spec.template.spec, schedulingGates: [...(spec.template.spec.schedulingGates ?? []), { name: RECORDED_GATE }] },
  };
  return { kind: 'Create', resource: Pod, object };
}

/** The mark comes from the Job itself, which no user can mark, and never from its template, which anyone who creates a Job writes. */
function annotationsOf({ metadata, spec }: Job): Readonly<Record<string, string>> {
  const { [PROCESS_MARK]: _claimed, ...annotations } = spec.template.metadata?.annotations ?? {};
  const mark = metadata.annotations?.[PROCESS_MARK];
  return mark === undefined ? annotations : { ...annotations, [PROCESS_MARK]: mark };
}

export const isHeld = ({ spec }: Pod): boolean => spec.schedulingGates?.some(({ name }) => name === RECORDED_GATE) ?? false;

export function releasePod(pod: Pod): Effect {
  const left = pod.spec.schedulingGates?.filter(({ name }) => name !== RECORDED_GATE) ?? [];
  const { uid, resourceVersion } = pod.metadata;
  const operations = [{ op: 'add', path: '/spec/schedulingGates', value: left }] as const;
  return { kind: 'Patch', resource: Pod, key: keyOf(pod), uid, resourceVersion, operations };
}
