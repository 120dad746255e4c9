import { describe, expect, test } from 'vitest';
import { noFaults, type Fault } from '../../simulation/index.ts';
import { crashSweep, testSweepOneOf } from '../crash-sweep.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { randomFaults } from '../faults/random-faults.ts';
import { runScenario, type Scenario } from '../scenario.ts';
import { hopelessLoops, loop, undoLoop } from './scenarios.ts';

const LIMIT_MS = 20 * 60_000;
/** They share all code but a few branches with the main story. */
const SHARE_OF_HOPELESS = 0.1;
const DEATHS: readonly Fault[] = [{ kind: 'CrashBefore' }, { kind: 'CrashAfter' }, { kind: 'LostReply' }, { kind: 'Freeze', ms: 90_000 }];

describe('the whole loop', () => {
  test('takes a bad release back when nothing fails', async () => {
    const result = await runScenario(loop, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ requests: ['Completed Remediated'], runs: [0], release: '1.4.0' });
  });

  test('runs the same way twice from one seed, step by step', async () => {
    const journal = async (): Promise<readonly string[]> => (await runScenario(loop, { seed: 7, faults: randomFaults(7) })).journal();
    expect(await journal()).toEqual(await journal());
  });

  test(`survives ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(loop, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test('survives a fault of each kind at every write and every batch of events', { timeout: LIMIT_MS }, async () => {
    const oneOf = testSweepOneOf();
    const report = await crashSweep(loop, { oneOf });
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(1_000);
  });
});

describe('a remediation that did not help', () => {
  test('is undone after approval, which restores the target', async () => {
    const result = await runScenario(undoLoop, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ requests: ['Completed Inconclusive', 'Completed Inconclusive'], runs: [0, 0], release: '1.5.0' });
  });

  test('is undone once, whatever fails', { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(undoLoop, { count: Math.ceil(seedsPerTest() * SHARE_OF_HOPELESS) });
    expect(report.failures.map(failureText)).toEqual([]);
  });

  test('is undone once, whichever write its process dies at', { timeout: LIMIT_MS }, async () => {
    const faults = { write: DEATHS, step: [], events: [] };
    const oneOf = testSweepOneOf(5);
    const report = await crashSweep(undoLoop, { faults, oneOf });
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans * oneOf).toBeGreaterThan(400);
  });
});

describe('what no workflow can help with', () => {
  const ends: Readonly<Record<string, object>> = {
    'loop-missing-target': { requests: ['Completed ManualReviewRequired'], runs: [] },
    'loop-first-revision': { requests: ['Completed ManualReviewRequired'], runs: [] },
    'loop-production': { requests: ['Failed'], runs: [] },
    'loop-workflow-fails': { requests: ['Failed'], runs: [1] },
  };

  test.each(hopelessLoops)('$name: ends with a reason, and nothing is tried again', async (scenario: Scenario) => {
    const result = await runScenario(scenario, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toMatchObject(ends[scenario.name] ?? {});
  });

  test.each(hopelessLoops)('$name: survives all faults', { timeout: LIMIT_MS }, async (scenario: Scenario) => {
    const report = await runSeeds(scenario, { count: Math.ceil(seedsPerTest() * SHARE_OF_HOPELESS) });
    expect(report.failures.map(failureText)).toEqual([]);
  });
});
