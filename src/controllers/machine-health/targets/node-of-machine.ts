import { Cluster, Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyText, type ObjectKey } from '../../../api/meta.ts';
import { JoinedReads } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { clusterNameOf, targetCluster } from './cluster-of-machine.ts';
import type { HealthTarget, TargetCluster, TargetNode } from './target.ts';

/** A Machine with its Cluster and Node, from the caches. */
export function targetFromCache(machine: Machine, reader: Reader, nodes?: WorkloadNodes): HealthTarget {
  const name = clusterNameOf(machine);
  const cluster = targetCluster(name, reader.get(Cluster, { namespace: machine.metadata.namespace ?? '', name }));
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
  if (cluster.kind !== 'other') return nodeSeen(name, ours(reader.get(Node, { namespace: '', name })));
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

/** The same with the Node from a live read: the cache may not show yet that it exists, or has recovered. */
export async function withLiveNode(target: HealthTarget, reader: Reader, { nodes, clusters }: LiveNodeSources = {}): Promise<HealthTarget> {
  const { machine, cluster, node } = target;
  if (node.kind !== 'missing' && node.kind !== 'there') return target;
  const name = node.kind === 'missing' ? node.name : node.node.metadata.name;
  const key = { namespace: machine.metadata.namespace ?? '', name: clusterNameOf(machine) };
  const found =
    cluster.kind === 'other' && nodes
      ? await nodes.fetch(key, name)
      : await fetchUnlessOther(name, reader, await fetchCluster(key, reader, clusters));
  return { ...target, node: nodeSeen(name, found.kind === 'local' ? await fetchOurs(name, reader) : found) };
}

const NO_CLUSTER: Read<Cluster> = { kind: 'absent' };

function fetchCluster(key: ObjectKey, reader: Reader, clusters: ClusterReads = new JoinedReads()): Promise<Read<Cluster>> {
  return key.name === '' ? Promise.resolve(NO_CLUSTER) : clusters.read(keyText(key), () => reader.fetch(Cluster, key));
}

/** A local Node, unless a live read finds a Cluster: then the local Node is not the Machine's. */
async function fetchUnlessOther(name: string, reader: Reader, other: Read<Cluster>): Promise<Read<Node>> {
  if (other.kind === 'value')
    return { kind: 'unreadable', reason: `the local Nodes do not apply: Cluster ${other.value.metadata.name} was just created` };
  return other.kind === 'unreadable' ? ours(other) : fetchOurs(name, reader);
}

const fetchOurs = async (name: string, reader: Reader): Promise<Read<Node>> => ours(await reader.fetch(Node, { namespace: '', name }));

function nodeSeen(name: string, read: Read<Node>): TargetNode {
  if (read.kind === 'value') return { kind: 'there', node: read.value };
  return read.kind === 'absent' ? { kind: 'missing', name } : { kind: 'unreadable', why: read.reason };
}

/** Adds to the reason which Nodes cannot be read. */
const ours = (read: Read<Node>): Read<Node> =>
  read.kind === 'unreadable' ? { kind: 'unreadable', reason: `the local Nodes cannot be read: ${read.reason}` } : read;
