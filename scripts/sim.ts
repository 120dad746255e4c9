/**
 * npm run sim: many seeds and the fault sweeps, or one seed in full.
 *   npm run sim                         every scenario, 10,000 seeds and the sweeps each
 *   npm run sim -- errand --seed 42     one run: what went wrong, the fewest faults that do it, and the log
 */
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/index.ts';
import { faultText } from '../src/simulation/index.ts';
import { CRASHES, crashSweep, FREEZES, sweptText, type SweptFaults } from '../src/testkit/crash-sweep.ts';
import { randomFaults } from '../src/testkit/faults/random-faults.ts';
import { failureText, runSeeds } from '../src/testkit/run-seeds.ts';
import { runScenario, type RunResult, type Scenario } from '../src/testkit/scenario.ts';
import { scenarios } from '../src/testkit/scenarios.ts';
import { shrink } from '../src/testkit/shrink.ts';

const HELP = `Usage: npm run sim -- [SCENARIO…] [options]

Runs scenarios in virtual time with faults, and checks the invariants after every step.

Scenarios: ${scenarios.map((scenario) => scenario.name).join(', ')} (all of them when none is named)

Options:
  --seeds N   how many seeds (default 10000; 0 for the sweeps alone)
  --from N    the first seed (default 1)
  --seed N    run this seed alone; print its faults, the fewest that still fail, and the step log
  --no-sweep  leave out the sweeps: every fault, and freezes of several lengths, at every step of the reference run
  --help      this text`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function chosen(names: readonly string[]): readonly Scenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined)
    throw new Error(`no scenario '${unknown}'; there are: ${scenarios.map((scenario) => scenario.name).join(', ')}`);
  return names.length === 0 ? scenarios : scenarios.filter((scenario) => names.includes(scenario.name));
}

/** Runs one seed and prints its log, its faults and its violations; true when there are none. */
async function printSeed(scenario: Scenario, seed: number): Promise<boolean> {
  const result = await runScenario(scenario, { seed, faults: randomFaults(seed) });
  const shown = result.violations.length > 0 ? await shrink(scenario, result) : result;
  for (const line of shown.journal()) print(line);
  print('');
  print(`${scenario.name}, seed ${seed}: ${shown.steps} steps, ${(shown.virtualMs / 1_000).toFixed(1)} s of virtual time`);
  printFaults(result, shown);
  for (const violation of shown.violations) print(`VIOLATION: ${violation}`);
  if (shown.violations.length === 0) print('no violation');
  return shown.violations.length === 0;
}

function printFaults(whole: RunResult, shrunk: RunResult): void {
  const from = shrunk.injected.length < whole.injected.length ? ` (reduced from ${whole.injected.length})` : '';
  print(`faults: ${shrunk.injected.length}${from}`);
  for (const { point, fault } of shrunk.injected) print(`  ${point}: ${faultText(fault)}`);
}

interface BatchOptions {
  readonly from: number;
  readonly seeds: number;
  readonly sweep: boolean;
}

/** Runs many seeds and the sweeps and prints a summary; true when no invariant was violated. */
async function runBatch(scenario: Scenario, options: BatchOptions): Promise<boolean> {
  const seeds = options.seeds === 0 || (await runManySeeds(scenario, options));
  const crashes = !options.sweep || (await sweep(scenario, 'crash', CRASHES));
  const freezes = !options.sweep || (await sweep(scenario, 'freeze', FREEZES));
  return seeds && crashes && freezes;
}

async function runManySeeds(scenario: Scenario, options: BatchOptions): Promise<boolean> {
  const startedAt = systemClock.now();
  const report = await runSeeds(scenario, {
    from: options.from,
    count: options.seeds,
    onProgress: progress(scenario.name, options.seeds),
    onFailure: (result) => void process.stderr.write(`${failureText(result)}\n`),
  });
  const seconds = (systemClock.now() - startedAt) / 1_000;
  print(
    `${scenario.name}: ${report.runs} seeds, ${report.faults} faults, ${report.steps} steps, ${report.failures.length} violated; ` +
      `${(report.runs / seconds).toFixed(0)} runs/s, ${(report.virtualMs / 1_000 / seconds).toFixed(0)} × real time`,
  );
  for (const failure of report.failures.slice(0, 10)) print(failureText(failure));
  return report.failures.length === 0;
}

async function sweep(scenario: Scenario, name: string, faults: SweptFaults): Promise<boolean> {
  const report = await crashSweep(scenario, { faults });
  print(`${scenario.name}: ${name} sweep over ${report.points} points, ${report.plans} plans, ${report.failures.length} violated`);
  for (const failure of report.failures.slice(0, 10)) print(`  ${sweptText(failure)}`);
  return report.failures.length === 0;
}

/** Prints a line per tenth of the seeds, so that a long run shows its progress. */
const progress =
  (name: string, total: number) =>
  (done: number, failures: number): void => {
    if (done % Math.max(1, Math.floor(total / 10)) === 0) process.stderr.write(`${name}: ${done}/${total}, ${failures} violated\n`);
  };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      seeds: { type: 'string', default: '10000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      sweep: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return print(HELP);
  let good = true;
  for (const scenario of chosen(positionals)) {
    const options = { from: wholeNumber('from', values.from), seeds: wholeNumber('seeds', values.seeds), sweep: values.sweep };
    good =
      (values.seed === undefined ? await runBatch(scenario, options) : await printSeed(scenario, wholeNumber('seed', values.seed))) && good;
  }
  process.exitCode = good ? 0 : 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not '${text}'`);
  return Number(text);
}

main().catch((error: unknown) => {
  process.stderr.write(`sim: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
