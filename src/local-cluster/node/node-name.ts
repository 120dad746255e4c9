import type { Node } from '../../api/builtin/index.ts';

/** The first node of a local cluster: this process, in which workflows run. */
export const NODE_NAME = 'local';

/**
 * On further nodes of a local cluster: whether their kubelet runs. Nodes without it belong to another writer. Setting it to `stopped` lets the node fall
 * silent, as when its machine loses power.
 */
export const KUBELET_ANNOTATION = 'local.sickbay.dev/kubelet';

/** Whether this cluster runs pods on the node. */
export const isLocalNode = ({ metadata }: Pick<Node, 'metadata'>): boolean =>
  metadata.name === NODE_NAME || metadata.annotations?.[KUBELET_ANNOTATION] !== undefined;

/** Whether the kubelet of the node has stopped. The first node cannot: it is this process. */
export const isSilent = ({ metadata }: Pick<Node, 'metadata'>): boolean =>
  metadata.name !== NODE_NAME && metadata.annotations?.[KUBELET_ANNOTATION] === 'stopped';
