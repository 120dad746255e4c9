import { afterEach, describe, expect, test } from 'vitest';
import { Lease } from '../../../api/builtin/index.ts';
import { keyOf } from '../../../api/meta.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, parseTime, SECOND } from '../../../base/index.ts';
import { CLEARED } from '../../execution/testing/finished-executions.ts';
import { forbid } from '../../testing/stage.ts';
import { ExecutionFixture } from '../testing/execution-fixture.ts';
import { SYSTEM } from '../testing/orchestrator-fixture.ts';

/** Hours of virtual time take some seconds. */
const LIMIT = { timeout: 60_000 };
let clinic: ExecutionFixture | undefined;
afterEach(async () => {
  await clinic?.ward.stage.end();
  clinic = undefined;
});

/** A run has failed on the target, and another signal about it was skipped for that. */
async function blocked(): Promise<ExecutionFixture> {
  const here = (clinic = await ExecutionFixture.open());
  await here.remediate('bad');
  await here.endJob('Failed');
  await here.ward.stage.advance(10 * MINUTE);
  await here.remediate('next');
  expect(await here.ward.status('next')).toMatchObject({
    overallPhase: 'Skipped',
    skipReason: 'PreviousExecutionFailed',
    requiresManualReview: true,
  });
  return here;
}

/** How long the signal of a request is held back from now on, in hours. */
async function hoursHeld({ ward }: ExecutionFixture, name: string): Promise<number> {
  const until = parseTime((await ward.status(name)).nextAllowedExecution) ?? 0;
  return Math.max(0, until - ward.stage.clock.now()) / HOUR;
}

const clear = ({ ward }: ExecutionFixture) =>
  ward.stage.admin.patchStatus(
    WorkflowExecution,
    { namespace: SYSTEM, name: 'we-bad' },
    { type: 'merge', body: { status: { blockClearance: CLEARED } } },
  );

/** What `sickbay clear-block` writes on the lock that keeps a block. */
async function sign(here: ExecutionFixture): Promise<void> {
  const annotations = {
    [ANNOTATIONS.blockClearedBy]: 'anna',
    [ANNOTATIONS.blockClearReason]: 'looked',
    [ANNOTATIONS.blockClearedAt]: 'today',
  };
  await here.ward.stage.admin.patch(Lease, keyOf(await here.lock()), { type: 'merge', body: { metadata: { annotations } } });
}

/** The request of the run that failed goes, with all its children: the lock keeps the block. */
async function forget(here: ExecutionFixture): Promise<void> {
  await here.ward.stage.admin.delete(RemediationRequest, { namespace: SYSTEM, name: 'bad' });
  await here.ward.stage.advance(10 * SECOND);
  expect(await here.ward.names(WorkflowExecution)).toEqual(['we-next']);
}

describe('a signal that waits for a person to clear its target', LIMIT, () => {
  test('[RR-099] waits a day at most, and is free as soon as the failed run is cleared', async () => {
    const here = await blocked();
    expect(await hoursHeld(here, 'next')).toBe(24);
    await here.ward.stage.advance(HOUR);
    expect(await hoursHeld(here, 'next')).toBe(23);
    await clear(here);
    await here.ward.stage.settle();
    expect(await hoursHeld(here, 'next')).toBe(0);
    expect((await here.ward.status('next')).message).toMatch(
      /; since then the block on its target was cleared, and its signal may open a new request$/,
    );
  });

  test('so does that of the run itself; the next one runs', async () => {
    const here = await blocked();
    expect(await hoursHeld(here, 'bad')).toBeGreaterThan(23);
    await clear(here);
    await here.ward.stage.settle();
    expect(await hoursHeld(here, 'bad')).toBe(0);
    await here.remediate('again');
    expect((await here.ward.status('again')).overallPhase).toBe('Executing');
    expect(await here.atWork()).toHaveLength(1);
  });

  test('is free when a person deletes the execution that failed', async () => {
    const here = await blocked();
    await here.ward.stage.admin.delete(WorkflowExecution, { namespace: SYSTEM, name: 'we-bad' });
    await here.ward.stage.advance(SECOND);
    expect(await hoursHeld(here, 'next')).toBe(0);
    expect(await hoursHeld(here, 'bad'), 'its own run was not cleared').toBeGreaterThan(23);
  });

  test('keeps waiting when the failed execution is gone and the lock keeps its block, until that is cleared', async () => {
    const here = await blocked();
    await forget(here);
    await here.ward.stage.advance(HOUR);
    expect(await hoursHeld(here, 'next')).toBeGreaterThan(22);
    await sign(here);
    await here.ward.stage.settle();
    expect(await hoursHeld(here, 'next')).toBe(0);
  });

  test('keeps waiting while the block cannot be read', async () => {
    const here = await blocked();
    await forget(here);
    here.ward.stage.intercept = forbid(/\/leases$/);
    await sign(here);
    await here.ward.stage.advance(HOUR);
    expect(await hoursHeld(here, 'next')).toBeGreaterThan(22);
    here.ward.stage.intercept = () => undefined;
    await here.ward.stage.advance(2 * MINUTE);
    expect(await hoursHeld(here, 'next'), 'and is looked at again by itself').toBe(0);
  });

  test('keeps waiting while the executions on the target cannot be read', async () => {
    const here = await blocked();
    here.ward.stage.intercept = forbid(/\/workflowexecutions$/);
    await clear(here);
    await here.ward.stage.advance(HOUR);
    expect(await hoursHeld(here, 'next')).toBeGreaterThan(22);
    here.ward.stage.intercept = () => undefined;
    await here.ward.stage.advance(2 * MINUTE);
    expect(await hoursHeld(here, 'next')).toBe(0);
  });

  test('is not freed by an unsigned clearance', async () => {
    const here = await blocked();
    await forget(here);
    const annotations = { [ANNOTATIONS.blockClearReason]: 'looked', [ANNOTATIONS.blockClearedAt]: 'today' };
    await here.ward.stage.admin.patch(Lease, keyOf(await here.lock()), { type: 'merge', body: { metadata: { annotations } } });
    await here.ward.stage.advance(HOUR);
    expect(await hoursHeld(here, 'next')).toBeGreaterThan(22);
  });
});

describe('[BO-004] a target that is left alone', LIMIT, () => {
  /** Its Secret is nowhere, which is a failure before anything runs. */
  const BAD = { dependencies: { secrets: [{ name: 'nowhere' }] } };

  test('[CO-120] an execution that waits for the backoff is not notified, until it has run', async () => {
    const here = (clinic = await ExecutionFixture.open());
    await here.remediate('bad', BAD);
    expect(await here.told('bad'), 'the failure itself is notified; nothing was changed').toEqual(['Escalation High']);
    await here.remediate('waits');
    const ready = async () => (await here.ward.get(WorkflowExecution, 'we-waits')).status?.conditions?.find(({ type }) => type === 'Ready');
    for (let second = 0; second < 59; second++) {
      expect((await ready())?.reason).toBe('RecentlyRemediated');
      expect(await here.told('waits')).toEqual([]);
      await here.ward.stage.advance(SECOND);
    }
    await here.ward.stage.advance(2 * SECOND);
    expect(await here.atWork()).toHaveLength(1);
    expect(await here.told('waits')).toEqual([]);
  });

  test('one that is skipped because all retries are used up asks a person once, and is no failure', async () => {
    const here = (clinic = await ExecutionFixture.open());
    for (let i = 1; i <= 5; i++) {
      await here.remediate(`bad-${i}`, BAD);
      await here.ward.stage.advance(11 * MINUTE);
    }
    await here.remediate('sixth', BAD);
    expect(await here.ward.status('sixth')).toMatchObject({ overallPhase: 'Skipped', skipReason: 'ExhaustedRetries' });
    await here.ward.stage.advance(HOUR);
    expect(await here.told('sixth')).toEqual(['ManualReview High']);
    expect((await here.ward.status('sixth')).failureReason).toBeUndefined();
  });
});
