import { MINUTE, SECOND } from '../../base/index.ts';
import type { Boot, MirrorChange, Simulation } from '../../simulation/index.ts';
import type { Scenario } from '../scenario.ts';
import { bootProcess } from './boot.ts';
import { Errand } from './errand.ts';
import { errandController } from './index.ts';
import { effectsOnTheEdge, neverBehind, oneStepStart, randomNames, withoutPreconditions } from './variants.ts';
import { askFor, errandInvariants, errandsSettled, errandVerdict, prepareErrands, runJobs, type Ledger } from './world.ts';

interface Asked {
  readonly name: string;
  readonly target: string;
  readonly afterMs: number;
}

/** Two errands to the same target, one to another, asked for while the first is under way. */
const ERRANDS: readonly Asked[] = [
  { name: 'one', target: 'plants', afterMs: 0 },
  { name: 'two', target: 'plants', afterMs: 2 * SECOND },
  { name: 'three', target: 'letters', afterMs: 8 * SECOND },
];

/** No two to the same target: for variants that would stand still otherwise, even without faults. */
const APART: readonly Asked[] = ERRANDS.map((errand, i) => ({ ...errand, target: `target${i}` }));

interface ErrandScenario {
  readonly name: string;
  readonly boot: Boot;
  readonly replicas?: readonly string[];
  readonly errands?: readonly Asked[];
}

function errandScenario({ name, boot, replicas = ['r1', 'r2'], errands = ERRANDS }: ErrandScenario): Scenario {
  const ledgers = new WeakMap<Simulation, Ledger>();
  const ledgerOf = (simulation: Simulation): Ledger => {
    const ledger = ledgers.get(simulation);
    if (!ledger) throw new Error('the scenario was not prepared');
    return ledger;
  };
  return {
    name,
    replicas,
    boot,
    async prepare(simulation) {
      await prepareErrands(simulation);
      const ledger = runJobs(simulation);
      ledgers.set(simulation, ledger);
      const changes: MirrorChange[] = [];
      simulation.mirror.onChange((change) => void changes.push(change));
      for (const invariant of errandInvariants(ledger, changes)) simulation.require(invariant);
      for (const { name: errand, target, afterMs } of errands)
        simulation.later(afterMs, 'person', () => askFor(simulation, errand, target));
    },
    settled: (simulation) => errandsSettled(simulation, errands.length),
    verdict: (simulation) => errandVerdict(simulation, ledgerOf(simulation)),
    // In order of name: which of two errands was done first may differ.
    endState: (simulation) => ({
      errands: simulation.mirror
        .all(Errand)
        .map(({ metadata, status }) => [metadata.name, status?.phase, status?.reason].join(' '))
        .sort(),
      created: [...simulation.mirror.created]
        .filter(([object]) => !object.startsWith('jobs.'))
        .map(([object, times]) => `${object} ${times}`)
        .sort(),
    }),
    faultsForMs: MINUTE,
    deadlineMs: 40 * MINUTE,
  };
}

/** The sample controller as it should be. */
export const errandScenarioRight = errandScenario({ name: 'errand', boot: bootProcess({ controllers: () => [errandController] }) });

/** The sample controller with one rule of the contract broken in each. */
export const brokenScenarios: readonly Scenario[] = [
  errandScenario({ name: 'effects on the edge', boot: bootProcess({ controllers: () => [effectsOnTheEdge] }), errands: APART }),
  errandScenario({
    name: 'random names',
    boot: bootProcess({ controllers: (env) => [randomNames(() => env.random.int(1e6))] }),
    errands: APART,
  }),
  errandScenario({
    name: 'no precondition',
    boot: bootProcess({ controllers: () => [errandController], wrapTransport: withoutPreconditions }),
  }),
  errandScenario({ name: 'cache behind own write', boot: bootProcess({ controllers: () => [errandController], wrapCache: neverBehind }) }),
  errandScenario({ name: 'one-step start', boot: bootProcess({ controllers: () => [oneStepStart] }) }),
];
