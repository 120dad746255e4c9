import { expect, test } from 'vitest';
import { AIAnalysis } from '../../../src/api/ai-analysis/ai-analysis.ts';
import { RemediationApprovalRequest } from '../../../src/api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { after, MINUTE, systemClock, toTime } from '../../../src/base/index.ts';
import { digest } from '../../../src/controllers/target/index.ts';
import { ends, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Remediation } from './remediation.ts';
import type { Stage } from './fixture.ts';
import type { Stages } from './fixtures.ts';

const ASKS: Partial<Fates> = { analysis: () => ends('ApprovalRequired') };
const TO_THE_QUESTION = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval'] as const;
const APPROVED = { decision: 'Approved', reason: 'go ahead' } as const;
const containing = (text: string): string => expect.stringContaining(text) as string;

async function expectNothingRun(rr: Remediation): Promise<void> {
  expect(await rr.childNames()).not.toContain(rr.children.execution);
}

/** What people say, and that it counts. */
export function approvalScenarios(stages: Stages): void {
  test('[RR-012, RR-019, RR-076, RR-201, RR-203] a plan that needs approval is asked about, and run on a yes', async () => {
    const rr = await stages.calm.fire('approved', { fates: ASKS });
    const asked = await rr.reaches('AwaitingApproval');
    await expectNothingRun(rr);
    await rr.decide('boss', APPROVED);
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_QUESTION, 'Executing', 'Verifying', 'Completed']);
    expect((await rr.reaches('Executing')).message).toContain('boss approved it; running rollback-deployment:1.0.0');
    expect(status).toMatchObject({ outcome: 'Remediated', approvalRequestRef: { name: 'rar-rr-approved' }, planDigest: asked.planDigest });
    expect(told).toMatchObject([{ name: 'nr-approval-rr-approved', type: 'Approval' }, { type: 'Completion' }]);
    expect(told[0]?.body).toContain('Approve: sickbay approve rr-approved -n orchestrator-calm');
    const answer = await rr.child(RemediationApprovalRequest, 'rar-rr-approved');
    expect(answer.status).toMatchObject({ decision: 'Approved', decidedBy: 'boss', decisionMessage: 'go ahead' });
  });

  test('[RR-020] a no ends it, and nothing is ever run', async () => {
    const rr = await stages.calm.fire('rejected', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await rr.decide('boss', { decision: 'Rejected', reason: 'not during the sale' });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_QUESTION, 'Failed']);
    expect(status).toMatchObject({ failurePhase: 'Approval', consecutiveFailureCount: 1 });
    expect(status.failureReason).toContain(
      'boss rejected rollback-deployment:1.0.0 on Deployment orchestrator-calm-shop/rejected: not during',
    );
    await expectNothingRun(rr);
    expect(told).toMatchObject([{ type: 'Approval' }, { type: 'Escalation', body: containing('not during the sale') }]);
    expect(rr.writes).toEqual([...TO_THE_QUESTION, 'Failed', 'Failed']);
  });

  test('[RR-088] an approval request without a decision expires, and nothing runs without a decision', async () => {
    const rr = await stages.hasty.fire('expired', { fates: ASKS });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_QUESTION, 'Failed']);
    expect(status).toMatchObject({
      failurePhase: 'Approval',
      failureReason: containing('no approver decided about rar-rr-expired before'),
    });
    await expectNothingRun(rr);
    expect(told).toMatchObject([{ type: 'Approval' }, { type: 'Escalation' }]);
    const answer = await stages.hasty.until('it is marked', async () => {
      const found = await stages.hasty.find(RemediationApprovalRequest, 'rar-rr-expired');
      return found?.status?.decision ? found : undefined;
    });
    expect(answer.status).toMatchObject({ decision: 'Expired', expired: true });
  });

  test('[RR-021, RR-194] a limit that is shortened while people think is a time-out', async () => {
    const rr = await stages.calm.fire('thinking', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await rr.write({ timeoutConfig: { awaitingApproval: '1s' } });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_QUESTION, 'TimedOut']);
    expect(status).toMatchObject({ timeoutPhase: 'AwaitingApproval', message: containing('no approver decided; nothing was run') });
    await expectNothingRun(rr);
    expect(told.map(({ name }) => name)).toContain('phase-timeout-awaitingapproval-rr-thinking');
  });
}

/** Every approval that is void. */
export function voidApprovalScenarios(stages: Stages): void {
  test('an approval in the name of another person is refused, and changes nothing', async () => {
    const rr = await stages.calm.fire('forged', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    const key = { namespace: stages.calm.system, name: 'rar-rr-forged' };
    const forged = { decision: 'Approved', decidedBy: 'boss', decidedAt: toTime(systemClock.now()) };
    const attempt = stages.calm.person('mallory').patchStatus(RemediationApprovalRequest, key, { type: 'merge', body: { status: forged } });
    await expect(attempt).rejects.toMatchObject({ code: 'Forbidden', message: containing('mallory') });
    expect((await stages.calm.find(RemediationApprovalRequest, key.name))?.status?.decision ?? '').toBe('');
    await rr.decide('boss', { decision: 'Rejected', reason: 'who was that?' });
    expect((await rr.ends()).status.failureReason).toContain('boss rejected');
    await expectNothingRun(rr);
  });

  test('an approval is void where no admission policy checks the name of the approver', async () => {
    const rr = await stages.eager.fire('unchecked', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await rr.decide('boss', APPROVED);
    const { status } = await rr.ends();
    expect(status).toMatchObject({ overallPhase: 'Failed', failurePhase: 'Approval', failureReason: containing('install the policies') });
    await expectNothingRun(rr);
  });

  test('an approval of another plan is void', async () => {
    const rr = await stages.calm.fire('other-plan', { fates: { analysis: () => ({ does: 'stall' }) } });
    await rr.reaches('Analyzing');
    await askAboutAnother(stages.calm, rr);
    await rr.decide('boss', APPROVED);
    await rr.conclude('ApprovalRequired');
    const { status } = await rr.ends();
    expect(status).toMatchObject({ overallPhase: 'Failed', failurePhase: 'Approval', failureReason: containing('is about another plan') });
    await expectNothingRun(rr);
  });

  test('a question that is put in the place of ours is not ours', async () => {
    const rr = await stages.calm.fire('other-question', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await stages.calm.admin.delete(RemediationApprovalRequest, { namespace: stages.calm.system, name: rr.children.approval() });
    await askAboutAnother(stages.calm, rr);
    const { status } = await rr.ends();
    expect(status).toMatchObject({
      overallPhase: 'Failed',
      failurePhase: 'Approval',
      failureReason: containing('was deleted before an approver'),
    });
    await expectNothingRun(rr);
  });
}

/** An attacker creates an approval request in the request's name, about another plan. */
async function askAboutAnother(stage: Stage, rr: Remediation): Promise<void> {
  const { metadata, kind, apiVersion } = await stage.admin.get(RemediationRequest, rr.key);
  const analysis = await rr.child(AIAnalysis, rr.children.analysis());
  const { spec } = RemediationApprovalRequest.sample;
  const { name, uid } = metadata;
  await stage.admin.create(RemediationApprovalRequest, {
    apiVersion: RemediationApprovalRequest.sample.apiVersion,
    kind: RemediationApprovalRequest.kind,
    metadata: {
      name: rr.children.approval(),
      namespace: stage.system,
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      ...spec,
      remediationRequestRef: { apiVersion, kind, name, namespace: stage.system, uid },
      aiAnalysisRef: { name: analysis.metadata.name },
      planDigest: digest('another plan'),
      requiredBy: toTime(after(systemClock.now(), MINUTE)),
    },
  });
}
