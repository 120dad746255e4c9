import { expect, test } from 'vitest';
import { AIAnalysis } from '../../../src/api/ai-analysis/ai-analysis.ts';
import { Deployment } from '../../../src/api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../src/api/effectiveness-assessment/effectiveness-assessment.ts';
import type { Draft } from '../../../src/api/meta.ts';
import { NotificationRequest } from '../../../src/api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../../src/api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { SignalProcessing } from '../../../src/api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../src/api/workflow-execution/workflow-execution.ts';
import { ends, targetDraft, type CHILDREN, type Fate, type Fates } from '../../../src/testkit/orchestrator/index.ts';
import type { Stage } from './fixture.ts';
import type { Stages } from './fixtures.ts';

const vanishes = { does: 'vanish', afterMs: 0 } as const satisfies Fate<never>;
const containing = (text: string): string => expect.stringContaining(text) as string;
const ASKS: Partial<Fates> = { analysis: () => ends('ApprovalRequired') };

/** Another client deletes one child of each kind. */
export function deletedChildScenarios(stages: Stages): void {
  test.each([
    { kind: 'SignalProcessing', resource: SignalProcessing, child: 'sp-rr-deleted-sp', fates: { processing: () => vanishes } },
    { kind: 'AIAnalysis', resource: AIAnalysis, child: 'ai-rr-deleted-ai', fates: { analysis: () => vanishes } },
  ] as const)('a deleted $kind changed nothing, and is made again', async ({ child, fates, resource }) => {
    const rr = await stages.calm.fire(child.slice('sp-rr-'.length), { fates });
    const { status } = await rr.ends();
    expect(status).toMatchObject({ outcome: 'Remediated' });
    expect(rr.phases).toEqual(['Pending', 'Processing', 'Analyzing', 'Executing', 'Verifying', 'Completed']);
    const { uid } = (await rr.child(resource as Resource, child)).metadata;
    expect([status.signalProcessingRef?.uid, status.aiAnalysisRef?.uid]).toContain(uid);
  });

  test('a deleted question is a no', async () => {
    const rr = await stages.calm.fire('deleted-rar', { fates: ASKS });
    await rr.reaches('AwaitingApproval');
    await stages.calm.admin.delete(RemediationApprovalRequest, { namespace: stages.calm.system, name: rr.children.approval() });
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({
      overallPhase: 'Failed',
      failurePhase: 'Approval',
      failureReason: containing('deleted before an approver decided'),
    });
    expect(await rr.childNames()).toEqual([rr.children.signalProcessing, rr.children.analysis()]);
    expect(told.at(-1)).toMatchObject({ type: 'Escalation' });
  });

  test('a deleted run is never run again', async () => {
    const rr = await stages.calm.fire('deleted-we', { fates: { execution: () => ({ does: 'stall' }) } });
    await rr.reaches('Executing');
    await stages.calm.admin.delete(WorkflowExecution, { namespace: stages.calm.system, name: rr.children.execution });
    const { status, told } = await rr.ends();
    expect(rr.phases.slice(-2)).toEqual(['Executing', 'Failed']);
    expect(status).toMatchObject({ failurePhase: 'WorkflowExecution', requiresManualReview: true });
    expect(await rr.childNames()).not.toContain(rr.children.execution);
    expect(told).toMatchObject([{ type: 'ManualReview', priority: 'Critical', body: containing('it is unknown what it did') }]);
    expect(stages.calm.ledger.acts.filter(({ request }) => request === rr.name).length).toBeLessThanOrEqual(1);
  });

  test('a deleted assessment leaves open whether it helped', async () => {
    const rr = await stages.calm.fire('deleted-ea', { fates: { assessment: () => ({ does: 'stall' }) } });
    await rr.reaches('Verifying');
    await stages.calm.admin.delete(EffectivenessAssessment, { namespace: stages.calm.system, name: rr.children.assessment });
    const { status } = await rr.ends();
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'Inconclusive', message: containing('its assessment was deleted') });
  });

  test('a message that is deleted before it is delivered is written again', async () => {
    const rr = await stages.calm.fire('deleted-nr', { fates: { notification: () => vanishes } });
    const { status, told } = await rr.ends();
    expect(status).toMatchObject({ outcome: 'Remediated', notificationStatus: 'Sent' });
    expect(told).toMatchObject([{ name: 'nr-completion-rr-deleted-nr' }]);
  });
}

/** A foreign object has the name of one child of each kind. */
export function foreignChildScenarios(stages: Stages): void {
  test.each([
    { prefix: 'sp', resource: SignalProcessing, phases: ['Pending', 'Processing', 'Failed'], stage: 'SignalProcessing', fates: {} },
    { prefix: 'ai', resource: AIAnalysis, phases: ['Pending', 'Processing', 'Failed'], stage: 'AIAnalysis', fates: {} },
    {
      prefix: 'rar',
      resource: RemediationApprovalRequest,
      phases: ['Pending', 'Processing', 'Analyzing', 'Failed'],
      stage: 'Approval',
      fates: ASKS,
    },
    {
      prefix: 'we',
      resource: WorkflowExecution,
      phases: ['Pending', 'Processing', 'Analyzing', 'Failed'],
      stage: 'WorkflowExecution',
      fates: {},
    },
  ])('a $prefix that is not of the request is neither used nor touched: it fails', async ({ prefix, resource, phases, stage, fates }) => {
    const squatted = `${prefix}-rr-foreign-${prefix}`;
    const uid = await squat(stages.calm, resource, squatted);
    const rr = await stages.calm.fire(`foreign-${prefix}`, { fates });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(phases);
    expect(status).toMatchObject({ failurePhase: stage, failureReason: containing(`${resource.kind} ${squatted} does not belong`) });
    expect((await rr.child(resource as Resource, squatted)).metadata.uid).toBe(uid);
    expect(told.at(-1)?.body).toContain('delete it if nothing else needs it');
    expect(stages.calm.ledger.acts.some(({ request }) => request === rr.name)).toBe(false);
  });

  test('an assessment that is not of the request is not its assessment', async () => {
    await squat(stages.calm, EffectivenessAssessment, 'ea-rr-foreign-ea');
    const rr = await stages.calm.fire('foreign-ea');
    const { status } = await rr.ends();
    expect(rr.phases.slice(-2)).toEqual(['Verifying', 'Completed']);
    expect(status).toMatchObject({
      outcome: 'Inconclusive',
      message: containing('EffectivenessAssessment ea-rr-foreign-ea does not belong'),
    });
    expect(status.effectivenessAssessmentRef).toBeUndefined();
  });

  test('a foreign object in place of a notification notifies no person, and the request reports that until the name is free', async () => {
    const { calm } = stages;
    await squat(calm, NotificationRequest, 'nr-completion-rr-foreign-nr');
    const rr = await calm.fire('foreign-nr');
    const isTaken = (reason: string): boolean => reason === 'NameTaken';
    const taken = await rr.reaches('Completed', ({ conditions = [] }) => conditions.some(({ reason }) => isTaken(reason)));
    expect(taken.conditions?.find(({ reason }) => isTaken(reason))?.message).toContain(
      'NotificationRequest nr-completion-rr-foreign-nr does not',
    );
    await calm.admin.delete(NotificationRequest, { namespace: calm.system, name: 'nr-completion-rr-foreign-nr' });
    // Deleting a foreign object triggers no event: the next check finds the name free.
    await calm.admin.patch(RemediationRequest, rr.key, { type: 'merge', body: { metadata: { labels: { looked: 'again' } } } });
    const told = await rr.reaches('Completed', ({ notificationStatus }) => notificationStatus === 'Sent');
    expect(told.conditions?.some(({ reason }) => isTaken(reason))).toBe(false);
    expect(await rr.messages()).toMatchObject([{ name: 'nr-completion-rr-foreign-nr', type: 'Completion' }]);
  });
}

/** Takes a name with an object that belongs to another owner. */
async function squat(stage: Stage, kind: (typeof CHILDREN)[number], name: string): Promise<string> {
  const { metadata } = await stage.until('there is another owner', async () => {
    const found = await stage.find(Deployment, 'somebody-else');
    return found ?? stage.admin.create(Deployment, targetDraft('somebody-else', stage.system)).catch(() => undefined);
  });
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: metadata.name, uid: metadata.uid, controller: true };
  const { apiVersion, spec } = kind.sample;
  const draft = { apiVersion, kind: kind.kind, metadata: { name, namespace: stage.system, ownerReferences: [owner] }, spec };
  return (await stage.admin.create(kind as typeof SignalProcessing, draft as Draft<SignalProcessing>)).metadata.uid;
}
