import { Cluster, Node } from '../../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { keyText, type ObjectKey } from '../../../api/meta.ts';
import { JoinedReads, sameJson, type Instant } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import type { WorkloadNodes } from '../../../workload-clusters/index.ts';
import { clusterNameOf, targetCluster } from '../targets/cluster-of-machine.ts';
import { checkedConditionsChanged, type IsCheckedType } from '../targets/node-state.ts';
import { applyHealthRules, type RuleResult } from './health-rules.ts';
import { parseCheck, parseCheckSelector, type CheckParseResult, type ParsedCheck } from '../targets/parse-check.ts';
import { TargetList } from '../targets/target-list.ts';
import type { TargetCluster, TargetNode, HealthTarget } from '../targets/target.ts';
import { verdictAt, type HealthVerdict } from './verdict.ts';

/** A Machine with what a check says of it now. */
export interface EvaluatedTarget {
  readonly target: HealthTarget;
  readonly verdict: HealthVerdict;
}

interface RememberedResult {
  readonly node: TargetNode;
  readonly cluster: TargetCluster;
  readonly annotationRemediates: boolean;
  readonly prognosis: RuleResult;
}

/**
 * Judges Machines for both reconcilers. What follows from the objects alone is remembered for as long as they stay as they are: an event
 * costs the work for its own Machine, however many others a check is about. Nothing here decides; forgetting it costs only time.
 */
export class HealthEvaluator {
  readonly #checks: Readings = new Map();
  readonly #scopes: Readings = new Map();
  readonly #prognoses = new WeakMap<ParsedCheck, WeakMap<Machine, RememberedResult>>();
  readonly #rolls = new WeakMap<ParsedCheck, TargetList>();
  readonly #asked = new Set<string>();
  readonly #evaluated: () => void;

  /** `evaluated` is told of every Machine that had to be looked at anew. */
  constructor(evaluated: () => void = () => undefined) {
    this.#evaluated = evaluated;
  }

  /** A check as it was written; the same object as long as its spec is the same. */
  parse(check: MachineHealthCheck): CheckParseResult {
    return remembered(this.#checks, check, () => {
      const read = parseCheck(check);
      if (read.kind === 'valid') for (const { type } of read.check.nodeConditions) this.#asked.add(type);
      return read;
    });
  }

  /** Which Machines a check is about that somebody else works on; likewise the same object. */
  parseSelector(check: MachineHealthCheck): CheckParseResult {
    return remembered(this.#scopes, check, () => parseCheckSelector(check));
  }

  /** A check that was not read yet asks when it is: it goes by what is known then. */
  readonly isCheckedType: IsCheckedType = (type) => this.#asked.has(type);

  /** What was seen of the targets of a check. */
  targetsOf(check: ParsedCheck): TargetList {
    const roll = this.#rolls.get(check) ?? new TargetList();
    this.#rolls.set(check, roll);
    return roll;
  }

  evaluate(
    check: ParsedCheck,
    target: HealthTarget,
    how: { readonly now: Instant; readonly annotationRemediates: boolean },
  ): EvaluatedTarget {
    return { target, verdict: verdictAt(this.#prognosis(check, target, how.annotationRemediates), target, how.now) };
  }

  #prognosis(check: ParsedCheck, target: HealthTarget, annotationRemediates: boolean): RuleResult {
    const known = this.#prognoses.get(check) ?? new WeakMap<Machine, RememberedResult>();
    this.#prognoses.set(check, known);
    const { machine, node, cluster } = target;
    const before = known.get(machine);
    if (before && before.annotationRemediates === annotationRemediates && isSame(before, target, this.isCheckedType))
      return before.prognosis;
    this.#evaluated();
    const prognosis = applyHealthRules(target, check.check, { annotationRemediates });
    known.set(machine, { node, cluster, annotationRemediates, prognosis });
    return prognosis;
  }
}

type Readings = Map<string, { readonly generation: number | undefined; readonly read: CheckParseResult }>;

function remembered(
  readings: Readings,
  { metadata: { uid, generation } }: MachineHealthCheck,
  read: () => CheckParseResult,
): CheckParseResult {
  const known = readings.get(uid);
  if (known && generation !== undefined && known.generation === generation) return known.read;
  const made = read();
  readings.set(uid, { generation, read: made });
  return made;
}

/** Whether a Machine that is the same is to be judged alike: its Node may have said again that it is there. */
const isSame = (before: Pick<HealthTarget, 'node' | 'cluster'>, now: HealthTarget, isCheckedType: IsCheckedType): boolean =>
  isSameNode(before.node, now.node, isCheckedType) && sameJson(before.cluster, now.cluster);

const isSameNode = (before: TargetNode, now: TargetNode, isCheckedType: IsCheckedType): boolean =>
  before.kind === 'there' && now.kind === 'there'
    ? before.node === now.node || !checkedConditionsChanged(before.node, now.node, isCheckedType)
    : sameJson(before, now);

/** What belongs to a Machine, from what is kept of its cluster and ours. */
export function targetFromCache(machine: Machine, reader: Reader, nodes?: WorkloadNodes): HealthTarget {
  const name = clusterNameOf(machine);
  const cluster = targetCluster(name, reader.get(Cluster, { namespace: machine.metadata.namespace ?? '', name }));
  return { machine, cluster, node: nodeOf(machine, cluster, { reader, nodes }) };
}

/** Whether the Node that was seen is kept still, as it was. */
export function isNodeUnchanged({ machine, cluster, node }: HealthTarget, reader: Reader, nodes?: WorkloadNodes): boolean {
  const now = nodeOf(machine, cluster, { reader, nodes });
  return now.kind === 'there' && node.kind === 'there' && now.node === node.node;
}

interface Sources {
  readonly reader: Reader;
  readonly nodes: WorkloadNodes | undefined;
}

/** A Node of another cluster cannot be told from one of ours with the same name: it is looked up there, or not at all. */
function nodeOf({ metadata, status }: Machine, cluster: TargetCluster, { reader, nodes }: Sources): TargetNode {
  const name = status?.nodeRef?.name ?? '';
  if (name === '') return { kind: 'unnamed' };
  if (cluster.kind !== 'other') return nodeSeen(name, ours(reader.get(Node, { namespace: '', name })));
  if (!nodes) return { kind: 'unreadable', why: `Nodes of the cluster ${cluster.name} are not reached from here` };
  const found = nodes.get({ namespace: metadata.namespace ?? '', name: cluster.name }, name);
  return nodeSeen(name, found.kind === 'local' ? ours(reader.get(Node, { namespace: '', name })) : found);
}

/** Where else is asked than in our own cluster, and what many ask for at a time. */
export interface LiveNodeSources {
  readonly nodes?: WorkloadNodes | undefined;
  readonly clusters?: ClusterReads;
}

/** Machines fail together, and most of them belong to one Cluster. */
export type ClusterReads = JoinedReads<Read<Cluster>>;

/** The same with the Node on the server's word: what is kept may not have been shown yet that it is there, or well again. */
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

/** A Node of ours, unless there is a Cluster after all: then it is not ours that counts. */
async function fetchUnlessOther(name: string, reader: Reader, other: Read<Cluster>): Promise<Read<Node>> {
  if (other.kind === 'value')
    return { kind: 'unreadable', reason: `the Nodes here do not count: Cluster ${other.value.metadata.name} has only just come to light` };
  return other.kind === 'unreadable' ? ours(other) : fetchOurs(name, reader);
}

const fetchOurs = async (name: string, reader: Reader): Promise<Read<Node>> => ours(await reader.fetch(Node, { namespace: '', name }));

function nodeSeen(name: string, read: Read<Node>): TargetNode {
  if (read.kind === 'value') return { kind: 'there', node: read.value };
  return read.kind === 'absent' ? { kind: 'missing', name } : { kind: 'unreadable', why: read.reason };
}

/** The reason says where the Nodes are that cannot be read. */
const ours = (read: Read<Node>): Read<Node> =>
  read.kind === 'unreadable' ? { kind: 'unreadable', reason: `the Nodes here cannot be read: ${read.reason}` } : read;
