import { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyOf } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { remove } from '../../../runtime/reconcile/delete-object.ts';
import { claimText } from '../machine-state.ts';
import type { Provider } from './provider.ts';

/**
 * The provider for installations that create no instances: hosts that registered their Nodes by themselves and wait in a pool. A Machine takes a free
 * Node by writing its name on it, and gives it back by deleting it: the host is in the pool again once it registers again.
 */
export const nodePool: Provider<Node> = {
  // The first by name, so that two reads of the same pool choose the same; under the version that was seen, so that of two Machines one gets it.
  acquire: (machine, free) => free.slice(0, 1).map((node) => claim(machine, node)),
  look: (_, node) => node,
  destroy: (_, node) => (node.metadata.deletionTimestamp === undefined ? [remove(Node, node)] : []),
};

export function claim(machine: Machine, { metadata, ...node }: Node): Effect {
  const annotations = { ...metadata.annotations, [ANNOTATIONS.nodeClaim]: claimText(machine) };
  return {
    kind: 'Patch',
    resource: Node,
    key: keyOf({ ...node, metadata }),
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    operations: [{ op: 'add', path: '/metadata/annotations', value: annotations }],
  };
}
