import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { failureText, runSeeds, seedsPerTest } from '../run-seeds.ts';
import { runScenario } from '../scenario.ts';
import { pipeline, pipelineRecovers } from './scenario.ts';

const LIMIT_MS = 20 * 60_000;
/** The pipeline itself has stories of its own. */
const SEEDS = Math.ceil(seedsPerTest() * 0.1);

describe('an unhealthy Machine that is handed to the pipeline', () => {
  test('is drained with a yes, recovers, is opened again with another, and its request is gone', async () => {
    const result = await runScenario(pipeline, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ requests: ['Completed Inconclusive', 'Completed Inconclusive'], runs: [0, 0] });
  });

  test('that recovers by itself is let alone, and what was opened for it is cancelled', async () => {
    const result = await runScenario(pipelineRecovers, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ requests: ['Cancelled'], runs: [] });
  });

  test.each([pipeline, pipelineRecovers])('$name: survives all faults', { timeout: LIMIT_MS }, async (scenario) => {
    const report = await runSeeds(scenario, { count: SEEDS });
    expect(report.failures.map(failureText)).toEqual([]);
  });
});
