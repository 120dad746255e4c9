import { expect, test } from 'vitest';
import { Deployment, Namespace } from '../../../src/api/builtin/index.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { after, MINUTE, parseTime, SECOND } from '../../../src/base/index.ts';
import { ends, openNamespace, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Stages } from './fixtures.ts';

const UNENRICHED: Partial<Fates> = { processing: () => ends('Failed') };
const TO_THE_PLAN = ['Pending', 'Processing', 'Analyzing'] as const;
const TO_THE_END = ['Executing', 'Verifying', 'Completed'] as const;
const containing = (text: string): string => expect.stringContaining(text) as string;
const blocked = { failurePhase: 'Blocked', consecutiveFailureCount: 0 };

/** What an event lifts. */
export function eventBlockScenarios(stages: Stages): void {
  test.each(['resource', 'namespace'] as const)(
    '[RR-028, RR-060] an unmanaged target is left alone until a label on its %s says otherwise',
    async (where) => {
      const { calm } = stages;
      const namespace = `${calm.system}-${where}`;
      await openNamespace(calm.admin, namespace);
      const rr = await calm.fire(`unmanaged-${where}`, { namespace });
      const held = await rr.reaches('Blocked');
      expect(held).toMatchObject({ blockReason: 'UnmanagedResource' });
      expect(held.blockedUntil).toBeUndefined();
      expect(await rr.childNames()).toEqual([]);
      const label = { type: 'merge', body: { metadata: { labels: { [LABELS.managed]: 'true' } } } } as const;
      await (where === 'resource'
        ? calm.admin.patch(Deployment, rr.target, label)
        : calm.admin.patch(Namespace, { namespace: '', name: namespace }, label));
      const { status, told } = await rr.ends();
      expect(rr.phases).toEqual(['Pending', 'Blocked', ...TO_THE_PLAN, ...TO_THE_END]);
      expect(status).toMatchObject({ outcome: 'Remediated' });
      expect(status.blockReason).toBeUndefined();
      expect(told.map(({ name }) => name)).toEqual([`nr-block-unmanagedresource-${rr.name}`, `nr-completion-${rr.name}`]);
    },
  );

  test('[RR-030] a target that another run keeps busy is waited for, and the plan goes on from the analysis', async () => {
    const before = await stages.calm.fire('busy-1', { fates: { execution: () => ends('FailedBefore', MINUTE) } });
    await before.reaches('Executing');
    const rr = await stages.calm.fire('busy-2', { target: 'busy-1', problem: 'KubePodNotReady' });
    const held = await rr.reaches('Blocked');
    expect(held).toMatchObject({ blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-rr-busy-1' });
    expect(await rr.childNames()).not.toContain('we-rr-busy-2');
    await before.stopRun();
    const { status } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_PLAN, 'Blocked', 'Analyzing', ...TO_THE_END]);
    expect(status).toMatchObject({ outcome: 'Remediated' });
    expect((await rr.messages())[0]).toMatchObject({ type: 'StatusUpdate', body: containing('WorkflowExecution we-rr-busy-1 works on') });
  });
}

/** What the request that stands in the way lifts. */
export function duplicateScenarios(stages: Stages): void {
  test('[RR-029, RR-226, RR-228] duplicates wait for their original, which tells of them all at once', async () => {
    const { calm } = stages;
    const original = await calm.fire('dup', { fates: { analysis: () => ({ does: 'stall' }) } });
    await original.reaches('Analyzing');
    const first = await calm.fire('dup-1', { target: 'dup' });
    const second = await calm.fire('dup-2', { target: 'dup' });
    for (const rr of [first, second])
      expect(await rr.reaches('Blocked')).toMatchObject({ blockReason: 'DuplicateInProgress', duplicateOf: 'rr-dup' });
    await original.write({ deduplication: { occurrenceCount: 3 } });
    await original.conclude('Plan');
    const { status, told } = await original.ends();
    expect(status).toMatchObject({ outcome: 'Remediated', duplicateCount: 2, duplicateRefs: ['rr-dup-1', 'rr-dup-2'] });
    expect(told.map(({ name }) => name)).toEqual(['nr-bulk-rr-dup', 'nr-completion-rr-dup']);
    expect(told[0]).toMatchObject({
      type: 'Simple',
      body: containing('2 other requests waited for rr-dup to end: rr-dup-1, rr-dup-2\n3 signals'),
    });
    // The same workflow has just been run on the target.
    expect((await first.ends()).status).toMatchObject({ ...blocked, blockReason: 'RecentlyRemediated' });
    expect(first.phases).toEqual(['Pending', 'Blocked', ...TO_THE_PLAN, 'Blocked', 'Failed']);
    expect(await second.reaches('Blocked', ({ duplicateOf }) => duplicateOf === 'rr-dup-1')).toBeDefined();
  });

  test('[RR-261] a duplicate takes over the result of its original where that is wanted', async () => {
    const original = await stages.brief.fire('inherit', { fates: { analysis: () => ({ does: 'stall' }) } });
    await original.reaches('Analyzing');
    const rr = await stages.brief.fire('inherit-1', { target: 'inherit' });
    await rr.reaches('Blocked');
    await original.conclude('Plan');
    const { status } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Blocked', 'Completed']);
    expect(status).toMatchObject({ outcome: 'Remediated', message: containing('rr-inherit, which it waited for, is Completed') });
  });
}

/** What only time lifts. */
export function timeBlockScenarios(stages: Stages): void {
  test('[RR-031] a signal that comes too soon after a failure fails when its time is over, which is no failure more', async () => {
    const failure = await (await stages.calm.fire('backoff-1', { target: 'backoff', fates: UNENRICHED })).reaches('Failed');
    const rr = await stages.calm.fire('backoff-2', { target: 'backoff' });
    const held = await rr.reaches('Blocked');
    expect(held).toMatchObject({ blockReason: 'ExponentialBackoff', blockedUntil: failure.nextAllowedExecution });
    expect(await rr.childNames()).toEqual([]);
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Blocked', 'Failed']);
    expect(parseTime(status.completedAt)).toBeGreaterThanOrEqual(parseTime(held.blockedUntil)!);
    expect(status).toMatchObject({ failurePhase: 'Blocked', consecutiveFailureCount: 1 });
    expect(told.map(({ type }) => type)).toEqual(['StatusUpdate', 'StatusUpdate']);
  });

  test('[RR-031] the same workflow is not run on the same target again so soon', async () => {
    await (await stages.calm.fire('recent-1', { target: 'recent' })).reaches('Verifying');
    const rr = await stages.calm.fire('recent-2', { target: 'recent', problem: 'KubePodNotReady' });
    const held = await rr.reaches('Blocked');
    expect(held).toMatchObject({ blockReason: 'RecentlyRemediated', blockMessage: containing('we-rr-recent-1 ran the same workflow') });
    const { status } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_PLAN, 'Blocked', 'Failed']);
    expect(status).toMatchObject(blocked);
    expect(await rr.childNames()).not.toContain(rr.children.execution);
  });
}

/** What goes wrong again and again. */
export function repeatedScenarios(stages: Stages): void {
  test('[RR-032, RR-239, RR-248] the failure that reaches the threshold holds its signal back, and is a failure again', async () => {
    const { eager } = stages;
    const fail = (name: string) => eager.fire(name, { target: 'failing', fates: UNENRICHED });
    expect((await (await fail('failing-1')).ends()).status).toMatchObject({ overallPhase: 'Failed', consecutiveFailureCount: 1 });
    const rr = await fail('failing-2');
    const held = await rr.reaches('Blocked');
    expect(held).toMatchObject({ blockReason: 'ConsecutiveFailures', consecutiveFailureCount: 2 });
    expect(parseTime(held.blockedUntil)! - parseTime(held.completedAt)!).toBe(eager.settings.routing.consecutiveFailureCooldownMs);
    const next = await fail('failing-3');
    expect(await next.reaches('Blocked')).toMatchObject({ blockReason: 'ConsecutiveFailures' });
    expect(await next.childNames()).toEqual([]);
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Processing', 'Failed', 'Blocked', 'Failed']);
    expect(status).toMatchObject({ failurePhase: 'SignalProcessing', completedAt: held.completedAt });
    expect(told.map(({ name }) => name)).toEqual(['nr-block-consecutivefailures-rr-failing-2', 'nr-escalation-rr-failing-2']);
    expect((await next.ends()).status).toMatchObject({ failurePhase: 'Blocked' });
    expect(next.phases).toEqual(['Pending', 'Blocked', 'Failed']);
    expect((await (await fail('failing-4')).ends()).status).toMatchObject({ failurePhase: 'SignalProcessing', consecutiveFailureCount: 1 });
  });

  test('[RR-247] remediations that do not help stop, until a signal that comes late enough hands the case to a person', async () => {
    const {
      eager,
      eager: { settings },
    } = stages;
    const fire = (name: string, problem: string) =>
      eager.fire(name, {
        target: 'chain',
        problem,
        fates: { assessment: () => ends(name === 'chain-late' ? 'Remediated' : 'StillFiring') },
      });
    for (const name of ['chain-1', 'chain-2'])
      expect((await (await fire(name, name)).ends()).status).toMatchObject({ outcome: 'Inconclusive' });
    const rr = await fire('chain-3', 'the third');
    const held = await rr.reaches('Blocked');
    expect(held).toMatchObject({ blockReason: 'IneffectiveChain', requiresManualReview: true });
    expect(held.blockedUntil).toBeUndefined();
    await eager.until('the window is over', () =>
      eager.isPast(after(parseTime(held.blockedStartTime)!, settings.routing.ineffectiveTimeWindowMs + SECOND)),
    );
    expect(rr.phases).toEqual([...TO_THE_PLAN, 'Blocked']);
    const late = await fire('chain-late', 'the third');
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_PLAN, 'Blocked', 'Failed']);
    expect(status).toMatchObject({ failurePhase: 'Blocked', requiresManualReview: true });
    expect(told).toMatchObject([{ type: 'Escalation' }, { name: 'nr-manual-review-rr-chain-3', type: 'ManualReview', priority: 'High' }]);
    expect((await late.ends()).status).toMatchObject({ outcome: 'Remediated' });
  });
}
