import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PowerCycleRemediation } from '../../../../api/power-cycle-remediation/power-cycle-remediation.ts';
import { MINUTE, SECOND } from '../../../../base/index.ts';
import { KEY, OWN_HOST, PowerStage } from '../testing/power-stage.ts';

const ANOTHER = 'https://bmc-of-another';

let the: PowerStage;
beforeEach(async () => {
  the = await PowerStage.start();
});
afterEach(async () => {
  expect(the.stage.troubles).toEqual([]);
  await the.end();
});

describe('a Secret that points to the host of another Machine', () => {
  /** The Secret points to another Machine's host, which is off now; an operator notices and corrects the Secret. */
  async function mendSecretMidway(spec?: object): Promise<void> {
    await the.check(spec);
    await the.leadTo(ANOTHER);
    await the.fallIll('False');
    await the.stage.advance(20 * SECOND);
    expect([await the.statusOf(), the.bmc.host(ANOTHER).power]).toMatchObject([{ phase: 'freeing', host: { address: ANOTHER } }, 'Off']);
    await the.leadTo(OWN_HOST);
    await the.stage.advance(60 * MINUTE);
  }

  test('correcting the Secret in the middle of a cycle does not clear switchOnOwed of the first host', async () => {
    await mendSecretMidway();
    const { conditions, switchOnOwed } = await the.statusOf();
    const owed = `the Secret now points to https://bmc-0, but ${ANOTHER} was ordered to switch off and was not seen on since`;
    expect([switchOnOwed, conditions, the.host().heard]).toMatchObject([
      true,
      [{ reason: 'BmcAccessMissing', message: expect.stringContaining(owed) as string }],
      [],
    ]);
    await the.turnReady('True');
    await the.stage.advance(60 * MINUTE);
    expect([(await the.request())?.metadata.deletionTimestamp, the.host().heard]).toEqual([expect.any(String), []]);
    // The way out: the Secret points to the first host again until that is on.
    await the.leadTo(ANOTHER);
    await the.stage.advance(2 * MINUTE);
    expect([await the.request(), the.bmc.host(ANOTHER).heard, the.host().heard]).toEqual([undefined, ['off', 'on'], []]);
  });

  test('the request does not escalate for that, and after a deletion by force the next request gets the right host', async () => {
    await mendSecretMidway({ strategy: 'escalate', deleteAfterRetries: 0 });
    expect([await the.statusOf(), await the.conditionsOf()]).toMatchObject([
      { phase: 'backoff', attemptsNeverOff: 1 },
      { HealthCheckSucceeded: 'False UnhealthyNode' },
    ]);
    expect(await the.conditionsOf()).not.toHaveProperty('OwnerRemediated');
    the.bmc.host(ANOTHER).power = 'On';
    await the.stage.admin.delete(PowerCycleRemediation, KEY);
    await the.stage.admin.patch(PowerCycleRemediation, KEY, { type: 'merge', body: { metadata: { finalizers: null } } });
    await the.stage.advance(5 * MINUTE);
    expect([await the.statusOf(), the.bmc.host(ANOTHER).heard, the.host().heard]).toMatchObject([
      { host: { address: OWN_HOST } },
      ['off'],
      ['off', 'on'],
    ]);
  });

  test('the wrong host is switched off only once, and replacement is not requested for that', async () => {
    await the.check({ strategy: 'escalate', deleteAfterRetries: 0 });
    await the.leadTo(ANOTHER);
    await the.fallIll('False');
    await the.stage.advance(6 * 60 * MINUTE);
    expect([the.bmc.host(ANOTHER).heard, the.bmc.host(ANOTHER).power, await the.claims()]).toMatchObject([
      ['off', 'on'],
      'On',
      [{ endedAt: expect.any(String) as string }],
    ]);
    expect(await the.statusOf()).toMatchObject({ phase: 'backoff', switchOnOwed: false, conditions: [{ reason: 'AnotherHost' }] });
    expect([the.stage.told.filter((reason) => reason === 'AnotherHost'), await the.conditionsOf()]).toEqual([
      ['AnotherHost'],
      expect.not.objectContaining({ OwnerRemediated: expect.any(String) as string }),
    ]);
    await the.leadTo(OWN_HOST);
    await the.turnReady('Unknown');
    await the.stage.advance(MINUTE);
    expect([the.host().heard, the.bmc.host(ANOTHER).heard, await the.statusOf()]).toMatchObject([
      ['off', 'on'],
      ['off', 'on'],
      { phase: 'waiting', retryCount: 1, attemptsNeverOff: 1 },
    ]);
  });

  test('a host that was wrongly found to be the wrong one is cycled again after its request was deleted', async () => {
    await the.check();
    await the.fallIll('False');
    await the.stage.advance(60 * MINUTE);
    expect([the.host().heard, await the.statusOf()]).toMatchObject([['off', 'on'], { anotherHost: true }]);
    await the.stage.admin.delete(PowerCycleRemediation, KEY);
    await the.turnReady('Unknown');
    await the.stage.advance(5 * MINUTE);
    expect([the.host().heard, (await the.statusOf()).phase]).toEqual([['off', 'on', 'off', 'on'], 'waiting']);
  });
});
