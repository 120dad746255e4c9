import { ConfigMap } from '../../api/builtin/index.ts';
import type { ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { toTime } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { unlessOvertaken } from '../orchestrator/fake-controller.ts';
import type { Facts } from './workload-facts.ts';
import { hasPods, requestName, SHOP, targetOf, type AlertState, type Deed, type Plot, type PodState, type Workload } from './plot.ts';
import { setNode, setPods } from './pods.ts';
import { editOf, placeOrder, reportResolved, RESOURCES, settingsDraft, settingsName, workloadDraft } from './world.ts';

/** Everything from outside: orders, the course of pods and alerts, and the actions of people. It fails with no process. */
export class Outside {
  readonly #simulation: Simulation;
  readonly #facts: Facts;

  constructor(simulation: Simulation, facts: Facts) {
    this.#simulation = simulation;
    this.#facts = facts;
  }

  /** Plans the whole plot; what is so from the start is so at once. */
  async play({ workloads }: Plot): Promise<void> {
    for (const workload of workloads) {
      for (const { atMs, to } of workload.pods) await this.#at(atMs, 'kubelet', () => this.#letPodsBe(workload, to));
      for (const { atMs, to } of workload.alert) await this.#at(atMs, 'alerts', () => this.#letAlertBe(workload, to));
      for (const { atMs, to } of workload.deeds) this.#simulation.later(atMs, 'person', () => this.#do(workload, to));
      for (const [index, { atMs }] of workload.orders.entries())
        this.#simulation.later(atMs, 'orchestrator', () => this.#order(workload, index));
    }
  }

  async #at(atMs: number, who: string, work: () => Promise<void>): Promise<void> {
    if (atMs === 0) await work();
    else this.#simulation.later(atMs, who, work);
  }

  async #letPodsBe(workload: Workload, state: PodState): Promise<void> {
    this.#note('kubelet', `${workload.name}'s pods are ${state}`);
    this.#facts.of(workload).pods.set(this.#facts.now(), state);
    if (hasPods(workload)) await setPods(this.#simulation.admin, workload.name, state, this.#facts.now());
    await this.#letNodeBe(workload);
  }

  /** Its kubelet reports, also about a Node that another client has made again. */
  async #letNodeBe({ name, kind }: Workload): Promise<void> {
    const state = this.#facts.of({ name }).pods.at(this.#facts.now());
    if (kind !== 'Node' || state === undefined) return;
    await unlessOvertaken(() => setNode(this.#simulation.admin, name, state, this.#facts.now()));
  }

  /** That it is over, the gateway hears too. */
  async #letAlertBe(workload: Workload, state: AlertState): Promise<void> {
    this.#note('alerts', `${workload.name}'s is ${state}`);
    this.#facts.of(workload).alert.set(this.#facts.now(), state);
    if (state !== 'silent') return;
    for (const index of workload.orders.keys())
      await unlessOvertaken(() => reportResolved(this.#simulation.admin, requestName(workload, index), toTime(this.#facts.now())));
  }

  async #order(workload: Workload, index: number): Promise<void> {
    const order = workload.orders[index];
    if (!order) return;
    const applied = this.#facts.of(workload).state.at(this.#facts.now());
    const isThere = applied?.startsWith('sha256:') ?? false;
    await placeOrder(this.#simulation.admin, {
      request: requestName(workload, index),
      workload,
      order,
      applied: isThere ? applied : undefined,
    });
  }

  #do(workload: Workload, deed: Deed): Promise<void> {
    this.#note('person', `does ${deed} to ${workload.name}`);
    const { namespace = '', name } = targetOf(workload);
    const resource = RESOURCES[workload.kind];
    return resource ? this.#change({ workload, resource, key: { namespace, name } }, deed) : Promise.resolve();
  }

  async #change(place: Place, deed: Deed): Promise<void> {
    const { workload, resource, key } = place;
    const client = this.#simulation.admin;
    const merge = (body: object) => client.patch(resource, key, { type: 'merge', body });
    const settings = { namespace: SHOP, name: settingsName(workload.name) };
    switch (deed) {
      case 'edit':
        return unlessOvertaken(() => merge(editOf(workload)));
      case 'touch':
        return unlessOvertaken(() => merge({ metadata: { annotations: { seen: 'true' } } }));
      case 'settings':
        return unlessOvertaken(() => client.patch(ConfigMap, settings, { type: 'merge', body: { data: { level: 'debug' } } }));
      case 'dropSettings':
        return unlessOvertaken(() => client.delete(ConfigMap, settings));
      case 'remove':
        return unlessOvertaken(() => client.delete(resource, key));
      case 'replace':
      case 'replaceEdited':
        await unlessOvertaken(() => client.delete(resource, key));
        await unlessOvertaken(() => client.create(resource, workloadDraft(workload)));
        await this.#letNodeBe(workload);
        return deed === 'replaceEdited' ? unlessOvertaken(() => merge(editOf(workload))) : undefined;
      case 'revert':
        return this.#revert(place);
    }
  }

  async #revert({ workload, resource, key }: Place): Promise<void> {
    const client = this.#simulation.admin;
    const { spec } = workloadDraft(workload) as { readonly spec?: unknown };
    const settings = settingsDraft(workload.name);
    await unlessOvertaken(() => client.create(ConfigMap, settings));
    await unlessOvertaken(() =>
      client.patch(ConfigMap, { namespace: SHOP, name: settings.metadata.name ?? '' }, { type: 'merge', body: { data: settings.data } }),
    );
    await unlessOvertaken(async () => {
      await client.create(resource, workloadDraft(workload));
      await this.#letNodeBe(workload);
    });
    await unlessOvertaken(() => client.patch(resource, key, { type: 'merge', body: { spec } }));
  }

  #note(who: string, what: string): void {
    this.#simulation.journal.note(who, () => what);
  }
}

interface Place {
  readonly workload: Workload;
  readonly resource: Resource;
  readonly key: ObjectKey;
}
