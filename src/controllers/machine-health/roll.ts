import type { Node } from '../../api/builtin/index.ts';
import type { Machine } from '../../api/machine/machine.ts';
import { listChanges } from '../../kube/list-changes.ts';
import type { TargetSeen } from './observe-check.ts';

/** What is there now. */
export interface Present {
  readonly machines: readonly Machine[];
  /** Undefined while they cannot be read. */
  readonly nodes: readonly Node[] | undefined;
  /** What all Machines are looked at by: when any of it is another, so is everything. */
  readonly restsOn: readonly unknown[];
}

/** How Machines are looked at. */
export interface Look {
  /** In full; undefined when the check is not about the Machine. */
  see(machine: Machine): TargetSeen | undefined;
  /** Whether all that was seen beside the Machine is there still, unchanged. */
  isStill(seen: TargetSeen): boolean;
  /** The Machines that the check may be about on a Node of this name. */
  on(node: Node): readonly Machine[];
}

/** The Machines that a check is about. */
export interface Called {
  /** All of them, in order. */
  readonly names: readonly string[];
  /** Those of whom there is something to say, and those that were asked for, in the same order. */
  readonly targets: readonly TargetSeen[];
}

/**
 * The targets of a check as they were seen last. Of thousands nearly all are well, and stay so until an object changes: those are known by
 * name, so that a pass costs what changed and what is not well, and not what is there. Nothing here decides; forgetting it costs only time.
 */
export class Roll {
  readonly #seen = new Map<string, TargetSeen>();
  /** Names of those of whom there is something to say. */
  readonly #open = new Set<string>();
  #present: Present | undefined;
  #names: readonly string[] | undefined;

  /** `asked` are the names of others who are wanted in full. */
  call(present: Present, asked: 'all' | Iterable<string>, look: Look): Called {
    const before = this.#present;
    this.#present = present;
    if (!before || !this.#goOn(before, present, look)) this.#beginAnew(present, look);
    const names = (this.#names ??= [...this.#seen.keys()].toSorted());
    const wanted = asked === 'all' ? names : [...new Set([...this.#open, ...asked])].toSorted();
    return { names, targets: wanted.flatMap((name) => this.#seen.get(name) ?? []) };
  }

  #beginAnew({ machines }: Present, look: Look): void {
    this.#seen.clear();
    this.#open.clear();
    this.#names = undefined;
    for (const machine of machines) this.#enter(machine, look);
  }

  /** From what was seen before; false when that says nothing about now. */
  #goOn(before: Present, now: Present, look: Look): boolean {
    if (!before.nodes || !now.nodes || !isSameRest(before.restsOn, now.restsOn)) return false;
    const machines = listChanges(before.machines, now.machines);
    for (const { metadata } of machines.gone) this.#leave(metadata.name);
    // One that is another went too; one that only came was missing, and whoever misses a Node is looked at anyway.
    const onNodes = listChanges(before.nodes, now.nodes).gone.flatMap((node) => look.on(node));
    for (const machine of new Set([...machines.come, ...onNodes, ...this.#noLonger(look)])) this.#enter(machine, look);
    return true;
  }

  /** What is wrong with a Machine is a matter of time, and looked at each time. */
  #noLonger(look: Look): readonly Machine[] {
    const open = [...this.#open].flatMap((name) => this.#seen.get(name) ?? []);
    return open.filter((seen) => seen.verdict.kind !== 'healthy' || !look.isStill(seen)).map(({ target }) => target.machine);
  }

  #enter(machine: Machine, look: Look): void {
    const { name } = machine.metadata;
    const seen = look.see(machine);
    if (!seen) return this.#leave(name);
    if (!this.#seen.has(name)) this.#names = undefined;
    this.#seen.set(name, seen);
    if (isPlain(seen)) this.#open.delete(name);
    else this.#open.add(name);
  }

  #leave(name: string): void {
    this.#open.delete(name);
    if (this.#seen.delete(name)) this.#names = undefined;
  }
}

const isSameRest = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && now.every((thing, i) => thing === before[i]);

/** Well, on a Node of ours, nobody else's business, and asked of nobody: until an object changes there is nothing to say. */
const isPlain = ({ verdict, others, isClaimed, target: { node, cluster } }: TargetSeen): boolean =>
  verdict.kind === 'healthy' && others.length === 0 && isClaimed !== true && node.kind === 'there' && cluster.kind === 'local';
