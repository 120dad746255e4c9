import { describe, expect, test } from 'vitest';
import { SchemaLibrary } from '../../apiserver/index.ts';
import { noFaults } from '../../simulation/index.ts';
import { CRASHES, crashSweep, FREEZES, sweptText, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { drawPlot } from './plot.ts';
import { fewOwner, owner, ownerUnder } from './scenario.ts';
import { MISTAKES } from './variants.ts';

const LIMIT_MS = 10 * 60_000;

/** Seeds that showed something once. */
const ONCE_FAILED: readonly { readonly seed: number; readonly what: string }[] = [
  {
    seed: 1703,
    what: 'a Machine that recovered was released while the ledger could not be read, and its slot in the budget was never freed',
  },
  {
    seed: 1380,
    what: 'a Machine named a Node that had registered again and that another Machine had taken, and counted as healthy because of it',
  },
  { seed: 21446, what: 'a Machine without a Node had given its place back, and its finalizer was held up' },
  { seed: 91559, what: 'that a Node is drained was long on its way, and its pods were asked to leave by what was seen before' },
];

describe('an owner of Machines, in a world without machines', () => {
  test('[MH-004] [MH-033] replaces a Machine that fails, once, and releases one that recovers', async () => {
    const result = await runScenario(fewOwner, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ left: [], sets: ['a 2 2'] });
    expect([...result.created.keys()].filter((name) => name.includes('machines.'))).toEqual(
      ['a-1', 'a-2', 'a-3'].map((name) => `machines.cluster.x-k8s.io metal/${name}`),
    );
  });

  test.each([1, 2])('runs the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(owner, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survives ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(owner, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test.each(ONCE_FAILED)('survives seed $seed: $what', { timeout: LIMIT_MS }, async ({ seed }) => {
    const { violations } = await runScenario(owner, { seed, faults: randomFaults(seed) });
    expect(violations).toEqual([]);
  });

  // Each runs some of the plans; `npm run sim` runs all of them.
  test.each([
    { what: '[MH-143] [MH-147] a fault of each kind at every write and every batch of events', faults: CRASHES, least: 59 },
    { what: 'a leader that stands still before every write', faults: FREEZES, least: 11 },
  ])('survives $what', { timeout: LIMIT_MS }, async ({ faults, least }) => {
    const oneOf = testSweepOneOf(least);
    const report = await crashSweep(fewOwner, { faults, oneOf });
    expect(report.failures.map(sweptText)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(15 * least);
  });

  test.each(Object.entries(MISTAKES))(
    'shows that an owner is wrong that %s',
    { timeout: LIMIT_MS },
    async (_, { make, complaint, plot }) => {
      const scenario = ownerUnder({ name: 'mistaken', plot: plot ? () => plot : drawPlot, mistake: make });
      // What does not settle need not be waited for as long as faults would make it.
      expect(await complaintsOf({ ...scenario, faultsForMs: 0, deadlineMs: 10 * 60_000 }, complaint)).toMatch(complaint);
    },
  );
});

/** Seeds that a mistake is looked for in. */
const MISTAKE_SEEDS = 40;

/** The first such complaint about the scenario. */
async function complaintsOf(scenario: Scenario, complaint: RegExp): Promise<string> {
  const schemas = new SchemaLibrary();
  const others = new Set<string>();
  for (let seed = 1; seed <= MISTAKE_SEEDS; seed++) {
    const { violations } = await runScenario(scenario, { seed, schemas, faults: noFaults });
    const found = violations.find((violation) => complaint.test(violation));
    if (found !== undefined) return found;
    for (const violation of violations) others.add(violation);
  }
  return `nothing of the kind in ${MISTAKE_SEEDS} seeds, only: ${[...others].join('; ')}`;
}
