import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { crashSweep } from '../crash-sweep.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { endsOf, rivals } from './scenario.ts';

const LIMIT_MS = 10 * 60_000;

describe('executions that want the same target', () => {
  test('[WE-156] [WE-157] run one after the other, or not at all', async () => {
    const result = await runScenario({ ...rivals, endState: endsOf }, { seed: 3, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual([
      'we-broken ran',
      'we-broken-cleared ran',
      'we-broken-next skipped',
      'we-cancelled ran',
      'we-late ran',
      'we-mail ran',
      'we-node ran',
      'we-one ran',
      'we-search ran',
      'we-two skipped',
    ]);
  });

  test(`survive ${seedsPerTest()} seeds of all faults`, { timeout: LIMIT_MS }, async () => {
    const report = await runSeeds(rivals, { count: seedsPerTest() });
    expect(report.failures.map(failureText)).toEqual([]);
    expect(report.faults).toBeGreaterThan(report.runs);
  });

  test('survive a fault of each kind at every write and every batch of events', { timeout: LIMIT_MS }, async () => {
    const report = await crashSweep(rivals);
    expect(report.failures.map(({ plan, result }) => `${plan.point} ${plan.fault.kind}: ${result.violations.join('; ')}`)).toEqual([]);
    expect(report.plans).toBeGreaterThan(100);
  });
});
