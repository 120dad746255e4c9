import type { Node } from '../api/builtin/index.ts';
import type { ObjectKey } from '../api/meta.ts';
import type { Change } from '../kube/cache/cache.ts';
import type { Read } from '../kube/client/read.ts';

/** A Node of a cluster, or that the cluster is the local one, whose Nodes are read locally. */
export type NodeRead = Read<Node> | { readonly kind: 'local' };

/** A change to the Nodes of a cluster: one of them changed, or all of them can be read again, or none of them any more. */
export interface NodesChange {
  readonly cluster: ObjectKey;
  readonly change: Change<Node> | 'seen' | 'unseen';
}

/** Nodes of other clusters, each named by its Cluster object. */
export interface WorkloadNodes {
  /** Reads from a cache, which the first read starts. */
  get(cluster: ObjectKey, name: string): NodeRead;
  /** Reads live from the server of that cluster. */
  fetch(cluster: ObjectKey, name: string): Promise<NodeRead>;
  /** Whether it is the local cluster; undefined while that is not known, as after a start and where it cannot be reached. */
  isLocal(cluster: ObjectKey): boolean | undefined;
  /** Notifies of every change once it can be read. Returns a function that stops; without listeners all connections are closed. */
  onChange(listener: (change: NodesChange) => void): () => void;
}
