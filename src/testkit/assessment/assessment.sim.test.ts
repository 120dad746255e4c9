import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { crashSweep, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { assessment, assessmentPaths, assessmentSteps, brokenMonitors } from './scenarios.ts';

const LIMIT_MS = 20 * 60_000;
const SEEDS = seedsPerTest();
/** Where nothing fails but what the plot lets fail, most can be held against the monitor. */
const CALM_SEEDS = Math.ceil(SEEDS / 10);
/** Enough to see each mistake; most show at once. */
const MISTAKE_SEEDS = 60;

describe('assessments in a world that is known', () => {
  test('go each way to its end when nothing fails', async () => {
    const result = await runScenario(assessmentPaths, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual([
      'ea-drift-1 Completed SpecDrift 0',
      'ea-fine-1 Completed Full 0.875',
      'ea-gitops-1 Completed Full 0.875',
      'ea-gone-1 Failed Unrecoverable 0',
      'ea-late-1 Completed SpecDrift 0',
      'ea-mute-1 Completed MetricsTimedOut 1',
      'ea-still-1 Completed Full 0.125',
      'ea-stuck-1 Completed AlertDecayTimeout 0.525',
      'ea-void-1 Completed NoExecution none',
    ]);
  });

  test.each([1, 2])('run the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(assessment, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survive ${SEEDS} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(assessment, { count: SEEDS });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test.each([
    { seed: 1072, what: 'a question was under way when an assessment began to ask the same; Alertmanager was slow' },
    { seed: 1272, what: 'the same' },
    { seed: 9, what: 'a Node has a health of its own' },
  ])('survive seed $seed, which once was judged wrongly: $what', async ({ seed }) => {
    const report = await runSeeds(assessment, { from: seed, count: 1 });
    expect(report.failures.map(failureText)).toEqual([]);
  });

  test(`survive ${CALM_SEEDS} seeds of outages and drift alone`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(assessment, { count: CALM_SEEDS, kinds: [] });
    expect(report.failures.map(failureText)).toEqual([]);
  });

  test('survive a fault of each kind at every write and every batch of events', { timeout: LIMIT_MS }, async () => {
    const oneOf = testSweepOneOf();
    const report = await crashSweep(assessmentSteps, { oneOf });
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(300);
  });
});

describe('a monitor with a mistake', () => {
  test.each(brokenMonitors)('$name: is caught for what it does wrong', { timeout: LIMIT_MS }, async ({ scenario, complaint }) => {
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
