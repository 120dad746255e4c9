import { CustomResourceDefinition, Namespace, Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { HOUR, SECOND, type Random } from '../../base/index.ts';
import { createMachineHealthControllers } from '../../controllers/machine-health/index.ts';
import type { Controller } from '../../runtime/controller.ts';
import { SIMULATION_START, type Simulation } from '../../simulation/index.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { endOf, unsettled } from './ended.ts';
import { Fleet, NAMESPACE } from './fleet.ts';
import { watchOver } from './invariants.ts';
import { CRDS, MachineSet, REMEDIES } from './kinds.ts';
import { Person } from './person.ts';
import { drawPlot, FEW, type Plot } from './plot.ts';
import { playOwner, playRemediators } from './remediators.ts';
import { Testimony } from './testimony.ts';
import { standAtTheDoor } from './wire.ts';

/** What is made of the right controllers. */
export type Mistake = (right: readonly Controller[]) => readonly Controller[];

interface Story {
  readonly name: string;
  readonly plot: (random: Random) => Plot;
  readonly mistake?: Mistake;
}

/** Nothing new happens after this: somebody has put right what can be. */
const CALM_MS = 240 * SECOND;

/** Machines that fail, and checks that hand them out. */
export function machinesUnder({ name, plot, mistake = (right) => right }: Story): Scenario {
  // Runs come one after the other: this is the one that is under way.
  let current: Testimony | undefined;
  return {
    name,
    replicas: ['r1', 'r2'],
    // Requests are never watched: whoever needs one asks the server whether it is there, and the name keeps it single.
    raced: Object.values(REMEDIES).map(({ plural }) => plural),
    boot: (env) =>
      bootProcess({
        controllers: () => mistake(createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }))).map(current!.overhear),
      })(env),
    async prepare(simulation) {
      await simulation.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
      for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
      for (const resource of [Machine, MachineHealthCheck, Node, MachineSet, ...Object.values(REMEDIES)]) await simulation.follow(resource);
      current = new Testimony(simulation);
      watchOver(simulation, current);
      standAtTheDoor(simulation, current);
      await begin(simulation, plot(simulation.random));
    },
    settled: (simulation) => simulation.time.now() > SIMULATION_START + CALM_MS && unsettled(simulation).length === 0,
    verdict: () => [],
    endState: endOf,
    faultsForMs: 180 * SECOND,
    deadlineMs: 2 * HOUR,
  };
}

async function begin(simulation: Simulation, plot: Plot): Promise<void> {
  const fleet = new Fleet(simulation, plot.machines);
  playRemediators(simulation, fleet);
  playOwner(simulation, fleet);
  await fleet.build();
  const person = new Person(simulation, fleet, plot);
  await person.begin();
  simulation.later(CALM_MS, 'person', () => person.tidyUp());
}

/** A world by chance. */
export const machines: Scenario = machinesUnder({ name: 'machines', plot: drawPlot });

/** The same world every time, small enough to try every fault at every step. */
export const fewMachines: Scenario = machinesUnder({ name: 'machines-few', plot: () => FEW });
