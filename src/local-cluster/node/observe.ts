import { Node, Pod } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { isLocalNode, NODE_NAME } from './node-name.ts';
import type { ProcessTable } from '../kubelet/process-table.ts';

/** All that a decision about the node rests on. */
export interface NodeSeen {
  readonly object: Node;
  /** UIDs of pods that are gone, though their process is still known. */
  readonly orphans: readonly string[];
}

/** Reads the node, and which of its processes have lost their pod. A pod that cannot be read is not gone; nodes of other writers speak for themselves. */
export const observe =
  (processes: ProcessTable) =>
  (key: ObjectKey, reader: Reader): NodeSeen | undefined => {
    const node = reader.get(Node, key);
    if (node.kind !== 'value' || !isLocalNode(node.value)) return undefined;
    const isGone = (podUid: string): boolean => {
      const pods = reader.list(Pod, { index: 'uid', value: podUid });
      return pods.kind === 'value' && pods.value.length === 0;
    };
    return { object: node.value, orphans: key.name === NODE_NAME ? processes.known().filter(isGone) : [] };
  };
