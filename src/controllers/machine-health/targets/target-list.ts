import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { listChanges } from '../../../kube/cache/list-changes.ts';
import type { TargetObservation } from '../check/observe-check.ts';

/** What is there now. */
export interface ListedObjects {
  readonly machines: readonly Machine[];
  readonly nodes: readonly Node[];
  /** What all Machines are looked at by: when any of it is another, so is everything. */
  readonly sharedInputs: readonly unknown[];
}

/** How Machines are looked at. */
export interface TargetEvaluation {
  /** In full; undefined when the check is not about the Machine. */
  see(machine: Machine): TargetObservation | undefined;
  /** Whether all that was seen beside the Machine is there still, unchanged. */
  isStill(seen: TargetObservation): boolean;
}

/** The Machines that a check is about. */
export interface ListedTargets {
  /** All of them, in order. */
  readonly names: readonly string[];
  /** Those of whom there is something to say, and those that were asked for, in the same order. */
  readonly targets: readonly TargetObservation[];
}

/**
 * The targets of a check as they were seen last. Of thousands nearly all are well, and stay so until an object changes: those are known by
 * name, so that a pass costs what changed and what is not well, and not what is there. Nothing here decides; forgetting it costs only time.
 */
export class TargetList {
  readonly #seen = new Map<string, TargetObservation>();
  /** Names of those of whom there is something to say. */
  readonly #open = new Set<string>();
  /** Name of a Node → names of those that say they are on it. */
  readonly #onNode = new Map<string, Set<string>>();
  #present: ListedObjects | undefined;
  #names: readonly string[] | undefined;

  /** `asked` are the names of others who are wanted in full. */
  call(present: ListedObjects, asked: 'all' | Iterable<string>, look: TargetEvaluation): ListedTargets {
    const before = this.#present;
    // A look that throws leaves half of it: then the next call begins anew.
    this.#present = undefined;
    if (before && isSameRest(before.sharedInputs, present.sharedInputs)) this.#goOn(before, present, look);
    else this.#beginAnew(present, look);
    this.#present = present;
    const names = (this.#names ??= [...this.#seen.keys()].toSorted());
    const wanted = asked === 'all' ? names : [...this.#open, ...asked].toSorted();
    return { names, targets: this.#seenOf(wanted) };
  }

  #beginAnew({ machines }: ListedObjects, look: TargetEvaluation): void {
    this.#seen.clear();
    this.#open.clear();
    this.#onNode.clear();
    this.#names = undefined;
    for (const machine of machines) this.#enter(machine, look);
  }

  #goOn(before: ListedObjects, now: ListedObjects, look: TargetEvaluation): void {
    const machines = listChanges(before.machines, now.machines);
    for (const { metadata } of machines.gone) this.#leave(metadata.name);
    // One that is another went too; one that only came was missing, and whoever misses a Node is looked at anyway.
    const nodes = listChanges(before.nodes, now.nodes).gone;
    const onNodes = nodes.flatMap(({ metadata: { name } }) => [...(this.#onNode.get(name) ?? [])]);
    const anew = this.#seenOf([...onNodes, ...this.#noLonger(look)]).map(({ target }) => target.machine);
    for (const machine of [...machines.come, ...anew]) this.#enter(machine, look);
  }

  /** What is wrong with a Machine is a matter of time, and looked at each time. */
  #noLonger(look: TargetEvaluation): readonly string[] {
    return [...this.#open].filter((name) => this.#seenOf([name]).some((seen) => seen.verdict.kind !== 'healthy' || !look.isStill(seen)));
  }

  #seenOf(names: Iterable<string>): readonly TargetObservation[] {
    return [...new Set(names)].flatMap((name) => this.#seen.get(name) ?? []);
  }

  #enter(machine: Machine, look: TargetEvaluation): void {
    const { name } = machine.metadata;
    const seen = look.see(machine);
    if (!seen) return this.#leave(name);
    if (!this.#seen.has(name)) this.#names = undefined;
    this.#seen.set(name, seen);
    const node = nodeOf(machine);
    this.#onNode.set(node, (this.#onNode.get(node) ?? new Set()).add(name));
    if (isPlain(seen)) this.#open.delete(name);
    else this.#open.add(name);
  }

  #leave(name: string): void {
    const seen = this.#seen.get(name);
    if (!seen) return;
    this.#seen.delete(name);
    this.#open.delete(name);
    this.#names = undefined;
    const there = this.#onNode.get(nodeOf(seen.target.machine));
    there?.delete(name);
    if (there?.size === 0) this.#onNode.delete(nodeOf(seen.target.machine));
  }
}

const nodeOf = ({ status }: Machine): string => status?.nodeRef?.name ?? '';

const isSameRest = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && now.every((thing, i) => thing === before[i]);

/** Well, on a Node of ours, nobody else's business, and asked of nobody: until an object changes there is nothing to say. */
const isPlain = ({ verdict, others, hasExternalCondition, target: { node, cluster } }: TargetObservation): boolean =>
  verdict.kind === 'healthy' && others.length === 0 && hasExternalCondition !== true && node.kind === 'there' && cluster.kind === 'local';
