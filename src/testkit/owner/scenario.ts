import { Cluster, ConfigMap, CustomResourceDefinition, Namespace, Node, Pod } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { MachineSet } from '../../api/machine-set/machine-set.ts';
import { Machine } from '../../api/machine/machine.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { deepFreeze, HOUR, SECOND, type Random } from '../../base/index.ts';
import { createMachineHealthControllers } from '../../controllers/machine-health/index.ts';
import { clusterDefinition } from '../../controllers/machine-health/testing/cluster-definition.ts';
import { createEvictPod, createMachineOwnerControllers, EVICT_POD } from '../../controllers/machine-owner/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START, type Boot, type Simulation } from '../../simulation/index.ts';
import { NAMESPACE } from '../machines/fleet.ts';
import { watchOver } from '../machines/invariants.ts';
import { Testimony } from '../machines/observation-log.ts';
import { standAtTheDoor } from '../machines/write-invariants.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { endOf, unsettled } from './ended.ts';
import { Hosts } from './hosts.ts';
import { watchOverOwner } from './invariants.ts';
import { Person } from './person.ts';
import { drawPlot, FEW, hasClusters, type Plot } from './plot.ts';
import { SETTINGS } from './settings.ts';
import { OwnersDoor } from './wire.ts';
import { Workload } from './workload.ts';

/** What is made of the right owner. */
export type Mistake = (right: readonly Controller[]) => readonly Controller[];

interface Story {
  readonly name: string;
  readonly plot: (random: Random) => Plot;
  readonly mistake?: Mistake;
  /** Nothing new happens after this: writes that faults delayed have arrived, and an operator has repaired what can be repaired. */
  readonly calmMs?: number;
}

const CRDS = [Machine, MachineHealthCheck, MachineSet, WorkflowExecution].map((resource) => deepFreeze(crdOf(resource)));
const CLUSTERS = deepFreeze(clusterDefinition);

/** What a run consists of. */
interface Stage {
  readonly testimony: Testimony;
  readonly door: OwnersDoor;
}

/** Machines that fail, checks that hand them to their owner, and the owner. */
export function ownerUnder({ name, plot, mistake = (right) => right, calmMs = 215 * SECOND }: Story): Scenario {
  // Runs come one after the other: this is the one that is under way.
  let stage: Stage | undefined;
  return {
    name,
    replicas: ['r1', 'r2'],
    // The ledger is never watched: its name keeps it single.
    raced: [ConfigMap.plural],
    boot: (env) => processUnder(mistake, stage!)(env),
    async prepare(simulation) {
      for (const namespace of [NAMESPACE, SETTINGS.namespace])
        await simulation.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
      for (const resource of [Machine, MachineHealthCheck, Node, MachineSet, Pod, ConfigMap]) await simulation.follow(resource);
      const story = plot(simulation.random);
      if (hasClusters(story)) await defineClusters(simulation);
      stage = await begin(simulation, story, calmMs);
    },
    settled: (simulation) => simulation.time.now() > SIMULATION_START + calmMs && unsettled(simulation).length === 0,
    endState: endOf,
    faultsForMs: 120 * SECOND,
    deadlineMs: 2 * HOUR,
  };
}

/** Where the server has no such kind, the cluster that a Machine names is the local one; where it has, none may be named for that. */
async function defineClusters(simulation: Simulation): Promise<void> {
  await simulation.admin.create(CustomResourceDefinition, CLUSTERS);
  await simulation.follow(Cluster);
}

/** A process with the reconcilers that are about Machines, and beside them the owner, with a client and a cache of its own. */
const processUnder = (mistake: Mistake, { testimony, door }: Stage): Boot =>
  bootProcess({
    controllers: () =>
      createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { keepsMachineSets: true }).map(testimony.overhear),
    beside: {
      controllers: () => mistake(createMachineOwnerControllers(() => SETTINGS)),
      wrapTransport: door.sign,
      calls: (env, client) => ({ [EVICT_POD]: createEvictPod({ client, log: env.log }) }),
    },
  });

async function begin(simulation: Simulation, plot: Plot, calmMs: number): Promise<Stage> {
  const testimony = new Testimony(simulation, [MachineSet, Cluster, Node, Pod]);
  const hosts = new Hosts(simulation, plot.hosts);
  const workload = new Workload(simulation);
  const person = new Person(simulation, hosts, plot);
  const door = new OwnersDoor(simulation);
  watchOver(simulation, testimony);
  standAtTheDoor(simulation, testimony, door.isOwners);
  watchOverOwner({
    simulation,
    testimony,
    hands: { machines: person.deleted, nodes: hosts.lost, pods: workload.removed, closed: hosts.closed, drained: door.drained },
  });
  await hosts.build();
  await person.begin();
  await workload.build(plot.pods);
  simulation.later(calmMs, 'person', () => person.tidyUp());
  return { testimony, door };
}

/** A world by chance. */
export const owner: Scenario = ownerUnder({ name: 'owner', plot: drawPlot });

/** The same world every time, small enough to try every fault at every step. */
export const fewOwner: Scenario = ownerUnder({ name: 'owner-few', plot: () => FEW, calmMs: 120 * SECOND });
