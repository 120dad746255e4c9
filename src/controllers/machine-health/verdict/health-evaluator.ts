import { Cluster, Node } from '../../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyText, type ObjectKey } from '../../../api/meta.ts';
import { JoinedReads, sameJson, type Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { clusterNameOf, clusterSeen } from '../targets/cluster-of-machine.ts';
import { saysOther, type IsAsked } from '../targets/node-state.ts';
import { prognose, type Prognosis } from './health-rules.ts';
import { readCheck, readScope, type CheckRead, type ReadCheck } from '../targets/parse-check.ts';
import { Roll } from '../targets/target-list.ts';
import type { ClusterSeen, NodeSeen, Target } from '../targets/target.ts';
import { verdictOf, type Verdict } from './verdict.ts';

/** A Machine with what a check says of it now. */
export interface Judged {
  readonly target: Target;
  readonly verdict: Verdict;
}

interface Remembered {
  readonly node: NodeSeen;
  readonly cluster: ClusterSeen;
  readonly annotationRemediates: boolean;
  readonly prognosis: Prognosis;
}

/**
 * Judges Machines for both reconcilers. What follows from the objects alone is remembered for as long as they stay as they are: an event
 * costs the work for its own Machine, however many others a check is about. Nothing here decides; forgetting it costs only time.
 */
export class Judge {
  readonly #checks: Readings = new Map();
  readonly #scopes: Readings = new Map();
  readonly #prognoses = new WeakMap<ReadCheck, WeakMap<Machine, Remembered>>();
  readonly #rolls = new WeakMap<ReadCheck, Roll>();
  readonly #asked = new Set<string>();
  readonly #evaluated: () => void;

  /** `evaluated` is told of every Machine that had to be looked at anew. */
  constructor(evaluated: () => void = () => undefined) {
    this.#evaluated = evaluated;
  }

  /** A check as it was written; the same object as long as its spec is the same. */
  read(check: MachineHealthCheck): CheckRead {
    return remembered(this.#checks, check, () => {
      const read = readCheck(check);
      if (read.kind === 'valid') for (const { type } of read.check.nodeConditions) this.#asked.add(type);
      return read;
    });
  }

  /** Which Machines a check is about that somebody else works on; likewise the same object. */
  scope(check: MachineHealthCheck): CheckRead {
    return remembered(this.#scopes, check, () => readScope(check));
  }

  /** A check that was not read yet asks when it is: it goes by what is known then. */
  readonly isAsked: IsAsked = (type) => this.#asked.has(type);

  /** What was seen of the targets of a check. */
  roll(check: ReadCheck): Roll {
    const roll = this.#rolls.get(check) ?? new Roll();
    this.#rolls.set(check, roll);
    return roll;
  }

  judge(check: ReadCheck, target: Target, how: { readonly now: Instant; readonly annotationRemediates: boolean }): Judged {
    return { target, verdict: verdictOf(this.#prognosis(check, target, how.annotationRemediates), target, how.now) };
  }

  #prognosis(check: ReadCheck, target: Target, annotationRemediates: boolean): Prognosis {
    const known = this.#prognoses.get(check) ?? new WeakMap<Machine, Remembered>();
    this.#prognoses.set(check, known);
    const { machine, node, cluster } = target;
    const before = known.get(machine);
    if (before && before.annotationRemediates === annotationRemediates && isSame(before, target, this.isAsked)) return before.prognosis;
    this.#evaluated();
    const prognosis = prognose(target, check.check, { annotationRemediates });
    known.set(machine, { node, cluster, annotationRemediates, prognosis });
    return prognosis;
  }
}

type Readings = Map<string, { readonly generation: number | undefined; readonly read: CheckRead }>;

function remembered(readings: Readings, { metadata: { uid, generation } }: MachineHealthCheck, read: () => CheckRead): CheckRead {
  const known = readings.get(uid);
  if (known && generation !== undefined && known.generation === generation) return known.read;
  const made = read();
  readings.set(uid, { generation, read: made });
  return made;
}

/** Whether a Machine that is the same is to be judged alike: its Node may have said again that it is there. */
const isSame = (before: Pick<Target, 'node' | 'cluster'>, now: Target, isAsked: IsAsked): boolean =>
  isSameNode(before.node, now.node, isAsked) && sameJson(before.cluster, now.cluster);

const isSameNode = (before: NodeSeen, now: NodeSeen, isAsked: IsAsked): boolean =>
  before.kind === 'there' && now.kind === 'there'
    ? before.node === now.node || !saysOther(before.node, now.node, isAsked)
    : sameJson(before, now);

/** What belongs to a Machine, from what is kept of its cluster and ours. */
export function targetOf(machine: Machine, reader: Reader, nodes?: WorkloadNodes): Target {
  const name = clusterNameOf(machine);
  const cluster = clusterSeen(name, reader.get(Cluster, { namespace: machine.metadata.namespace ?? '', name }));
  return { machine, cluster, node: nodeOf(machine, cluster, { reader, nodes }) };
}

/** Whether the Node that was seen is kept still, as it was. */
export function isStillThere({ machine, cluster, node }: Target, reader: Reader, nodes?: WorkloadNodes): boolean {
  const now = nodeOf(machine, cluster, { reader, nodes });
  return now.kind === 'there' && node.kind === 'there' && now.node === node.node;
}

interface Sources {
  readonly reader: Reader;
  readonly nodes: WorkloadNodes | undefined;
}

/** A Node of another cluster cannot be told from one of ours with the same name: it is looked up there, or not at all. */
function nodeOf({ metadata, status }: Machine, cluster: ClusterSeen, { reader, nodes }: Sources): NodeSeen {
  const name = status?.nodeRef?.name ?? '';
  if (name === '') return { kind: 'unnamed' };
  if (cluster.kind !== 'other') return nodeSeen(name, ours(reader.get(Node, { namespace: '', name })));
  if (!nodes) return { kind: 'unreadable', why: `Nodes of the cluster ${cluster.name} are not reached from here` };
  const found = nodes.get({ namespace: metadata.namespace ?? '', name: cluster.name }, name);
  return nodeSeen(name, found.kind === 'local' ? ours(reader.get(Node, { namespace: '', name })) : found);
}

/** Where else is asked than in our own cluster, and what many ask for at a time. */
export interface Confirming {
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
}

/** Machines fail together, and most of them belong to one Cluster. */
export type ClusterReads = JoinedReads<Read<Cluster>>;

/** The same with the Node on the server's word: what is kept may not have been shown yet that it is there, or well again. */
export async function confirmed(target: Target, reader: Reader, { nodes, clusters }: Confirming = {}): Promise<Target> {
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

/** A Node of ours, unless there is a Cluster after all: then it is not ours that counts. */
async function fetchUnlessOther(name: string, reader: Reader, other: Read<Cluster>): Promise<Read<Node>> {
  if (other.kind === 'value')
    return { kind: 'unreadable', reason: `the Nodes here do not count: Cluster ${other.value.metadata.name} has only just come to light` };
  return other.kind === 'unreadable' ? ours(other) : fetchOurs(name, reader);
}

const fetchOurs = async (name: string, reader: Reader): Promise<Read<Node>> => ours(await reader.fetch(Node, { namespace: '', name }));

function nodeSeen(name: string, read: Read<Node>): NodeSeen {
  if (read.kind === 'value') return { kind: 'there', node: read.value };
  return read.kind === 'absent' ? { kind: 'missing', name } : { kind: 'unreadable', why: read.reason };
}

/** The reason says where the Nodes are that cannot be read. */
const ours = (read: Read<Node>): Read<Node> =>
  read.kind === 'unreadable' ? { kind: 'unreadable', reason: `the Nodes here cannot be read: ${read.reason}` } : read;
