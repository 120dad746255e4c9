import { Job, Node, Pod } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { NODE_NAME } from '../node/node-name.ts';
import { programOf, type Program } from './container-program.ts';
import type { ProcessState, ProcessTable } from './process-table.ts';

/** All that a decision about a pod rests on. */
export interface PodSeen {
  readonly object: Pod;
  readonly node: Read<Node>;
  /** What each container does, in the order of the spec. */
  readonly programs: readonly Program[];
  readonly process: ProcessState;
  readonly life: string;
}

/** Whether a pod may run as a process, given the Job that manages it. */
export type MayRun = (pod: Pod, job: Job) => boolean;

/** Reads the pod and looks at its process, as a kubelet asks its container runtime. */
export const observe =
  (processes: ProcessTable, mayRun: MayRun) =>
  (key: ObjectKey, reader: Reader): PodSeen | undefined => {
    const pod = reader.get(Pod, key);
    if (pod.kind !== 'value') return undefined;
    const object = pod.value;
    const process = processes.stateOf(object.metadata.uid);
    // What was started stays a process to its end, whatever becomes of its Job.
    const isOurs = process.kind !== 'unknown' || isAllowed(object, reader, mayRun);
    return {
      object,
      node: reader.get(Node, { namespace: '', name: NODE_NAME }),
      programs: object.spec.containers.map((container) => programOf(container, object.spec, (image) => isOurs && processes.runs(image))),
      process,
      life: processes.life,
    };
  };

function isAllowed(pod: Pod, reader: Reader, mayRun: MayRun): boolean {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'Job') return false;
  const job = reader.get(Job, { namespace: pod.metadata.namespace ?? '', name: owner.name });
  return job.kind === 'value' && mayRun(pod, job.value);
}
