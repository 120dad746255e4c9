import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { crashSweep, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { brokenOrchestrators, orchestrator, orchestratorPaths, orchestratorRush } from './scenarios.ts';

const LIMIT_MS = 20 * 60_000;
const SEEDS = seedsPerTest();
/** Enough to see each mistake; most show at once. */
const MISTAKE_SEEDS = 60;

describe('the orchestrator among stand-ins', () => {
  test('goes each way to its end when nothing fails, with no write in vain', async () => {
    const result = await runScenario(orchestratorPaths, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual([
      'rr-asked-2 Completed Remediated',
      'rr-broken-4 Failed',
      'rr-fine-1 Completed Remediated',
      'rr-refused-3 Failed',
    ]);
  });

  test.each([1, 2])('runs the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> =>
      (await runScenario(orchestrator, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survives ${SEEDS} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(orchestrator, { count: SEEDS });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test('survives a fault of each kind at every write and every batch of events', { timeout: LIMIT_MS }, async () => {
    const oneOf = testSweepOneOf();
    const report = await crashSweep(orchestratorPaths, { oneOf });
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(500);
  });
});

describe('an orchestrator with a mistake', () => {
  test('is not the story that is wrong', { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(orchestratorRush, { count: 20, kinds: [] });
    expect(report.failures.map(failureText)).toEqual([]);
  });

  test.each(brokenOrchestrators)('$name: is caught for what it does wrong', { timeout: LIMIT_MS }, async ({ scenario, complaint }) => {
    expect(await firstComplaint(scenario, complaint)).toMatch(complaint);
  });
});

/** Seed by seed, without faults, until the complaint comes. */
async function firstComplaint(scenario: Scenario, complaint: RegExp): Promise<string> {
  for (let from = 1; from <= MISTAKE_SEEDS; from++) {
    const { failures } = await runSeeds(scenario, { from, count: 1, kinds: [] });
    const found = failures.flatMap(({ violations }) => violations).find((violation) => complaint.test(violation));
    if (found !== undefined) return found;
  }
  return `no such complaint in ${MISTAKE_SEEDS} seeds`;
}
