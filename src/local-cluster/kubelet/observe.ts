import { Node, Pod } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
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

/** Reads the pod and looks at its process, as a kubelet asks its container runtime. */
export const observe =
  (processes: ProcessTable) =>
  (key: ObjectKey, reader: Reader): PodSeen | undefined => {
    const pod = reader.get(Pod, key);
    if (pod.kind !== 'value') return undefined;
    const object = pod.value;
    return {
      object,
      node: reader.get(Node, { namespace: '', name: NODE_NAME }),
      programs: object.spec.containers.map((container) => programOf(container, object.spec, (image) => processes.runs(image))),
      process: processes.stateOf(object.metadata.uid),
      life: processes.life,
    };
  };
