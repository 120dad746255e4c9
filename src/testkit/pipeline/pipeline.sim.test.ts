import { describe, expect, test } from 'vitest';
import { noFaults } from '../../simulation/index.ts';
import { runScenario } from '../scenario.ts';
import { pipeline } from './scenario.ts';

describe('an unhealthy Machine that is handed to the pipeline', () => {
  test('is drained, recovers and is opened again when nothing fails', async () => {
    const result = await runScenario(pipeline, { seed: 1, faults: noFaults });
    expect(result.violations).toEqual([]);
    expect(result.endState).toEqual({ requests: ['Completed Remediated', 'Completed Remediated'], runs: [0, 0] });
  });
});
