import { Cluster, isCordoned, Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { keyOf, type Draft, type KubeObject } from '../../api/meta.ts';
import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import { assertNever } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace, quietly } from '../machines/fleet.ts';
import { POOL, type Hosts } from './hosts.ts';
import { stayingOf } from './judge.ts';
import { hasClusters, type Act, type PauseTarget, type Plot, type SetPlan } from './plot.ts';

/** The local cluster, where the server has no Clusters. */
const HERE = 'here';
export const ELSEWHERE = 'there';

/** Plays the network and the people: all that happens to Nodes, Machines, sets and checks without Sickbay. */
export class Person {
  readonly #simulation: Simulation;
  readonly #hosts: Hosts;
  readonly #plot: Plot;
  /** Machines that people deleted, by UID. */
  readonly deleted = new Set<string>();

  constructor(simulation: Simulation, hosts: Hosts, plot: Plot) {
    this.#simulation = simulation;
    this.#hosts = hosts;
    this.#plot = plot;
  }

  async begin(): Promise<void> {
    const { admin } = this.#simulation;
    const areNamed = !hasClusters(this.#plot);
    if (!areNamed) await this.#putCluster(true);
    for (const set of this.#plot.sets) await admin.create(MachineSet, setOf(set, areNamed ? HERE : undefined));
    for (const { name, version, spec } of this.#plot.checks) {
      const resource = { ...MachineHealthCheck, version };
      await admin.create(resource, { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: inNamespace(name), spec } as never);
    }
    for (const act of this.#plot.acts) this.#simulation.later(act.afterMs, 'person', () => this.#do(act));
  }

  /** An operator repairs what can be repaired: which Machines are too many is for a person to say. */
  async tidyUp(): Promise<void> {
    const { mirror } = this.#simulation;
    await this.#hosts.repair();
    await this.#endPauses();
    for (const node of mirror.all(Node).filter(isCordoned)) await this.#hosts.cordon(node.metadata.name, false);
    for (const set of mirror.all(MachineSet)) {
      const staying = stayingOf(set, mirror.all(Machine));
      for (const machine of staying.slice(0, Math.max(0, staying.length - (set.spec.replicas ?? 1)))) await this.#delete(machine);
    }
  }

  async #endPauses(): Promise<void> {
    for (const resource of [MachineSet, MachineHealthCheck, Machine] as readonly Resource[])
      for (const { metadata } of this.#simulation.mirror.all(resource)) await this.#endPause(resource, metadata);
    await this.#pauseCluster(false);
  }

  async #endPause(resource: Resource, { name, annotations = {} }: KubeObject['metadata']): Promise<void> {
    for (const annotation of [ANNOTATIONS.paused, ANNOTATIONS.skipRemediation])
      if (annotation in annotations) await this.#annotate(resource, name, { [annotation]: null });
  }

  #do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'failNode':
        return this.#forAWhile(
          act.forMs,
          () => this.#hosts.turn(act.host, act.ready),
          () => this.#hosts.turn(act.host, 'True'),
        );
      case 'loseNode':
        return this.#hosts.lose(act.host);
      case 'pause':
        return this.#pause(act.target, act.forMs);
      case 'scale':
        return this.#patch(MachineSet, act.set, { spec: { replicas: act.replicas } });
      case 'deleteMachine':
        return this.#delete(this.#machineOn(act.host));
      case 'unlabel':
        return this.#forAWhile(
          act.forMs,
          () => this.#hosts.label(act.host, false),
          () => this.#putBack(act.host),
        );
      case 'cordon':
        return this.#forAWhile(
          act.forMs,
          () => this.#hosts.cordon(act.host, true),
          () => this.#hosts.cordon(act.host, false),
        );
      case 'bring':
        return this.#hosts.bring(act.host);
      case 'cluster':
        return this.#putCluster(act.isThere);
      default:
        return assertNever(act);
    }
  }

  async #forAWhile(forMs: number | undefined, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
    await begin();
    if (forMs !== undefined) this.#simulation.later(forMs, 'person', end);
  }

  /** Into the pool again, and uncordoned, as the Event `NodeLeft` asks for. */
  async #putBack(host: string): Promise<void> {
    await this.#hosts.cordon(host, false);
    await this.#hosts.label(host, true);
  }

  #pause(target: PauseTarget, forMs: number): Promise<void> {
    const pausing = this.#pausing(target);
    return this.#forAWhile(
      forMs,
      () => pausing(true),
      () => pausing(false),
    );
  }

  #pausing(target: PauseTarget): (isPaused: boolean) => Promise<void> {
    switch (target.what) {
      case 'set':
        return (isPaused) => this.#annotate(MachineSet, target.name, { [ANNOTATIONS.paused]: isPaused ? '' : null });
      case 'check':
        return (isPaused) => this.#annotate(MachineHealthCheck, target.name, { [ANNOTATIONS.paused]: isPaused ? '' : null });
      case 'cluster':
        return (isPaused) => this.#pauseCluster(isPaused);
      case 'machine': {
        const name = this.#machineOn(target.host)?.metadata.name ?? '';
        if (name === '') return () => Promise.resolve();
        return (isPaused) => this.#annotate(Machine, name, { [`cluster.x-k8s.io/${target.how}`]: isPaused ? '' : null });
      }
      default:
        return assertNever(target);
    }
  }

  #putCluster(isThere: boolean): Promise<void> {
    const { admin } = this.#simulation;
    const key = inNamespace(ELSEWHERE);
    if (!isThere) return quietly(admin.delete(Cluster, key));
    return quietly(admin.create(Cluster, { apiVersion: apiVersionOf(Cluster), kind: Cluster.kind, metadata: key }));
  }

  #pauseCluster(isPaused: boolean): Promise<void> {
    return this.#patch(Cluster, ELSEWHERE, { spec: { paused: isPaused } });
  }

  #machineOn(host: string): Machine | undefined {
    return this.#simulation.mirror.all(Machine).find(({ status }) => status?.nodeRef?.name === host);
  }

  async #delete(machine: Machine | undefined): Promise<void> {
    if (!machine || machine.metadata.deletionTimestamp !== undefined) return;
    this.deleted.add(machine.metadata.uid);
    await quietly(this.#simulation.admin.delete(Machine, keyOf(machine)));
  }

  #annotate(resource: Resource, name: string, annotations: object): Promise<void> {
    return this.#patch(resource, name, { metadata: { annotations } });
  }

  #patch(resource: Resource, name: string, body: object): Promise<void> {
    return quietly(this.#simulation.admin.patch(resource, inNamespace(name), { type: 'merge', body }));
  }
}

function setOf({ name, replicas, maxInFlight, isElsewhere }: SetPlan, here: string | undefined): Draft<MachineSet> {
  const clusterName = isElsewhere ? ELSEWHERE : here;
  return {
    apiVersion: apiVersionOf(MachineSet),
    kind: MachineSet.kind,
    metadata: inNamespace(name),
    spec: {
      ...(clusterName !== undefined && { clusterName }),
      replicas,
      selector: { matchLabels: { group: name } },
      template: { metadata: { labels: { group: name, [LABELS.machinePool]: POOL } }, spec: {} },
      ...(maxInFlight !== undefined && { remediation: { maxInFlight } }),
    },
  };
}
