import { afterEach, describe, expect, test, vi } from 'vitest';
import { MINUTE, parseTime, SECOND } from '../../../base/index.ts';
import type { Controller } from '../../../runtime/index.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { Ward } from '../testing/ward.ts';

const TARGET = 'shop/Deployment/checkout';
/** Its Secret is nowhere, which is a failure before anything runs. */
const BAD = { dependencies: { secrets: [{ name: 'nowhere' }] } };
/** Long stretches of virtual time take some seconds. */
const LIMIT = { timeout: 60_000 };

const wards: Ward[] = [];
afterEach(async () => {
  for (const ward of wards.splice(0)) await ward.stage.end();
});

const open = async (): Promise<Ward> => {
  const ward = await Ward.open();
  wards.push(ward);
  return ward;
};

/** The process ends and a new one starts and completes its first reads: code, cache and queue are all fresh. */
async function restart(ward: Ward): Promise<void> {
  vi.resetModules();
  const { createExecutionController } = await import('../index.ts');
  await ward.stage.restart([createExecutionController(() => ward.settings) as Controller]);
  await ward.stage.settle();
}

/** One failure after the other; `between` happens every half minute of it. */
async function failStarts(ward: Ward, count: number, between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  for (let i = 1; i <= count; i++) {
    await ward.remediate(`bad-${i}`, TARGET, BAD);
    await between();
    while ((await ward.statusOf(`bad-${i}`)).phase === 'Pending') {
      await ward.stage.advance(30 * SECOND);
      await between();
    }
  }
}

const failuresOf = ({ phase, consecutiveFailures, nextAllowedExecution, completionTime, skipDetails }: ExecutionStatus) => ({
  phase,
  consecutiveFailures,
  nextAllowedExecution,
  completionTime,
  reason: skipDetails?.reason,
});

/** Five failures and one too many, as their status records them. */
async function played(between?: (ward: Ward) => Promise<void>): Promise<readonly unknown[]> {
  const ward = await open();
  await failStarts(ward, 5, between && (() => between(ward)));
  await ward.remediate('sixth', TARGET, BAD);
  const names = [1, 2, 3, 4, 5].map((i) => `bad-${i}`);
  return Promise.all([...names, 'sixth'].map(async (name) => failuresOf(await ward.statusOf(name))));
}

describe('a process that is restarted', LIMIT, () => {
  test('[BO-134] every half minute: counts, waits and the end of all retries are the same as without a restart', async () => {
    const undisturbed = await played();
    expect(undisturbed.at(-1)).toMatchObject({ phase: 'Skipped', reason: 'ExhaustedRetries' });
    expect(await played(restart)).toEqual(undisturbed);
  });

  test('[BO-135] in the middle of a wait changes neither its end nor the count', async () => {
    const ward = await open();
    await failStarts(ward, 3);
    const before = failuresOf(await ward.statusOf('bad-3'));
    const until = parseTime(before.nextAllowedExecution) ?? 0;
    await ward.remediate('next', TARGET, BAD);
    await ward.stage.advance(2 * MINUTE);
    const said = await ward.readyOf('next');
    await restart(ward);
    expect(failuresOf(await ward.statusOf('bad-3'))).toEqual(before);
    expect(await ward.readyOf('next')).toBe(said);
    await ward.stage.advance(until - ward.stage.clock.now() - SECOND);
    expect((await ward.statusOf('next')).phase).toBe('Pending');
    await ward.stage.advance(SECOND);
    const next = await ward.statusOf('next');
    expect([next.consecutiveFailures, parseTime(next.completionTime)]).toEqual([4, until]);
  });

  test('[BO-135] while no process ran: an execution whose wait ended meanwhile starts at once', async () => {
    const ward = await open();
    await failStarts(ward, 2);
    await ward.remediate('next', TARGET);
    expect(await ward.readyOf('next')).toContain('RecentlyRemediated');
    await ward.stage.restart([]);
    await ward.stage.advance(10 * MINUTE);
    expect((await ward.statusOf('next')).phase).toBe('Pending');
    await restart(ward);
    await ward.stage.advance(SECOND);
    expect((await ward.statusOf('next')).phase).toBe('Running');
  });
});
