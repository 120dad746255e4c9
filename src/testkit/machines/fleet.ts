import { Node } from '../../api/builtin/index.ts';
import { Machine } from '../../api/machine/machine.ts';
import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { hasCode, toTime } from '../../base/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Simulation } from '../../simulation/index.ts';
import { MachineSet } from './kinds.ts';
import type { MachinePlan } from './timeline.ts';

export const NAMESPACE = 'metal';
const OWNER = 'set';
/** The infrastructure provider holds a deleted Machine by a finalizer until it has removed the host. */
const HOST_FINALIZER = 'fix.example.com/host';

export const inNamespace = (name: string): ObjectKey => ({ namespace: NAMESPACE, name });
export const nodeKey = (name: string): ObjectKey => ({ namespace: '', name });

/** Fakes the hosts, the kubelets and the infrastructure provider that removes hosts. A Node has the name of its Machine. */
export class Fleet {
  readonly #simulation: Simulation;
  readonly #plans: ReadonlyMap<string, MachinePlan>;
  /** Machines that became unhealthy and that no actor can repair. */
  readonly #lost = new Set<string>();
  #replacements = 0;
  /** Whether the host of a Machine has power; without it there is no kubelet. */
  powerOf: (name: string) => string = () => 'On';

  constructor(simulation: Simulation, plans: readonly MachinePlan[]) {
    this.#simulation = simulation;
    this.#plans = new Map(plans.map((plan) => [plan.name, plan]));
    simulation.mirror.onChange(({ resource, after }) => {
      if (resource !== Machine || after?.metadata.deletionTimestamp === undefined) return;
      if (after.metadata.finalizers?.includes(HOST_FINALIZER)) this.#soon(20_000, () => this.#takeDown(after));
    });
  }

  async build(): Promise<void> {
    const { admin } = this.#simulation;
    await admin.create(MachineSet, { apiVersion: apiVersionOf(MachineSet), kind: MachineSet.kind, metadata: inNamespace(OWNER) });
    for (const plan of this.#plans.values()) await this.#add(plan);
  }

  async #add(plan: MachinePlan): Promise<void> {
    const { name, group, isOwned, nodeAfterMs } = plan;
    const { admin, mirror } = this.#simulation;
    const owner = isOwned ? mirror.get(MachineSet, inNamespace(OWNER)) : undefined;
    await admin.create(Machine, {
      apiVersion: apiVersionOf(Machine),
      kind: Machine.kind,
      metadata: {
        ...inNamespace(name),
        labels: { group },
        finalizers: [HOST_FINALIZER],
        ...(owner && {
          ownerReferences: [
            { apiVersion: apiVersionOf(MachineSet), kind: MachineSet.kind, name: OWNER, uid: owner.metadata.uid, controller: true },
          ],
        }),
      },
      spec: { clusterName: 'here' },
    });
    if (nodeAfterMs === undefined) await this.#join(name);
    else this.#simulation.later(nodeAfterMs, 'kubelet', () => this.#join(name));
  }

  /** The Node registers, and the Machine learns of it. */
  async #join(name: string): Promise<void> {
    if (!this.#machine(name)) return;
    await this.turn(name, 'True');
    if (this.#machine(name)?.status?.nodeRef?.name === undefined) await this.#write(Machine, inNamespace(name), { nodeRef: { name } });
  }

  /** The Node reports this state from now on; a Node that is gone registers again. */
  async turn(name: string, status: 'True' | 'False' | 'Unknown'): Promise<void> {
    if (!this.#machine(name) || (status === 'True' && this.powerOf(name) !== 'On')) return;
    if (status !== 'True') this.#fallIll(name);
    const node = this.#simulation.mirror.get(Node, nodeKey(name));
    if (!node && status !== 'True') return;
    if (readyOf(node) !== status) await this.#report(name, status, node);
  }

  async #report(name: string, status: string, node: Node | undefined): Promise<void> {
    const { admin, time } = this.#simulation;
    const now = toTime(time.now());
    const conditions = [{ type: 'Ready', status, reason: `Kubelet${status}`, lastTransitionTime: now, lastHeartbeatTime: now }];
    if (!node) await quietly(admin.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name } }));
    await this.#write(Node, nodeKey(name), { conditions });
  }

  #fallIll(name: string): void {
    if (this.#plans.get(name)?.isHopeless) this.#lost.add(name);
  }

  /** Makes the Node healthy, unless it cannot be repaired. */
  async mend(name: string): Promise<void> {
    if (this.#lost.has(name) || this.#machine(name)?.metadata.deletionTimestamp !== undefined) return;
    await this.turn(name, 'True');
  }

  async removeNode(name: string): Promise<void> {
    this.#fallIll(name);
    await quietly(this.#simulation.admin.delete(Node, nodeKey(name)));
  }

  async removeMachine(name: string): Promise<void> {
    if (this.#machine(name)) await quietly(this.#simulation.admin.delete(Machine, inNamespace(name)));
  }

  /** What a MachineSet does when remediation of a Machine is requested: it replaces the Machine. */
  async replace(name: string): Promise<void> {
    const plan = this.#plans.get(name) ?? [...this.#plans.values()][0]!;
    if (this.#machine(name)?.metadata.deletionTimestamp !== undefined) return;
    await this.removeMachine(name);
    const { isHopeless: _, nodeAfterMs: __, ...rest } = plan;
    await this.#add({ ...rest, name: `${name}-${++this.#replacements}` });
  }

  async #takeDown(seen: KubeObject): Promise<void> {
    const { name, uid } = seen.metadata;
    if (this.#machine(name)?.metadata.uid !== uid) return;
    await quietly(this.#simulation.admin.delete(Node, nodeKey(name)));
    await quietly(
      this.#simulation.admin.patch(Machine, inNamespace(name), { type: 'merge', body: { metadata: { uid, finalizers: null } } }),
    );
  }

  #machine(name: string): Machine | undefined {
    return this.#simulation.mirror.get(Machine, inNamespace(name));
  }

  #write(resource: Resource, key: ObjectKey, status: object): Promise<void> {
    return quietly(this.#simulation.admin.patchStatus(resource, key, { type: 'merge', body: { status } }));
  }

  #soon(ms: number, action: () => Promise<void>): void {
    this.#simulation.later(1_000 + this.#simulation.random.int(ms), 'host', action);
  }
}

export const readyOf = (node: Node | undefined): string | undefined =>
  node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

/** The object was deleted or changed meanwhile: there is none to record it on. */
export async function quietly(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!hasCode(error, 'NotFound') && !hasCode(error, 'Conflict') && !hasCode(error, 'AlreadyExists')) throw error;
  }
}
