import { expect, test } from 'vitest';
import { AIAnalysis } from '../../../src/api/ai-analysis/ai-analysis.ts';
import { Deployment } from '../../../src/api/builtin/index.ts';
import { RemediationApprovalRequest } from '../../../src/api/remediation-approval-request/remediation-approval-request.ts';
import { LABELS } from '../../../src/api/well-known.ts';
import { systemClock, toTime } from '../../../src/base/index.ts';
import { ends, openNamespace, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Remediation } from './remediation.ts';
import type { Stages } from './fixtures.ts';

const containing = (text: string): string => expect.stringContaining(text) as string;
const ASKS: Partial<Fates> = { analysis: () => ends('ApprovalRequired') };
const HESITATES: Partial<Fates> = { analysis: (_, child) => (/-\d$/.test(child) ? ends('Plan') : { does: 'stall' }) };
const APPROVED = { decision: 'Approved', reason: 'go' } as const;

/** The world changes between the plan and its run. */
export function targetScenarios(stages: Stages): void {
  test('a target that was changed between plan and run is analysed again', async () => {
    const rr = await stages.calm.fire('changed', { fates: HESITATES });
    await rr.reaches('Analyzing');
    const before = await stages.calm.admin.get(Deployment, rr.target);
    await rr.edit(5);
    await rr.conclude('Plan', before);
    const { status } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Processing', 'Analyzing', 'Analyzing', 'Executing', 'Verifying', 'Completed']);
    const analysis = await rr.child(AIAnalysis, 'ai-rr-changed-2');
    expect(status).toMatchObject({ outcome: 'Remediated', analysisAttempt: 2, aiAnalysisRef: { uid: analysis.metadata.uid } });
    expect((await rr.reaches('Analyzing', ({ analysisAttempt }) => analysisAttempt === 2)).message).toContain(
      'was changed since it was analysed',
    );
  });

  test('an approval for a target that was changed since is void: a new approval is requested', async () => {
    const rr = await stages.calm.fire('changed-after', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await rr.edit(5);
    await rr.decide('boss', APPROVED);
    await rr.reaches('AwaitingApproval', ({ analysisAttempt }) => analysisAttempt === 2);
    expect(await rr.childNames()).not.toContain(rr.children.execution);
    await rr.decide('boss', APPROVED, 2);
    const { status, told } = await rr.ends();
    expect(rr.phases.slice(2)).toEqual([
      'Analyzing',
      'AwaitingApproval',
      'Analyzing',
      'AwaitingApproval',
      'Executing',
      'Verifying',
      'Completed',
    ]);
    expect(status).toMatchObject({ outcome: 'Remediated', approvalRequestRef: { name: 'rar-rr-changed-after-2' } });
    expect(told.filter(({ type }) => type === 'Approval')).toHaveLength(2);
  });

  test('a target that is gone is nothing to run anything on', async () => {
    const rr = await stages.calm.fire('vanished', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await stages.calm.admin.delete(Deployment, rr.target);
    await stages.calm.until('it is gone', async () =>
      (await stages.calm.find(Deployment, 'vanished', stages.calm.shop)) ? undefined : true,
    );
    await rr.decide('boss', APPROVED);
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired', requiresManualReview: true });
    expect(status.message).toContain('Deployment orchestrator-calm-shop/vanished no longer exists');
    expect(await rr.childNames()).not.toContain(rr.children.execution);
    expect(told.at(-1)).toMatchObject({ type: 'ManualReview' });
  });
}

/** The problem goes away by itself. */
export function resolvedScenarios(stages: Stages): void {
  test.each(['Processing', 'AwaitingApproval', 'Blocked'] as const)(
    'ruling 126: alerts that stay resolved in %s need nothing to be run',
    async (phase) => {
      const { calm } = stages;
      const fates = phase === 'Processing' ? { processing: () => ({ does: 'stall' as const }) } : ASKS;
      const namespace = phase === 'Blocked' ? `${calm.system}-resolved` : calm.shop;
      await openNamespace(calm.admin, namespace);
      const rr = await calm.fire(`resolved-${phase.toLowerCase()}`, { fates, namespace });
      await rr.reaches(phase);
      const alert = { name: 'KubePodCrashLooping', instance: '1', lastSeenAt: toTime(systemClock.now()) };
      const resolved = { ...alert, resolvedAt: toTime(systemClock.now()) };
      await rr.write({ deduplication: { occurrenceCount: 2, alerts: [resolved, { ...alert, instance: '2' }] } });
      await rr.write({ deduplication: { occurrenceCount: 2, alerts: [resolved, { ...resolved, instance: '2' }] } });
      // No kubelet makes its pods ready here: a target that is gone needs nothing either.
      await calm.admin.delete(Deployment, rr.target);
      const { status, told } = await rr.ends();
      expect(rr.phases.slice(-2)).toEqual([phase, 'Completed']);
      expect(status).toMatchObject({ outcome: 'NoActionRequired', message: containing('before anything was done') });
      expect(status.nextAllowedExecution).toBeUndefined();
      expect(await rr.childNames()).not.toContain(rr.children.execution);
      if (phase === 'AwaitingApproval')
        expect(await rr.child(RemediationApprovalRequest, rr.children.approval())).toMatchObject({
          status: { decision: 'Expired', reason: 'Closed', message: containing('resolved') },
        });
      expect(told.map(({ name }) => name)).toContain(`nr-self-resolved-${rr.name}`);
    },
  );
}

/** Nothing is done, only said. */
export function dryRunScenarios(stages: Stages): void {
  async function expectDryRun(rr: Remediation, by: string): Promise<void> {
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Processing', 'Analyzing', 'Completed']);
    expect(status).toMatchObject({
      outcome: 'DryRun',
      message: containing(`dry run, set by ${by}: rollback-deployment:1.0.0 on Deployment`),
    });
    expect(await rr.childNames()).toEqual([rr.children.signalProcessing, rr.children.analysis()]);
    expect(told).toMatchObject([{ type: 'Completion', body: containing('would have been run') }]);
  }

  test('a dry run that the request asks for ends after the analysis', async () =>
    expectDryRun(await stages.calm.fire('dry-request', { dryRun: true, fates: ASKS }), 'the request (spec.dryRun)'));

  test('a dry run that the namespace asks for ends after the analysis', async () => {
    const namespace = `${stages.calm.system}-dry`;
    await openNamespace(stages.calm.admin, namespace, { [LABELS.managed]: 'true', [LABELS.dryRun]: 'true' });
    const rr = await stages.calm.fire('dry-namespace', { namespace });
    await expectDryRun(rr, `namespace ${namespace} (label ${LABELS.dryRun})`);
  });

  test('a dry run that the configuration asks for ends after the analysis', async () =>
    expectDryRun(await stages.dry.fire('dry-configuration'), 'the configuration (dryRun)'));
}
