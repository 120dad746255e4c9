import { Pod, type Job } from '../../api/builtin/index.ts';
import { keyOf, type Draft, type ObjectKey } from '../../api/meta.ts';
import { ownerReference } from '../../kube/objects/owner-references.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';
import { numberOf, safeLetters } from '../safe-letters.ts';

/** Holds the pod back until the Job's status says that it was started. */
export const RECORDED_GATE = 'local-cluster.sickbay.dev/recorded';

/** The one pod that a Job ever has. */
export const jobPodKey = ({ metadata }: Job): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: `${metadata.name.slice(0, 57)}-${safeLetters(numberOf(metadata.uid), 5)}`,
});

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
      ownerReferences: [ownerReference(job, { controller: true, blockOwnerDeletion: true })],
    },
    spec: { ...spec.template.spec, schedulingGates: [...(spec.template.spec.schedulingGates ?? []), { name: RECORDED_GATE }] },
  };
  return { kind: 'Create', resource: Pod, object };
}

export const isHeld = ({ spec }: Pod): boolean => spec.schedulingGates?.some(({ name }) => name === RECORDED_GATE) ?? false;

export function releasePod(pod: Pod): Effect {
  const left = pod.spec.schedulingGates?.filter(({ name }) => name !== RECORDED_GATE) ?? [];
  const { uid, resourceVersion } = pod.metadata;
  const operations = [{ op: 'add', path: '/spec/schedulingGates', value: left }] as const;
  return { kind: 'Patch', resource: Pod, key: keyOf(pod), uid, resourceVersion, operations };
}
