import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/base/index.ts';
import { Day } from './day.ts';
import { flappingProduction, flippingReason, gitOps, scaledToZero } from './faults/rollouts.ts';
import { programsOfDay } from './programs.ts';
import { replayFault } from './replay.ts';
import { report } from './report.ts';

const { programs, missing } = programsOfDay();
const needs = missing.length === 0 ? '' : `, which needs ${missing.join(', ')} to be set`;

/** The quickest of `npm run e2e:day`, all at once. */
describe.skipIf(missing.length > 0)(`a real cluster with a real Prometheus, Alertmanager and kube-state-metrics${needs}:`, () => {
  let day: Day;
  const lines: string[] = [];
  beforeAll(async () => {
    day = await Day.open({ ...programs, print: (line) => void lines.push(line) });
  }, 2 * MINUTE);
  afterAll(() => day.close(), MINUTE);

  test.concurrent.for([
    { ruling: 126, fault: flappingProduction },
    { ruling: 126, fault: flippingReason },
    { ruling: 120, fault: gitOps },
    { ruling: 127, fault: scaledToZero },
  ])('$fault.name: $fault.expected (ruling $ruling)', { timeout: 10 * MINUTE }, async ({ fault }) => {
    const result = await replayFault(day, fault);
    if (result.stage.wrongs.length > 0)
      process.stderr.write(`${[...lines.filter((line) => line.includes(fault.name)), ...report([result])].join('\n')}\n`);
    expect(result.stage.wrongs).toEqual([]);
  });
});
