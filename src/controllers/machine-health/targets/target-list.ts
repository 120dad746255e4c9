import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { listChanges } from '../../../kube/cache/list-changes.ts';
import type { TargetObservation } from '../check/observe-check.ts';

/** The objects that a pass of a check starts from. */
export interface ListedObjects {
  readonly machines: readonly Machine[];
  readonly nodes: readonly Node[];
  /** Inputs to every Machine's evaluation: when one of them changes, all Machines are evaluated again. */
  readonly sharedInputs: readonly unknown[];
}

/** What may be out of date. */
export interface OutdatedTargets {
  /** Machines that are new or changed, or whose Node changed. */
  readonly changed: readonly Machine[];
  /** Targets that need attention and whose objects are the same; time, or a Node of another cluster, may have changed their verdict. */
  readonly open: readonly TargetObservation[];
}

/** A Machine as evaluated again; `observation` is undefined when the check does not select it. */
export interface ReevaluatedMachine {
  readonly machine: Machine;
  readonly observation: TargetObservation | undefined;
}

/** The Machines that a check selects. */
export interface ListedTargets {
  /** Names of all of them, sorted. */
  readonly names: readonly string[];
  /** Those that need attention and those requested by name, in the same order. */
  readonly targets: readonly TargetObservation[];
}

/**
 * The targets of a check as last observed. Of thousands nearly all are healthy, and stay so until an object changes: only their names are
 * returned, so that a pass costs what changed and what is unhealthy, not the size of the fleet. Losing the list costs time only.
 *
 * A pass calls `begin`, evaluates what that returns, then `update` and `list`.
 */
export class TargetList {
  readonly #seen = new Map<string, TargetObservation>();
  /** Names of the targets that need attention. */
  readonly #open = new Set<string>();
  /** Name of a Node → names of the Machines that refer to it. */
  readonly #onNode = new Map<string, Set<string>>();
  #objects: ListedObjects | undefined;
  #names: readonly string[] | undefined;

  /** Compares the objects with those of the last pass. A pass that fails before `update` makes the next one evaluate every Machine. */
  begin(now: ListedObjects): OutdatedTargets {
    const before = this.#objects;
    this.#objects = undefined;
    if (before && isSameRest(before.sharedInputs, now.sharedInputs)) return this.#changesSince(before, now);
    this.#seen.clear();
    this.#open.clear();
    this.#onNode.clear();
    this.#names = undefined;
    return { changed: now.machines, open: [] };
  }

  update(now: ListedObjects, evaluated: readonly ReevaluatedMachine[]): void {
    for (const one of evaluated) this.#enter(one);
    this.#objects = now;
  }

  /** All names, and in full the targets that need attention and those `requested` by name. */
  list(requested: 'all' | readonly string[]): ListedTargets {
    const names = (this.#names ??= [...this.#seen.keys()].toSorted());
    const wanted = requested === 'all' ? names : [...this.#open, ...requested].toSorted();
    return { names, targets: this.#seenOf(wanted) };
  }

  #changesSince(before: ListedObjects, now: ListedObjects): OutdatedTargets {
    const machines = listChanges(before.machines, now.machines);
    for (const { metadata } of machines.gone) this.#leave(metadata.name);
    // A changed Node is listed as gone too. A new Node was missing before, and a Machine with a missing Node is open anyway.
    const nodes = listChanges(before.nodes, now.nodes).gone;
    const onNodes = new Set(nodes.flatMap(({ metadata: { name } }) => [...(this.#onNode.get(name) ?? [])]));
    const changed = [...machines.come, ...this.#seenOf(onNodes).map(({ target }) => target.machine)];
    return { changed, open: this.#seenOf([...this.#open].filter((name) => !onNodes.has(name))) };
  }

  #seenOf(names: Iterable<string>): readonly TargetObservation[] {
    return [...new Set(names)].flatMap((name) => this.#seen.get(name) ?? []);
  }

  #enter({ machine, observation }: ReevaluatedMachine): void {
    const { name } = machine.metadata;
    if (!observation) return this.#leave(name);
    if (!this.#seen.has(name)) this.#names = undefined;
    this.#seen.set(name, observation);
    const node = nodeOf(machine);
    this.#onNode.set(node, (this.#onNode.get(node) ?? new Set()).add(name));
    if (needsNoAttention(observation)) this.#open.delete(name);
    else this.#open.add(name);
  }

  #leave(name: string): void {
    const seen = this.#seen.get(name);
    if (!seen) return;
    this.#seen.delete(name);
    this.#open.delete(name);
    this.#names = undefined;
    const onSameNode = this.#onNode.get(nodeOf(seen.target.machine));
    onSameNode?.delete(name);
    if (onSameNode?.size === 0) this.#onNode.delete(nodeOf(seen.target.machine));
  }
}

const nodeOf = ({ status }: Machine): string => status?.nodeRef?.name ?? '';

const isSameRest = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && now.every((thing, i) => thing === before[i]);

/** Healthy, on a Node of the local cluster, selected by no other check, and without a remediation: nothing to do until an object changes. */
const needsNoAttention = ({ verdict, others, hasExternalCondition, target: { node, cluster } }: TargetObservation): boolean =>
  verdict.kind === 'healthy' && others.length === 0 && hasExternalCondition !== true && node.kind === 'there' && cluster.kind === 'local';
