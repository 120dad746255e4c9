import { DaemonSet, isControlPlaneNode, isCordoned, Node, Pod, PodDisruptionBudget } from '../../api/builtin/index.ts';
import { keyOf, type Draft } from '../../api/meta.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { SECOND } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace, NAMESPACE, nodeKey, quietly, readyOf } from '../machines/fleet.ts';
import type { PodKind } from './plot.ts';

/** How long pods are given to end. */
const GRACE_SECONDS = 20;

/** How many pods of a kind may go at the same time; kinds that are not here are under no disruption budget. */
const ALLOWED: Partial<Record<PodKind, number>> = { guarded: 1, stuck: 0 };

const kindOf = ({ metadata }: Pod): PodKind => metadata.labels?.['kind'] as PodKind;

/** Plays the scheduler, the kubelets as far as pods go, what keeps workloads at their size, and what keeps disruption budgets. */
export class Workload {
  readonly #simulation: Simulation;
  /** Pods that the world itself deleted, by UID. */
  readonly removed = new Set<string>();
  #made = 0;
  /** UID of what runs on every Node. */
  #agent = '';

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    simulation.mirror.onChange(({ resource, before, after }) => {
      if (resource === Pod) this.#podChanged(before as Pod | undefined, after as Pod | undefined);
      if (resource === Node && before && !after) this.#later(2 * SECOND, () => this.#collect(before.metadata.name));
    });
  }

  async build(kinds: readonly PodKind[]): Promise<void> {
    for (const kind of new Set(kinds)) if (ALLOWED[kind] !== undefined) await this.#putBudget(kind);
    const { metadata } = await this.#simulation.admin.create(DaemonSet, {
      apiVersion: apiVersionOf(DaemonSet),
      kind: DaemonSet.kind,
      metadata: inNamespace('agent'),
      spec: { selector: { matchLabels: { kind: 'daemon' } }, template: { metadata: {}, spec: CONTAINERS } },
    });
    this.#agent = metadata.uid;
    for (const [i, kind] of kinds.entries()) this.#later(8 * SECOND, () => this.#place(kind, i));
  }

  #podChanged(before: Pod | undefined, after: Pod | undefined): void {
    if (before && !after) {
      if (kindOf(before) !== 'daemon') this.#later(3 * SECOND, () => this.#place(kindOf(before)));
      this.#later(SECOND, () => this.#allow(kindOf(before)));
      return;
    }
    if (after?.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined)
      this.#later(8 * SECOND, () => this.#end(after));
  }

  /** A pod that should end does, if its kubelet is in reach; else its controller checks it again. */
  async #end(pod: Pod): Promise<void> {
    const { mirror, admin } = this.#simulation;
    if (mirror.get(Pod, keyOf(pod))?.metadata.uid !== pod.metadata.uid) return;
    const node = mirror.get(Node, nodeKey(pod.spec?.nodeName ?? ''));
    if (node && readyOf(node) === 'Unknown') return this.#later(10 * SECOND, () => this.#end(pod));
    this.removed.add(pod.metadata.uid);
    await quietly(admin.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0 }));
  }

  /** Pods go with the Node that they were on. */
  async #collect(node: string): Promise<void> {
    const { mirror, admin } = this.#simulation;
    for (const pod of mirror.all(Pod).filter(({ spec }) => spec?.nodeName === node)) {
      this.removed.add(pod.metadata.uid);
      await quietly(admin.delete(Pod, keyOf(pod), { gracePeriodSeconds: 0 }));
    }
  }

  /** On a Node that is open: one after the other at first, by chance later. */
  async #place(kind: PodKind, index: number = this.#simulation.random.int(100)): Promise<void> {
    const { mirror, admin } = this.#simulation;
    const open = mirror.all(Node).filter((node) => !isCordoned(node) && !isControlPlaneNode(node) && readyOf(node) === 'True');
    if (open.length === 0) return this.#later(10 * SECOND, () => this.#place(kind, index));
    const name = `${kind}-${++this.#made}`;
    await quietly(admin.create(Pod, this.#podOf(name, kind, open[index % open.length]!.metadata.name)));
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await quietly(admin.patchStatus(Pod, inNamespace(name), { type: 'merge', body: { status } }));
  }

  async #putBudget(kind: PodKind): Promise<void> {
    await this.#simulation.admin.create(PodDisruptionBudget, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: inNamespace(kind),
      spec: { selector: { matchLabels: { kind } }, maxUnavailable: ALLOWED[kind] ?? 0 },
    });
    await this.#allow(kind);
  }

  async #allow(kind: PodKind): Promise<void> {
    const disruptionsAllowed = ALLOWED[kind];
    if (disruptionsAllowed === undefined) return;
    const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    await quietly(this.#simulation.admin.patchStatus(PodDisruptionBudget, inNamespace(kind), { type: 'merge', body: { status } }));
  }

  #later(ms: number, action: () => Promise<void>): void {
    this.#simulation.later(SECOND + this.#simulation.random.int(ms), 'workload', action);
  }

  #podOf(name: string, kind: PodKind, nodeName: string): Draft<Pod> {
    const owner = { apiVersion: apiVersionOf(DaemonSet), kind: DaemonSet.kind, name: 'agent', uid: this.#agent, controller: true };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: NAMESPACE, name, labels: { kind }, ...(kind === 'daemon' && { ownerReferences: [owner] }) },
      spec: { nodeName, ...CONTAINERS, terminationGracePeriodSeconds: GRACE_SECONDS },
    };
  }
}

const CONTAINERS = { containers: [{ name: 'main', image: 'web' }] };
