/** The nodes: `decide.ts` reports whether they are ready, and ends processes whose pod was deleted without waiting for the kubelet. */
import { Node, Pod } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { hasCode } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type { CallHandler, Controller } from '../../runtime/index.ts';
import type { ProcessTable } from '../kubelet/process-table.ts';
import { decide, FORGET_PROCESS } from './decide.ts';
import { NODE_NAME } from './node-name.ts';
import { observe, type NodeSeen } from './observe.ts';

const KEY: ObjectKey = { namespace: '', name: NODE_NAME };

/** Keeps the nodes. */
export const createNodeController = (processes: ProcessTable): Controller<NodeSeen> => ({
  name: 'node',
  primary: Node,
  watches: [
    {
      resource: Pod,
      indexes: { uid: (pod: KubeObject) => [pod.metadata.uid] },
      keys: (pod) => (processes.stateOf(pod.metadata.uid).kind === 'unknown' ? [] : [KEY]),
    },
  ],
  observe: observe(processes),
  decide,
});

/** What the node's decisions call. */
export const nodeCalls = (processes: ProcessTable): Readonly<Record<string, CallHandler>> => ({
  [FORGET_PROCESS]: ({ key }) => {
    processes.stop(key);
    processes.forget(key);
    return Promise.resolve();
  },
});

/** Creates the first node, unless it exists. */
export async function createNode(client: KubeClient): Promise<void> {
  const metadata = { name: NODE_NAME, labels: { 'kubernetes.io/hostname': NODE_NAME } };
  try {
    await client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata });
  } catch (error) {
    if (!hasCode(error, 'AlreadyExists')) throw error;
  }
}
