import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PipelineRemediation } from '../../../api/pipeline-remediation/pipeline-remediation.ts';
import { MINUTE, SECOND } from '../../../base/index.ts';
import { HealthStage, PIPELINE, POWER_CYCLE } from '../testing/health-stage.ts';

let the: HealthStage;
beforeEach(async () => {
  the = await HealthStage.start();
  await the.templates();
  await the.fleet(1, { pool: 'x', app: 'worker' }, 'a-');
  await the.fleet(1, { app: 'worker' }, 'b-');
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.stage.end();
});

const fail = async (name: string): Promise<void> => {
  await the.turn(name, 'Unknown');
  await the.stage.advance(7 * MINUTE);
};
const recover = async (name: string): Promise<void> => {
  await the.turn(name, 'True');
  await the.stage.advance(30 * SECOND);
};

describe.each([
  { kinds: 'two kinds of request', loser: PIPELINE },
  { kinds: 'the same kind of request', loser: POWER_CYCLE },
])('two checks over one Machine that record it in the same moment, with $kinds', ({ loser }) => {
  beforeEach(async () => {
    await the.check({ selector: { matchLabels: { pool: 'x' } }, remediation: { templateRef: POWER_CYCLE } }, 'hcb');
    const safeguards = { maxInFlight: 1, maxAttempts: 2, attemptsForgottenAfter: '1h' };
    await the.check({ selector: { matchLabels: { app: 'worker' } }, remediation: { templateRef: loser }, safeguards }, 'hco');
  });

  test('the one whose claim was refused keeps no record of a request that it never created, and no slot', async () => {
    await fail('a-0');
    expect([await the.record('hcb'), await the.record('hco')].filter((names) => names.length > 0)).toEqual([['a-0']]);
    expect(await the.asked()).toEqual(['a-0']);
    const isHcb = (await the.record('hcb')).length > 0;
    await fail('b-0');
    expect(await the.asked()).toEqual(isHcb ? ['a-0', 'b-0'] : ['a-0']);
  });

  test('it counts no attempt either', async () => {
    for (let i = 0; i < 3; i++) {
      await fail('a-0');
      const holders = [await the.record('hcb'), await the.record('hco')].filter((names) => names.length > 0);
      expect(holders).toEqual([['a-0']]);
      if ((await the.record('hcb')).length > 0) expect((await the.statusOf('hco')).attempts ?? []).toEqual([]);
      await recover('a-0');
      expect(await the.request('a-0', PipelineRemediation)).toBeUndefined();
    }
  });
});
