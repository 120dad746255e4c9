import { Cluster, Node } from '../../api/builtin/index.ts';
import type { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { sameJson, type Instant } from '../../base/index.ts';
import type { Reader } from '../../runtime/controller.ts';
import { clusterOf } from './cluster-seen.ts';
import { stateOf } from './node-state.ts';
import { prognose, type Prognosis } from './prognosis.ts';
import { readCheck, type CheckRead, type ReadCheck } from './read-check.ts';
import type { ClusterSeen, NodeSeen, Target } from './target.ts';
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
  readonly #checks = new Map<string, { readonly generation: number | undefined; readonly read: CheckRead }>();
  readonly #prognoses = new WeakMap<ReadCheck, WeakMap<Machine, Remembered>>();
  readonly #evaluated: () => void;

  /** `evaluated` is told of every Machine that had to be looked at anew. */
  constructor(evaluated: () => void = () => undefined) {
    this.#evaluated = evaluated;
  }

  /** A check as it was written; the same object as long as its spec is the same. */
  read(check: MachineHealthCheck): CheckRead {
    const { uid, generation } = check.metadata;
    const known = this.#checks.get(uid);
    if (known && generation !== undefined && known.generation === generation) return known.read;
    const read = readCheck(check);
    this.#checks.set(uid, { generation, read });
    return read;
  }

  judge(check: ReadCheck, target: Target, how: { readonly now: Instant; readonly annotationRemediates: boolean }): Judged {
    return { target, verdict: verdictOf(this.#prognosis(check, target, how.annotationRemediates), target, how.now) };
  }

  #prognosis(check: ReadCheck, target: Target, annotationRemediates: boolean): Prognosis {
    const known = this.#prognoses.get(check) ?? new WeakMap<Machine, Remembered>();
    this.#prognoses.set(check, known);
    const { machine, node, cluster } = target;
    const before = known.get(machine);
    if (before && before.annotationRemediates === annotationRemediates && isSame(before, target)) return before.prognosis;
    this.#evaluated();
    const prognosis = prognose(target, check.check, { annotationRemediates });
    known.set(machine, { node, cluster, annotationRemediates, prognosis });
    return prognosis;
  }
}

/** Whether a Machine that is the same is to be judged alike: its Node may have said again that it is there. */
const isSame = (before: Pick<Target, 'node' | 'cluster'>, now: Target): boolean =>
  isSameNode(before.node, now.node) && sameJson(before.cluster, now.cluster);

const isSameNode = (before: NodeSeen, now: NodeSeen): boolean =>
  before.kind === 'there' && now.kind === 'there'
    ? before.node === now.node || sameJson(stateOf(before.node), stateOf(now.node))
    : sameJson(before, now);

/** What belongs to a Machine, from the cache. */
export function targetOf(machine: Machine, reader: Reader): Target {
  const cluster = clusterOf(machine, reader.list(Cluster));
  return { machine, cluster, node: nodeOf(machine, cluster, reader) };
}

/** A Node of another cluster cannot be told from one of ours with the same name: it is not looked up here. */
function nodeOf({ status }: Machine, cluster: ClusterSeen, reader: Reader): NodeSeen {
  const name = status?.nodeRef?.name ?? '';
  if (name === '') return { kind: 'unnamed' };
  if (cluster.kind === 'other') return { kind: 'unreadable', why: `Nodes of the cluster ${cluster.name} are not reached from here` };
  const found = reader.get(Node, { namespace: '', name });
  if (found.kind === 'value') return { kind: 'there', node: found.value };
  return found.kind === 'absent' ? { kind: 'missing', name } : { kind: 'unreadable', why: `Node ${name} cannot be read: ${found.reason}` };
}
