import { Cluster, Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyText, type ObjectKey } from '../../../api/meta.ts';
import { JoinedReads } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { clusterNameOf, clusterOfMachine, targetCluster } from './cluster-of-machine.ts';
import type { HealthTarget, TargetCluster, TargetNode } from './target.ts';

/** A Machine with its Cluster and Node, from the caches. */
export function targetFromCache(machine: Machine, reader: Reader, nodes?: WorkloadNodes): HealthTarget {
  const cluster = clusterOfMachine(machine, reader);
  return { machine, cluster, node: nodeOf(machine, cluster, { reader, nodes }) };
}

/** Whether the cache still has the same Node, unchanged. */
export function isNodeUnchanged({ machine, cluster, node }: HealthTarget, reader: Reader, nodes?: WorkloadNodes): boolean {
  const now = nodeOf(machine, cluster, { reader, nodes });
  return now.kind === 'there' && node.kind === 'there' && now.node === node.node;
}

interface Sources {
  readonly reader: Reader;
  readonly nodes: WorkloadNodes | undefined;
}

/** A Node of another cluster may have the name of a local one, so it is read from its own cluster or not at all. */
function nodeOf({ metadata, status }: Machine, cluster: TargetCluster, { reader, nodes }: Sources): TargetNode {
  const name = status?.nodeRef?.name ?? '';
  if (name === '') return { kind: 'unnamed' };
  if (cluster.kind === 'unknown') return { kind: 'unreadable', why: cluster.why };
  if (cluster.kind === 'local') return nodeSeen(name, ours(reader.get(Node, { namespace: '', name })));
  if (!nodes) return { kind: 'unreadable', why: `Sickbay does not read Nodes of the cluster ${cluster.name}` };
  const found = nodes.get({ namespace: metadata.namespace ?? '', name: cluster.name }, name);
  return nodeSeen(name, found.kind === 'local' ? ours(reader.get(Node, { namespace: '', name })) : found);
}

/** Sources beside the local cluster; Cluster reads are shared among Machines. */
export interface LiveNodeSources {
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
}

/** Many Machines fail at the same time, and most belong to one Cluster, so concurrent reads of it are joined. */
export type ClusterReads = JoinedReads<Read<Cluster>>;

/**
 * The same with Cluster and Node from live reads: the cache may not show yet that the Node exists or has recovered, or that its Cluster is
 * being deleted, which takes the Nodes with it.
 */
export async function withLiveNode(target: HealthTarget, reader: Reader, { nodes, clusters }: LiveNodeSources = {}): Promise<HealthTarget> {
  const { machine, node } = target;
  if (node.kind !== 'missing' && node.kind !== 'there') return target;
  const name = node.kind === 'missing' ? node.name : node.node.metadata.name;
  const key = { namespace: machine.metadata.namespace ?? '', name: clusterNameOf(machine) };
  const cluster = targetCluster(key.name, await fetchCluster(key, reader, clusters));
  const changed = whyNotAsCached(target.cluster, cluster);
  if (changed !== undefined) return { ...target, cluster, node: { kind: 'unreadable', why: changed } };
  const found = cluster.kind === 'other' && nodes ? await nodes.fetch(key, name) : await fetchOurs(name, reader);
  return { ...target, cluster, node: nodeSeen(name, found.kind === 'local' ? await fetchOurs(name, reader) : found) };
}

/** Why the Node cannot be read where the cache says it is; undefined where the cluster is the same. */
function whyNotAsCached(cached: TargetCluster, live: TargetCluster): string | undefined {
  if (live.kind === 'unknown') return live.why;
  if (live.kind === 'other' && cached.kind === 'local') return `the local Nodes do not apply: Cluster ${live.name} was just created`;
  return live.kind === cached.kind ? undefined : 'whether its Node is a local one has just changed';
}

const NO_CLUSTER: Read<Cluster> = { kind: 'absent' };

function fetchCluster(key: ObjectKey, reader: Reader, clusters: ClusterReads = new JoinedReads()): Promise<Read<Cluster>> {
  return key.name === '' ? Promise.resolve(NO_CLUSTER) : clusters.read(keyText(key), () => reader.fetch(Cluster, key));
}

const fetchOurs = async (name: string, reader: Reader): Promise<Read<Node>> => ours(await reader.fetch(Node, { namespace: '', name }));

function nodeSeen(name: string, read: Read<Node>): TargetNode {
  if (read.kind === 'value') return { kind: 'there', node: read.value };
  return read.kind === 'absent' ? { kind: 'missing', name } : { kind: 'unreadable', why: read.reason };
}

/** Adds to the reason which Nodes cannot be read. */
const ours = (read: Read<Node>): Read<Node> =>
  read.kind === 'unreadable' ? { kind: 'unreadable', reason: `the local Nodes cannot be read: ${read.reason}` } : read;
