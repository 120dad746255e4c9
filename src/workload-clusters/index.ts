/**
 * Nodes of other clusters than our own, by the Cluster object that stands for each (Cluster API's workload clusters).
 *
 *   Cluster shop/prod ─▶ Secret shop/prod-kubeconfig ─▶ Link ─▶ NodeWatch (a cache of that cluster's Nodes) ─▶ get, onChange
 *
 * - `WorkloadNodes` is all that a reader sees: a Node, its absence, or why it is unknown; and what changed.
 * - `WorkloadClusters` opens a `Link` when a reader first asks for a Node of a cluster, and closes it when no reader needs it any more.
 * - A `Link` reads the Secret again and again, and keeps one connection for as long as the Secret is unchanged. While that connection does
 *   not work every read reports it: a Node that cannot be seen is not gone.
 * - `kubeconfig.ts` takes only what is written in the kubeconfig itself: any account that may write Secrets can write it, so it makes us run no
 *   program and read no file.
 * Start with workload-nodes.ts, then link.ts.
 */
export { WorkloadClusters } from './workload-clusters.ts';
export type { LinkDeps } from './link.ts';
export type { NodeRead, NodesChange, WorkloadNodes } from './workload-nodes.ts';
