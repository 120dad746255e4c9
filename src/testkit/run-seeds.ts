import { SchemaLibrary } from '../apiserver/index.ts';
import { randomFaults, type FaultKind } from './faults/random-faults.ts';
import { runScenario, type RunResult, type Scenario } from './scenario.ts';
import { withoutStacks } from './without-stacks.ts';

export interface SeedOptions {
  readonly from?: number;
  readonly count: number;
  /** Only these kinds of faults; all of them when absent. */
  readonly kinds?: readonly FaultKind[];
  /** Stop at the first failing seed. */
  readonly stopAtFirst?: boolean;
  readonly onProgress?: (done: number, failures: number) => void;
  /** Called for each failing seed at once. */
  readonly onFailure?: (result: RunResult) => void;
}

/** Totals over many runs. */
export interface SeedReport {
  readonly runs: number;
  readonly steps: number;
  readonly virtualMs: number;
  readonly faults: number;
  readonly failures: readonly RunResult[];
}

/** How many seeds each simulation test runs: a few by default, `SICKBAY_SIM_SEEDS` in CI, thousands by `npm run sim`. */
export const seedsPerTest = (): number => Number(process.env.SICKBAY_SIM_SEEDS ?? 50);

/** Runs the scenario once per seed, with random faults. */
export const runSeeds = (scenario: Scenario, options: SeedOptions): Promise<SeedReport> => withoutStacks(() => runEach(scenario, options));

async function runEach(scenario: Scenario, options: SeedOptions): Promise<SeedReport> {
  const from = options.from ?? 1;
  const schemas = new SchemaLibrary();
  const failures: RunResult[] = [];
  let [runs, steps, virtualMs, faults] = [0, 0, 0, 0];
  for (let seed = from; seed < from + options.count; seed++) {
    const result = await runScenario(scenario, { seed, schemas, faults: randomFaults(seed, options.kinds) });
    runs++;
    steps += result.steps;
    virtualMs += result.virtualMs;
    faults += result.injected.length;
    if (result.violations.length > 0) {
      failures.push(result);
      options.onFailure?.(result);
    }
    options.onProgress?.(runs, failures.length);
    if (failures.length > 0 && options.stopAtFirst === true) break;
  }
  return { runs, steps, virtualMs, faults, failures };
}

/** What a test prints of a failing seed: the violations, and the command that replays it. */
export const failureText = (result: RunResult): string =>
  `seed ${result.seed}: ${result.violations.join('; ')}\n  npm run sim -- ${result.scenario} --seed ${result.seed}`;
