import { Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { SECOND, type Instant } from '../../base/index.ts';
import type { CheckObservation } from '../../controllers/machine-health/check/observe-check.ts';
import type { Controller, Decision, Reader } from '../../runtime/reconcile/controller.ts';
import type { Simulation } from '../../simulation/index.ts';
import { nodeKey } from './fleet.ts';
import { REMEDIES } from './kinds.ts';
import type { Seen } from './oracle.ts';

/** All that was true at one moment. */
export interface Moment {
  readonly at: Instant;
  readonly seen: readonly Seen[];
  readonly checks: readonly MachineHealthCheck[];
  /** Those of the other kinds that the story is about. */
  all<T extends KubeObject>(resource: Resource<T>): readonly T[];
}

/** What a reconciler decided, on which version of its subject, and what it had seen of the Machines. */
export interface Decided {
  readonly version: string;
  readonly now: Instant;
  readonly decision: Decision;
  readonly seen: readonly Seen[];
}

/** How far back a decision may rest when nothing goes wrong: a check is looked at once a second. */
const USUAL_REACH_MS = 5 * SECOND;

/** The same under faults: events are late by half a minute, a request by twenty seconds, a process freezes for a minute and a half. */
const REACH_MS = 180 * SECOND;

/** The simulation's own record of all states and decisions: no controller can write it. */
export class Testimony {
  readonly #simulation: Simulation;
  #moments: Moment[] = [];
  /** UID of the subject → decisions about it. */
  readonly #decided = new Map<string, Decided[]>();
  /** UIDs of Machines that something was wrong with at some time. */
  readonly everIll = new Set<string>();

  readonly #others: readonly Resource[];

  constructor(simulation: Simulation, others: readonly Resource[] = []) {
    this.#simulation = simulation;
    this.#others = others;
    const concerned = new Set<Resource>([Machine, Node, MachineHealthCheck, ...others]);
    simulation.mirror.onChange(({ resource }) => {
      if (concerned.has(resource)) this.#note();
    });
  }

  /** What was true at some time within the reach of a decision whose effect is seen now. */
  get reach(): readonly Moment[] {
    const isUsual = this.#simulation.injected.length === 0;
    const since = this.#simulation.time.now() - USUAL_REACH_MS;
    return isUsual ? this.#moments.slice(Math.max(0, this.#moments.findIndex(({ at }) => at > since) - 1)) : this.#moments;
  }

  get present(): Moment {
    const last = this.#moments.at(-1);
    if (!last) throw new Error('nothing has happened yet');
    return last;
  }

  /** Whether a watch has lost events silently: until the next list the process cannot notice. */
  get isMisled(): boolean {
    return this.#simulation.injected.some(({ fault }) => fault.kind === 'DroppedEvents');
  }

  decisionsOn(uid: string, version: string): readonly Decided[] {
    return (this.#decided.get(uid) ?? []).filter((one) => one.version === version);
  }

  /** Writes down what the reconciler decides, and what it could see then. */
  overhear = (controller: Controller): Controller => {
    const views = new WeakMap<object, readonly Seen[]>();
    return {
      ...controller,
      ...(controller.primary === MachineHealthCheck && {
        observe: async (key, reader, now) => {
          const view = viewOf(reader);
          const observed = await controller.observe(key, reader, now);
          if (observed) views.set(observed, view);
          return observed;
        },
      }),
      decide: (observed, now) => {
        const decision = controller.decide(observed, now);
        const { uid, resourceVersion } = observed.object.metadata;
        const all = this.#decided.get(uid) ?? [];
        all.push({ version: resourceVersion, now, decision, seen: countedIn(observed, views.get(observed) ?? []) });
        if (all.length > 50) all.shift();
        this.#decided.set(uid, all);
        return decision;
      },
    };
  };

  #note(): void {
    const { mirror, time } = this.#simulation;
    const at = time.now();
    const seen = mirror.all(Machine).map((machine) => {
      const node = machine.status?.nodeRef?.name === undefined ? undefined : mirror.get(Node, nodeKey(machine.status.nodeRef.name));
      if (!isWell(machine, node)) this.everIll.add(machine.metadata.uid);
      return { machine, node };
    });
    const others = new Map(this.#others.map((resource) => [resource, mirror.all(resource)]));
    const all = <T extends KubeObject>(resource: Resource<T>): readonly T[] =>
      (others.get(resource) ?? []) as readonly KubeObject[] as readonly T[];
    this.#moments.push({ at, seen, checks: mirror.all(MachineHealthCheck), all });
    // The last one before the reach still was true within it.
    const first = this.#moments.findIndex((moment) => moment.at > at - REACH_MS);
    if (first > 1) this.#moments = this.#moments.slice(first - 1);
  }
}

const isWell = ({ metadata, status }: Machine, node: Node | undefined): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.nodeRef?.name !== undefined &&
  node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';

/** All Machines and their Nodes, as a reconciler's process has them. */
function viewOf(reader: Reader): readonly Seen[] {
  const machines = reader.list(Machine);
  const nodes = reader.list(Node);
  if (machines.kind !== 'value' || nodes.kind !== 'value') return [];
  const byName = new Map(nodes.value.map((node) => [node.metadata.name, node]));
  return machines.value.map((machine) => ({ machine, node: byName.get(machine.status?.nodeRef?.name ?? '') }));
}

/** Those of them that the reconciler of a check counted. */
function countedIn(observed: object, view: readonly Seen[]): readonly Seen[] {
  const names = new Set((observed as Partial<CheckObservation>).names);
  return view.filter(({ machine }) => names.has(machine.metadata.name));
}

/** Open requests for a Machine: not those on their way out. */
export const openRequests = ({ mirror }: Simulation, { metadata }: Machine): readonly KubeObject[] =>
  Object.values(REMEDIES)
    .flatMap((resource) => mirror.get(resource, { namespace: metadata.namespace ?? '', name: metadata.name }) ?? [])
    .filter((request) => request.metadata.deletionTimestamp === undefined);
