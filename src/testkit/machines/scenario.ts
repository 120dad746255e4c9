import { ConfigMap, CustomResourceDefinition, Namespace, Node } from '../../api/builtin/index.ts';
import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { HOUR, SECOND, type Random } from '../../base/index.ts';
import { createMachineHealthControllers } from '../../controllers/machine-health/index.ts';
import {
  createPowerCalls,
  createPowerCycleController,
  POWER_CALL,
  CommandFailures,
} from '../../controllers/machine-remediation/power-cycle/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START, type Boot, type Simulation } from '../../simulation/index.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { endOf, unsettled } from './end-state.ts';
import { Fleet, NAMESPACE } from './fleet.ts';
import { Hosts, simulatedBmc } from './hosts.ts';
import { watchOver } from './invariants.ts';
import { CRDS, MachineSet, REMEDIES } from './kinds.ts';
import { Person } from './timeline-player.ts';
import { drawPlot, FEW, POWER, type Plot } from './timeline.ts';
import { halfDone, SETTINGS, watchHostsLeft, watchPower } from './power-invariants.ts';
import { playOwner, playRemediators } from './remediators.ts';
import { Testimony } from './observation-log.ts';
import { standAtTheDoor } from './write-invariants.ts';

/** How the correct controllers are changed. */
export type Mistake = (right: readonly Controller[]) => readonly Controller[];

interface Story {
  readonly name: string;
  readonly plot: (random: Random) => Plot;
  readonly mistake?: Mistake;
  /** Which of two checks is first, and so what kind of request there is, may rightly differ from run to run. */
  readonly isKindOpen?: true;
}

/** No new fault happens after this: everything that can be repaired is repaired. */
const CALM_MS = 240 * SECOND;

/** What a run consists of. */
interface Stage {
  readonly testimony: Testimony;
  readonly hosts: Hosts;
}

/** Machines that fail, and checks that request their remediation. */
export function machinesUnder({ name, plot, mistake = (right) => right, isKindOpen }: Story): Scenario {
  // Runs come one after the other: this is the one that is under way.
  let stage: Stage | undefined;
  return {
    name,
    replicas: ['r1', 'r2'],
    // The creator of requests does not watch them: it reads live whether one exists, and the name makes it unique. So with the ledger.
    raced: [...Object.values(REMEDIES).map(({ plural }) => plural), ConfigMap.plural],
    boot: (env) => processUnder(mistake, stage!)(env),
    async prepare(simulation) {
      for (const namespace of [NAMESPACE, SETTINGS.namespace])
        await simulation.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      for (const crd of CRDS) await simulation.admin.create(CustomResourceDefinition, crd);
      for (const resource of [Machine, MachineHealthCheck, Node, MachineSet, ...Object.values(REMEDIES)]) await simulation.follow(resource);
      stage = await begin(simulation, plot(simulation.random));
    },
    settled: (simulation) =>
      simulation.time.now() > SIMULATION_START + CALM_MS &&
      unsettled(simulation).length === 0 &&
      halfDone(simulation, stage!.hosts).length === 0,
    endState: (simulation) => ({ ...endOf(simulation, isKindOpen), halfDone: halfDone(simulation, stage!.hosts) }),
    faultsForMs: 180 * SECOND,
    deadlineMs: 2 * HOUR,
  };
}

/** A process with the reconcilers that are about Machines, and the power-cycle remediator. */
function processUnder(mistake: Mistake, { testimony }: Stage): Boot {
  const failures = new CommandFailures();
  return bootProcess({
    controllers: (env) =>
      mistake([
        ...createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }), { keepsMachineSets: true }),
        createPowerCycleController({ settings: () => SETTINGS, bmc: simulatedBmc(env), failures }) as Controller,
      ]).map(testimony.overhear),
    calls: (env, client) => ({
      [POWER_CALL]: createPowerCalls({
        client,
        settings: () => SETTINGS,
        log: env.log,
        clock: env.clock,
        bmc: simulatedBmc(env),
        failures,
      }),
    }),
  });
}

async function begin(simulation: Simulation, plot: Plot): Promise<Stage> {
  const testimony = new Testimony(simulation);
  watchOver(simulation, testimony);
  standAtTheDoor(simulation, testimony);
  const fleet = new Fleet(simulation, plot.machines);
  const hosts = new Hosts(simulation, fleet, watchPower(simulation, fleet, testimony));
  watchHostsLeft(simulation, hosts);
  playRemediators(simulation, fleet);
  playOwner(simulation, fleet);
  await fleet.build();
  for (const { name } of plot.machines) await hosts.putSecret(name);
  const person = new Person(simulation, fleet, plot);
  await person.begin();
  simulation.later(CALM_MS, 'person', () => person.tidyUp());
  return { testimony, hosts };
}

/** A random world. */
export const machines: Scenario = machinesUnder({ name: 'machines', plot: drawPlot });

/** The same world every time, small enough to try every fault at every step. */
export const fewMachines: Scenario = machinesUnder({ name: 'machines-few', plot: () => FEW, isKindOpen: true });

/** Hosts that are power-cycled. */
export const powerMachines: Scenario = { ...machinesUnder({ name: 'machines-power', plot: () => POWER }), endMayDiffer: () => true };
