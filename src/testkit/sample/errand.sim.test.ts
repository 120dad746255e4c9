import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { crashSweep, testSweepOneOf } from '../crash-sweep.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { shrink } from '../shrink.ts';
import { bootProcess } from './boot.ts';
import { errandController } from './index.ts';
import { brokenScenarios, errandScenarioRight } from './scenarios.ts';

const LIMIT_MS = 10 * 60_000;

describe('the sample controller', () => {
  test('does what it is for when nothing fails', async () => {
    const result = await runScenario(errandScenarioRight, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toMatchObject({ errands: ['one Succeeded ', 'three Succeeded ', 'two Succeeded '] });
  });

  test.each([1, 2, 3])('runs the same way twice from seed %i, step by step', async (seed) => {
    const journal = async (): Promise<readonly string[]> =>
      (await runScenario(errandScenarioRight, { seed, faults: randomFaults(seed) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survives ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(errandScenarioRight, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test('survives every fault at every write and every batch of events', { timeout: LIMIT_MS }, async () => {
    const oneOf = testSweepOneOf();
    const report = await crashSweep(errandScenarioRight, { oneOf });
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(100);
  });
});

test('a decision that throws once is a violation, although a retry would heal it', async () => {
  let thrown = false;
  const decide: typeof errandController.decide = (seen, now) => {
    if (thrown) return errandController.decide(seen, now);
    thrown = true;
    throw new Error('out of ideas');
  };
  const boot = bootProcess({ controllers: () => [{ ...errandController, decide }] });
  const result = await runScenario({ ...errandScenarioRight, boot }, { seed: 1, faults: noFaults });
  expect(result.violations).toEqual([expect.stringContaining('errand: decide threw: out of ideas')]);
});

describe('a broken variant', () => {
  // Who never asks whether its cache is behind acts on the past even when nothing fails.
  const workWithoutFaults = brokenScenarios.filter(({ name }) => name !== 'cache behind own write');

  test.each(workWithoutFaults)('$name: works when nothing fails', async (scenario) => {
    const result = await runScenario(scenario, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
  });

  test.each(brokenScenarios)('$name: is caught, and the failing seed shrinks', { timeout: LIMIT_MS }, async (scenario) => {
    const report = await runSeeds(scenario, { count: 5_000, stopAtFirst: true });
    const [failure] = report.failures;
    if (!failure) throw new Error(`not caught in ${report.runs} seeds`);
    const small = await shrink(scenario, failure);
    expect(small.violations).not.toEqual([]);
    expect(small.injected.length).toBeLessThanOrEqual(failure.injected.length);
    expect(small.journal().length).toBeGreaterThan(10);
  });

  test('one-step start: is caught by a leader that stands still at the wrong write', { timeout: LIMIT_MS }, async () => {
    const scenario = brokenScenarios.find(({ name }) => name === 'one-step start');
    const report = await crashSweep({ ...scenario!, endMayDiffer: () => true });
    const frozen = report.failures.filter(({ plan }) => plan.fault.kind === 'Freeze');
    expect(frozen.flatMap(({ result }) => result.violations).join('\n')).toContain('acts at most once');
  });
});
