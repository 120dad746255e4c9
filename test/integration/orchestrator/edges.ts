import { expect, test } from 'vitest';
import { Deployment } from '../../../src/api/builtin/index.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { SignalProcessing } from '../../../src/api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../src/api/workflow-execution/workflow-execution.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { MINUTE } from '../../../src/base/index.ts';
import { ends, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Stage } from './fixture.ts';
import type { Stages } from './fixtures.ts';

const stalls = { does: 'stall' } as const;
const containing = (text: string): string => expect.stringContaining(text) as string;
/** The run waits for something, and gives up in the end. */
const HESITATES: Partial<Fates> = { execution: () => ends('FailedBefore', MINUTE) };
const ASKS: Partial<Fates> = { analysis: () => ends('ApprovalRequired') };

/** An operator sets whether Sickbay may work on the target. */
const manage = (stage: Stage, name: string, managed: boolean): Promise<unknown> =>
  stage.admin.patch(
    Deployment,
    { namespace: stage.shop, name },
    { type: 'merge', body: { metadata: { labels: { [LABELS.managed]: String(managed) } } } },
  );

/** Blocks that come in the middle. */
export function middleScenarios(stages: Stages): void {
  test('[RR-003] a target that is taken out of scope meanwhile is not worked on; given back, it starts over', async () => {
    const { calm } = stages;
    const rr = await calm.fire('taken-out', { fates: { analysis: () => stalls } });
    await rr.reaches('Analyzing');
    await manage(calm, 'taken-out', false);
    await rr.conclude('Plan');
    expect(await rr.reaches('Blocked')).toMatchObject({ blockReason: 'UnmanagedResource' });
    expect(await rr.childNames()).not.toContain(rr.children.execution);
    await manage(calm, 'taken-out', true);
    expect((await rr.ends()).status).toMatchObject({ outcome: 'Remediated' });
    expect(rr.phases.slice(0, 5)).toEqual(['Pending', 'Processing', 'Analyzing', 'Blocked', 'Pending']);
    expect(rr.phases.slice(5)).toEqual(['Processing', 'Analyzing', 'Executing', 'Verifying', 'Completed']);
  });

  test('an approved plan is checked again: it waits for a target that is busy by then, and no approver is asked twice', async () => {
    const { calm } = stages;
    const rr = await calm.fire('yes-but', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    const other = await calm.fire('yes-but-other', { target: 'yes-but', problem: 'KubePodNotReady', fates: HESITATES });
    await other.reaches('Executing');
    await rr.decide('boss', { decision: 'Approved', reason: 'go' });
    expect(await rr.reaches('Blocked')).toMatchObject({ blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-rr-yes-but-other' });
    expect(await rr.childNames()).not.toContain(rr.children.execution);
    await other.stopRun();
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({ outcome: 'Remediated' });
    expect(rr.phases.slice(3)).toEqual(['AwaitingApproval', 'Blocked', 'Analyzing', 'Executing', 'Verifying', 'Completed']);
    expect(told.filter(({ type }) => type === 'Approval')).toHaveLength(1);
  });
}

/** Requests and runs that meet, and go away. */
export function meetingScenarios(stages: Stages): void {
  test('a duplicate whose original is deleted starts over', async () => {
    const { calm } = stages;
    const original = await calm.fire('gone', { fates: { processing: () => stalls } });
    await original.reaches('Processing');
    const rr = await calm.fire('gone-1', { target: 'gone' });
    await rr.reaches('Blocked');
    await calm.admin.delete(RemediationRequest, original.key);
    expect((await rr.ends()).status).toMatchObject({ outcome: 'Remediated' });
    expect(rr.phases.slice(0, 4)).toEqual(['Pending', 'Blocked', 'Pending', 'Processing']);
  });

  test('of two that come at once, one goes on and the other waits', async () => {
    const { calm } = stages;
    const both = await Promise.all(
      ['twin-1', 'twin-2'].map((name) => calm.fire(name, { target: 'twin', fates: { analysis: () => stalls } })),
    );
    const [one, other] = both as [(typeof both)[0], (typeof both)[0]];
    const held = await Promise.race([one.reaches('Blocked'), other.reaches('Blocked')]);
    const ahead = held.duplicateOf === one.name ? one : other;
    await ahead.reaches('Analyzing');
    expect((ahead === one ? other : one).phases).toEqual(['Pending', 'Blocked']);
    for (const rr of [ahead, ahead === one ? other : one]) await rr.cancel('mara', 'enough');
    await Promise.all(both.map((rr) => rr.ends()));
  });

  test('a run that is deleted no longer works on its target', async () => {
    const { calm } = stages;
    const other = await calm.fire('freed-other', { target: 'freed', problem: 'KubePodNotReady', fates: { execution: () => stalls } });
    await other.reaches('Executing');
    const rr = await calm.fire('freed', {});
    expect(await rr.reaches('Blocked')).toMatchObject({ blockReason: 'ResourceBusy' });
    await calm.admin.delete(WorkflowExecution, { namespace: calm.system, name: other.children.execution });
    expect((await rr.ends()).status).toMatchObject({ outcome: 'Remediated' });
    expect((await other.ends()).status).toMatchObject({ overallPhase: 'Failed', requiresManualReview: true });
  });
}

/** As long and as loud as servers allow. */
export function extremeScenarios(stages: Stages): void {
  test('a request with the longest name that there is comes to its end', async () => {
    const rr = await stages.calm.fire('x'.repeat(250), { target: 'longest', fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await rr.decide('boss', { decision: 'Approved', reason: 'go' });
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({ outcome: 'Remediated' });
    expect(told.map(({ type }) => type)).toEqual(['Approval', 'Completion']);
    for (const name of await rr.childNames()) expect(name.length).toBeLessThanOrEqual(253);
  });

  test('what fails with very many words is told all the same', async () => {
    const rr = await stages.calm.fire('wordy', { fates: { processing: () => stalls } });
    await rr.reaches('Processing');
    const error = 'it is a long story 🙂 '.repeat(5_000);
    const key = { namespace: stages.calm.system, name: rr.children.signalProcessing };
    await stages.calm.admin.patchStatus(SignalProcessing, key, { type: 'merge', body: { status: { phase: 'Failed', error } } });
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({ overallPhase: 'Failed', failureReason: containing('it is a long story') });
    expect(told).toMatchObject([{ type: 'Escalation', body: containing('it is a long story') }]);
  });

  test('an undelivered notification is recorded in status as failed', async () => {
    const rr = await stages.calm.fire('undelivered', { fates: { notification: () => ends('Failed') } });
    expect((await rr.ends()).status).toMatchObject({ outcome: 'Remediated', notificationStatus: 'Failed' });
  });
}
