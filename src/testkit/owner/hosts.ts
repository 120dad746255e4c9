import { Node } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { LABELS } from '../../api/well-known.ts';
import { SECOND, toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { NAMESPACE, nodeKey, quietly, readyOf } from '../machines/fleet.ts';
import type { HostPlan } from './plot.ts';

export const POOL = 'workers';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

type Ready = 'True' | 'False' | 'Unknown';

/** Fakes hosts and their kubelets: they register their Nodes by themselves, and again when a Node is deleted. */
export class Hosts {
  readonly #simulation: Simulation;
  readonly #plans: readonly HostPlan[];
  /** How each host is that is there. */
  readonly #health = new Map<string, Ready>();
  /** Nodes whose label an operator removed: the kubelet does not restore it. */
  readonly #unlabelled = new Set<string>();
  /** Nodes that people deleted, by UID. */
  readonly lost = new Set<string>();
  /** Nodes that people closed, by name. */
  readonly closed = new Set<string>();

  constructor(simulation: Simulation, plans: readonly HostPlan[]) {
    this.#simulation = simulation;
    this.#plans = plans;
    simulation.mirror.onChange(({ resource, before, after }) => {
      if (resource !== Node || !before || after) return;
      simulation.later(2 * SECOND + simulation.random.int(20 * SECOND), 'kubelet', () => this.#register(before.metadata.name));
    });
  }

  async build(): Promise<void> {
    for (const { name, isLate } of this.#plans) if (!isLate) await this.bring(name);
  }

  async bring(name: string): Promise<void> {
    if (!this.#health.has(name)) this.#health.set(name, 'True');
    await this.#register(name);
  }

  /** What the Node reports from now on. A host that is out of reach registers nothing. */
  async turn(name: string, ready: Ready): Promise<void> {
    if (!this.#health.has(name) || (ready === 'True' && this.#isLost(name))) return;
    this.#health.set(name, ready);
    await this.#register(name);
    await this.#report(name);
  }

  /** As long as it is in use: once its Node is gone an operator sets it up again. */
  #isLost(name: string): boolean {
    const isHopeless = this.#plans.some((plan) => plan.name === name && plan.isHopeless);
    return isHopeless && this.#health.get(name) !== 'True' && this.#simulation.mirror.get(Node, nodeKey(name)) !== undefined;
  }

  async #register(name: string): Promise<void> {
    const { admin, mirror } = this.#simulation;
    const plan = this.#plans.find((one) => one.name === name);
    if (!plan || this.#health.get(name) === undefined || mirror.get(Node, nodeKey(name)) || !this.#isInReach(name)) return;
    await quietly(admin.create(Node, this.#node(plan)));
    await this.#report(name);
  }

  /** A host that was taken down comes back as it was set up; one that is out of reach when the network is repaired. */
  #isInReach(name: string): boolean {
    const isHopeless = this.#plans.some((plan) => plan.name === name && plan.isHopeless);
    if (isHopeless || this.#health.get(name) === 'False') this.#health.set(name, 'True');
    return this.#health.get(name) === 'True';
  }

  #node({ name, isControlPlane }: HostPlan): Draft<Node> {
    const labels = {
      ...(!this.#unlabelled.has(name) && { [LABELS.machinePool]: POOL }),
      [LABELS.machinePoolNamespace]: NAMESPACE,
      ...(isControlPlane && { [CONTROL_PLANE]: '' }),
    };
    return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
  }

  async #report(name: string): Promise<void> {
    const { admin, mirror, time } = this.#simulation;
    const status = this.#health.get(name);
    if (readyOf(mirror.get(Node, nodeKey(name))) === status) return;
    const now = toTime(time.now());
    const conditions = [{ type: 'Ready', status, reason: `Kubelet${status}`, lastTransitionTime: now, lastHeartbeatTime: now }];
    await quietly(admin.patchStatus(Node, nodeKey(name), { type: 'merge', body: { status: { conditions } } }));
  }

  /** An operator deletes the Node and leaves the host as it is. */
  async lose(name: string): Promise<void> {
    const node = this.#simulation.mirror.get(Node, nodeKey(name));
    if (!node) return;
    this.lost.add(node.metadata.uid);
    await quietly(this.#simulation.admin.delete(Node, nodeKey(name)));
  }

  async label(name: string, isLabelled: boolean): Promise<void> {
    if (isLabelled) this.#unlabelled.delete(name);
    else this.#unlabelled.add(name);
    await this.#patch(name, { metadata: { labels: { [LABELS.machinePool]: isLabelled ? POOL : null } } });
  }

  async cordon(name: string, isClosed: boolean): Promise<void> {
    if (isClosed) this.closed.add(name);
    else this.closed.delete(name);
    await this.#patch(name, { spec: { unschedulable: isClosed ? true : null } });
  }

  #patch(name: string, body: object): Promise<void> {
    return quietly(this.#simulation.admin.patch(Node, nodeKey(name), { type: 'merge', body }));
  }

  /** Every Node exists, is healthy, and is in the pool. */
  async repair(): Promise<void> {
    for (const { name } of this.#plans) {
      await this.bring(name);
      await this.turn(name, 'True');
      if (this.#unlabelled.has(name)) await this.label(name, true);
    }
  }
}
