import { afterEach, describe, expect, test } from 'vitest';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, parseTime, SECOND, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { CLEARED } from '../testing/finished-executions.ts';
import { Ward } from '../testing/ward.ts';

const { namespace } = DEFAULT_SETTINGS;
const TARGET = 'shop/Deployment/checkout';
/** Its Secret is nowhere, which is a failure before anything runs. */
const BAD = { dependencies: { secrets: [{ name: 'nowhere' }] } };

let ward: Ward | undefined;
afterEach(() => ward?.stage.end());
const opened = async (): Promise<Ward> => (ward = await Ward.open());

const patch = (here: Ward, name: string, status: object) =>
  here.stage.admin.patchStatus(WorkflowExecution, { namespace, name: `we-${name}` }, { type: 'merge', body: { status } });

/** So many failed starts, one after the other, each as soon as it may be. */
async function failStarts(here: Ward, count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    await here.remediate(`bad-${i}`, TARGET, BAD);
    while ((await here.statusOf(`bad-${i}`)).phase === 'Pending') await here.stage.advance(10 * SECOND);
  }
}

describe('failures before anything runs', () => {
  test('[BO-163] [BO-003] [BO-154] come at 0, 1, 3, 7 and 15 minutes however many are asked for, and none after that', async () => {
    const here = await opened();
    const begun = here.stage.clock.now();
    await failStarts(here, 5);
    const ends = await Promise.all([1, 2, 3, 4, 5].map((i) => here.statusOf(`bad-${i}`)));
    const minutes = ends.map(({ completionTime }) => ((parseTime(completionTime) ?? 0) - begun) / MINUTE);
    expect(minutes).toEqual([0, 1, 3, 7, 15]);
    expect(ends.map(({ consecutiveFailures }) => consecutiveFailures)).toEqual([1, 2, 3, 4, 5]);
    const waits = ends.map((one) => ((parseTime(one.nextAllowedExecution) ?? 0) - (parseTime(one.completionTime) ?? 0)) / MINUTE);
    expect(waits).toEqual([1, 2, 4, 8, 10]);
    await here.remediate('sixth', TARGET, BAD);
    const sixth = await here.statusOf('sixth');
    expect(sixth.phase).toBe('Skipped');
    expect(sixth.skipDetails).toMatchObject({ reason: 'ExhaustedRetries', skippedAt: toTime(here.stage.clock.now()) });
  });

  test('[BO-165] [BO-138] [BO-035] no length of waiting ends the exhaustion; [BO-139] a person does, and the count restarts; [BO-121] a skipped execution stays skipped', async () => {
    const here = await opened();
    await failStarts(here, 5);
    await here.stage.advance(24 * 60 * MINUTE);
    await here.remediate('next-day', TARGET);
    expect((await here.statusOf('next-day')).skipDetails?.reason).toBe('ExhaustedRetries');
    await patch(here, 'bad-5', { blockClearance: CLEARED });
    await here.remediate('cleared', TARGET, BAD);
    expect(await here.statusOf('cleared')).toMatchObject({ phase: 'Failed', consecutiveFailures: 1 });
    expect((await here.statusOf('next-day')).phase).toBe('Skipped');
  });

  test('[BO-080] [BO-054] [BO-077] an execution that is created in between waits and says why, then starts by itself', async () => {
    const here = await opened();
    await failStarts(here, 1);
    const { nextAllowedExecution = '' } = await here.statusOf('bad-1');
    await here.stage.advance(20 * SECOND);
    await here.remediate('good', TARGET);
    const said =
      'RecentlyRemediated: backs off after we-bad-1 (failure 1 in a row: workflow w on shop/Deployment/checkout, Failed at 2026-11-15T03:00:00Z): ' +
      `next execution allowed in 40s, at ${nextAllowedExecution}`;
    expect(await here.readyOf('good')).toBe(said);
    expect(await here.atWork()).toEqual([]);
    await here.stage.advance(39 * SECOND);
    expect(await here.readyOf('good')).toBe(said);
    await here.stage.advance(SECOND);
    await here.stage.advance(SECOND);
    expect((await here.atWork()).length).toBe(1);
  });

  test('[BO-090] a wait is written once, not on every pass', async () => {
    const here = await opened();
    await failStarts(here, 3);
    await here.remediate('good', TARGET);
    let writes = 0;
    here.stage.intercept = (request) => void (request.path.endsWith('/status') && writes++);
    await here.stage.advance(3 * MINUTE);
    expect(writes).toBe(0);
  });

  test('[BO-164] [BO-126] a success restarts the count: the next failure is number 1', async () => {
    const here = await opened();
    await failStarts(here, 3);
    await here.stage.advance(4 * MINUTE);
    await here.remediate('good', TARGET);
    await here.endOne();
    const good = await here.statusOf('good');
    expect(good).toMatchObject({ phase: 'Completed', completionTime: toTime(here.stage.clock.now()) });
    expect(good.consecutiveFailures ?? good.nextAllowedExecution).toBeUndefined();
    await here.stage.advance(MINUTE);
    await here.remediate('bad-again', TARGET, BAD);
    expect(await here.statusOf('bad-again')).toMatchObject({
      consecutiveFailures: 1,
      nextAllowedExecution: toTime(after(here.stage.clock.now(), MINUTE)),
    });
  });

  test('[BO-037] another target has a count of its own', async () => {
    const here = await opened();
    await failStarts(here, 2);
    await here.remediate('other', 'shop/Deployment/cart', BAD);
    expect((await here.statusOf('other')).consecutiveFailures).toBe(1);
  });
});

describe('a run that failed', () => {
  const broken = async (): Promise<Ward> => {
    const here = await opened();
    await here.remediate('bad', TARGET);
    await here.endOne('Failed');
    expect((await here.statusOf('bad')).failureDetails?.wasExecutionFailure).toBe(true);
    await here.stage.advance(2 * MINUTE);
    return here;
  };

  test('[BO-167] [BO-060] [BO-039] skips the very next, and the one after that, whatever workflow it is', async () => {
    const here = await broken();
    for (const [name, workflowId] of Object.entries({ next: 'w', other: 'another' })) {
      await here.remediate(name, TARGET, { workflowId });
      expect((await here.statusOf(name)).skipDetails).toMatchObject({
        reason: 'PreviousExecutionFailed',
        recentRemediation: { name: 'we-bad', outcome: 'Failed' },
      });
    }
    expect(await here.atWork()).toEqual([]);
    const bad = await here.statusOf('bad');
    expect(bad.consecutiveFailures ?? bad.nextAllowedExecution).toBeUndefined();
  });

  test('[BO-139] runs again when a person has cleared it', async () => {
    const here = await broken();
    await patch(here, 'bad', { blockClearance: CLEARED });
    await here.remediate('next', TARGET);
    expect((await here.atWork()).length).toBe(1);
  });

  test('[BO-130] runs again when a person has deleted the execution', async () => {
    const here = await broken();
    await here.stage.admin.delete(WorkflowExecution, { namespace, name: 'we-bad' });
    await here.remediate('next', TARGET);
    expect((await here.atWork()).length).toBe(1);
  });
});

describe('the history', () => {
  test('that the server does not tell keeps everything waiting', async () => {
    const here = await opened();
    here.stage.intercept = ({ path, query }) =>
      path.endsWith('/workflowexecutions') && query?.fieldSelector !== undefined
        ? { code: 503, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'not now', code: 503 } }
        : undefined;
    await here.remediate('one', TARGET);
    expect(await here.readyOf('one')).toContain('WaitingForHistory: earlier executions on the target cannot be read');
    expect(await here.atWork()).toEqual([]);
    here.stage.intercept = () => undefined;
    await here.stage.advance(10 * SECOND);
    expect((await here.atWork()).length).toBe(1);
  });
});
