import { isControlPlaneNode, isCordoned, Node } from '../../../api/builtin/index.ts';
import { Machine } from '../../../api/machine/machine.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { claimantOf, claimOn, mayClaim, poolOf } from '../machine-state.ts';

/** Index of Nodes by their pool. */
export const BY_POOL = 'pool';
/** Index of Machines by the Node that they name. */
export const BY_NODE_NAME = 'node';

/** Nodes of its pool that a Machine may claim, by name. */
export async function freeNodes(machine: Machine, reader: Reader): Promise<Listed<Node>> {
  const listed = reader.list(Node, { index: BY_POOL, value: poolOf(machine) ?? '' });
  if (listed.kind === 'unreadable') return listed;
  const fit = listed.value
    .filter((node) => isFit(node) && mayClaim(machine, node))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const free: Node[] = [];
  for (const node of fit) if (await isFree(node, reader)) free.push(node);
  return { kind: 'value', value: free };
}

const isFit = (node: Node): boolean =>
  node.metadata.deletionTimestamp === undefined &&
  !isControlPlaneNode(node) &&
  !isCordoned(node) &&
  (node.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');

/**
 * That a Machine which took it is gone, or has another Node, needs a live read: a process that was delayed may have taken a second one
 * for it, which no controller would ever free.
 */
async function isFree(node: Node, reader: Reader): Promise<boolean> {
  const named = reader.list(Machine, { index: BY_NODE_NAME, value: node.metadata.name });
  if (named.kind === 'unreadable' || named.value.length > 0) return false;
  const claim = claimOn(node);
  if (claim === undefined) return true;
  const claimant = claimantOf(claim);
  if (!claimant) return false;
  const found = await reader.fetch(Machine, claimant);
  if (found.kind !== 'value') return found.kind === 'absent';
  const { metadata, status } = found.value;
  return metadata.uid !== claimant.uid || (status?.nodeRef?.name ?? node.metadata.name) !== node.metadata.name;
}
