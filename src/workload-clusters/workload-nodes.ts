import type { Node } from '../api/builtin/index.ts';
import type { ObjectKey } from '../api/meta.ts';
import type { Change } from '../kube/cache/cache.ts';
import type { Read } from '../kube/client/read.ts';

/** A Node of a cluster, or that the cluster is the one we run in: its Nodes are where ours are. */
export type NodeRead = Read<Node> | { readonly kind: 'local' };

/** What happened to the Nodes of a cluster: one of them changed, or all of them can be seen (again), or none of them any more. */
export interface NodesChange {
  readonly cluster: ObjectKey;
  readonly change: Change<Node> | 'seen' | 'unseen';
}

/** Nodes of other clusters, each named by its Cluster object. */
export interface WorkloadNodes {
  /** From a copy that is kept up to date; who asks for the first time sets that going. */
  get(cluster: ObjectKey, name: string): NodeRead;
  /** The word of that cluster's own server. */
  fetch(cluster: ObjectKey, name: string): Promise<NodeRead>;
  /** Whether it is the cluster that we run in; undefined while nobody knows, as after a start and where it cannot be reached. */
  isLocal(cluster: ObjectKey): boolean | undefined;
  /** Tells of every change after it can be read. Returns how to stop; with the last listener all that was set going ends. */
  onChange(listener: (change: NodesChange) => void): () => void;
}
