import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { CRASHES, crashSweep, FREEZES, sweptText, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { allRivals, endsOf, fewRivals, rivals, rivalsUnder } from './scenario.ts';
import { RIVALS } from './entries.ts';
import { MISTAKES } from './variants.ts';

const LIMIT_MS = 10 * 60_000;

/** Seeds that showed something once. */
const ONCE_FAILED: readonly { readonly seed: number; readonly what: string }[] = [
  { seed: 13, what: 'the tasks of a PipelineRun that was deleted at work were left out of the budget' },
  { seed: 142, what: 'a PipelineRun was cancelled before its first task' },
  { seed: 340, what: 'a person deleted the run of the next execution instead' },
  { seed: 442, what: 'a lock came when its execution had gone' },
  { seed: 2477, what: 'a clock was set back between a run that went well and one that failed' },
  { seed: 6887, what: 'a lock was cleared away that had begun to keep a block' },
];

describe('executions that want the same target', () => {
  test('[WE-156] [WE-157] run one after the other, or not at all', { timeout: LIMIT_MS }, async () => {
    const result = await runScenario({ ...allRivals, endState: endsOf }, { seed: 3, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual([
      'we-broken ran',
      'we-broken-cleared ran',
      'we-broken-next skipped',
      'we-cancelled ran',
      'we-doomed-cleared ran',
      'we-doomed-next ran',
      'we-drained ran',
      'we-drained-next skipped',
      'we-fallen-cleared ran',
      'we-fallen-next ran',
      'we-late skipped',
      'we-mail ran',
      'we-node ran',
      'we-one skipped',
      'we-piped-next ran',
      'we-robbed ran',
      'we-robbed-next ran',
      'we-search ran',
      'we-stolen ran',
      'we-stolen-next skipped',
      'we-stopped ran',
      'we-two ran',
    ]);
  });

  test.each([1, 2])('run the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(rivals, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survive ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(rivals, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test.each(ONCE_FAILED)('survive seed $seed: $what', { timeout: LIMIT_MS }, async ({ seed }) => {
    const { violations } = await runScenario(rivals, { seed, faults: randomFaults(seed) });
    expect(violations).toEqual([]);
  });

  // Each runs some of the plans; `npm run sim` runs all of them.
  test.each([
    { what: 'a fault of each kind at every write and every batch of events', faults: CRASHES, least: 7 },
    { what: 'a leader that stands still before every write for longer than a run and its cooldown', faults: FREEZES, least: 2 },
  ])('survive $what', { timeout: LIMIT_MS }, async ({ faults, least }) => {
    const oneOf = testSweepOneOf(least);
    const report = await crashSweep(fewRivals, { faults, oneOf });
    expect(report.failures.map(sweptText)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(100 * least);
  });

  test.each(Object.entries(MISTAKES))(
    'show that a controller is wrong that %s',
    { timeout: LIMIT_MS },
    async (_, { make, complaint, alone }) => {
      const entries = RIVALS.filter(({ name }) => alone === undefined || name === alone);
      expect(await complaintsOf(rivalsUnder(make, { name: 'mistaken', entries }), complaint)).toMatch(complaint);
    },
  );
});

/** Seeds that a mistake is looked for in. */
const MISTAKE_SEEDS = 12;

/** The first such complaint about the scenario. */
async function complaintsOf(scenario: Scenario, complaint: RegExp): Promise<string> {
  for (let seed = 1; seed <= MISTAKE_SEEDS; seed++) {
    const { violations } = await runScenario(scenario, { seed, faults: noFaults });
    const found = violations.find((violation) => complaint.test(violation));
    if (found !== undefined) return found;
  }
  return `nothing of the kind in ${MISTAKE_SEEDS} seeds`;
}
