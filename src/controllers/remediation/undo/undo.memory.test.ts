import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { Deployment } from '../../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { specHash } from '../../target/index.ts';
import { aRequest, aWorkflow } from '../testing/builders.ts';
import { orchestrator, SYSTEM, OrchestratorFixture } from '../testing/orchestrator-fixture.ts';

let ward: OrchestratorFixture;
beforeEach(async () => {
  ward = await OrchestratorFixture.open();
});
afterEach(async () => {
  expect(ward.stage.troubles).toEqual([]);
  await ward.stage.end();
});

/** The catalogue has the workflow, which requires an undo below this score; undefined requires none. */
async function offer(onScoreBelow?: number): Promise<void> {
  const { apiVersion, kind, spec } = aWorkflow();
  const { undo: _, ...rest } = spec;
  const metadata = { name: 'rollback-deployment', namespace: SYSTEM };
  const asked = { ...rest, ...(onScoreBelow !== undefined && { undo: { onScoreBelow } }) };
  await ward.stage.admin.create(RemediationWorkflow, { apiVersion, kind, metadata, spec: asked });
}

/** One whole remediation; its workflow scales the target and records how to undo that. It ends with this health. */
async function remediate(
  name: string,
  { replicas, healthScore }: { readonly replicas: number; readonly healthScore: number },
): Promise<void> {
  await ward.report(SignalProcessing, `sp-${name}`, { phase: 'Completed' });
  await ward.report(AIAnalysis, `ai-${name}`, await ward.plan());
  const { spec, metadata } = await ward.deployment();
  const undo = { workflow: 'rollback-deployment', parameters: { REPLICAS: String(spec.replicas) } };
  const record = { workflow: 'rollback-deployment', execution: `we-${name}`, did: `scaled to ${replicas}`, undo };
  const annotations = { 'kubernaut.ai/undo': JSON.stringify(record) };
  const body = { metadata: { annotations }, spec: { replicas } };
  await ward.stage.admin.patch(Deployment, { namespace: 'shop', name: metadata.name }, { type: 'merge', body });
  await ward.report(WorkflowExecution, `we-${name}`, { phase: 'Completed' });
  const components = { healthAssessed: true, healthScore, alertAssessed: true, hashComputed: true, metricsAssessed: true };
  const currentSpecHash = specHash(await ward.deployment());
  await ward.report(EffectivenessAssessment, `ea-${name}`, {
    phase: 'Completed',
    assessmentReason: 'Full',
    components: { ...components, currentSpecHash },
  });
  if ((await ward.names(NotificationRequest)).includes(`nr-manual-review-${name}`))
    await ward.report(NotificationRequest, `nr-manual-review-${name}`, { phase: 'Sent' });
}

const undoOf = async (name = 'rr'): Promise<string> => `rr-undo-${(await ward.get(RemediationRequest, name)).metadata.uid}`;

async function didNotHelp(): Promise<string> {
  await offer(0.5);
  await ward.signal();
  await remediate('rr', { replicas: 4, healthScore: 0 });
  return undoOf();
}

describe('a remediation that scores low', () => {
  test('is undone by a request of its own, once its signal is no longer suppressed', async () => {
    const name = await didNotHelp();
    const ended = await ward.status();
    expect(ended).toMatchObject({ outcome: 'Inconclusive', notificationStatus: 'Sent', undo: { workflow: 'rollback-deployment' } });
    expect(ended.undo?.requestRef).toMatchObject({ name, kind: 'RemediationRequest' });
    expect(ended.undo?.requestRef.uid, 'wanted, and not there yet').toBeUndefined();
    expect(ended.message).toContain(`${name} undoes it`);
    const [told] = await ward.all(NotificationRequest);
    expect(told?.spec.body).toContain(`${name} undoes it with rollback-deployment`);
    await ward.stage.advance(MINUTE - SECOND);
    expect(await ward.names(RemediationRequest)).toEqual(['rr']);

    await ward.stage.advance(SECOND);
    const request = await ward.get(RemediationRequest, name);
    const original = await ward.get(RemediationRequest, 'rr');
    const { dryRun: _, ...signal } = aRequest().spec;
    expect(request.spec).toMatchObject({
      ...signal,
      receivedTime: ended.completedAt,
      undoOf: { name: 'rr', uid: original.metadata.uid },
    });
    expect(request.metadata.ownerReferences, 'it outlives the remediation that it undoes').toBeUndefined();
    expect(original.status?.undo?.requestRef.uid).toBe(request.metadata.uid);
    expect(ward.stage.told).toContain('UndoOpened');
  });

  test('goes the way of every other: it is analysed, and held back by nothing but what holds others back', async () => {
    const name = await didNotHelp();
    await ward.stage.advance(MINUTE);
    await ward.report(SignalProcessing, `sp-${name}`, { phase: 'Completed' });
    const { spec } = await ward.get(AIAnalysis, `ai-${name}`);
    expect(spec.undoOf).toEqual({ name: 'rr', uid: (await ward.get(RemediationRequest, 'rr')).metadata.uid });
    await ward.report(AIAnalysis, `ai-${name}`, await ward.plan({ approvalRequired: true, approvalReason: 'production' }));
    expect(await ward.status(name), 'the same workflow ran here a minute ago').toMatchObject({ overallPhase: 'AwaitingApproval' });
    const notice = await ward.get(NotificationRequest, `nr-approval-${name}`);
    expect(notice.spec.subject).toBe('Approval needed: undo of rr on Deployment shop/checkout');
  });

  test('is not undone twice, and the undo is not undone either', async () => {
    const name = await didNotHelp();
    await ward.stage.advance(MINUTE);
    await remediate(name, { replicas: 2, healthScore: 0 });
    const status = await ward.status(name);
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'Inconclusive', consecutiveFailureCount: 2 });
    expect(status.undo).toBeUndefined();
    await ward.stage.advance(HOUR);
    expect((await ward.names(RemediationRequest)).toSorted()).toEqual(['rr', name].toSorted());
  });

  test('once opened it is never opened again, even if the undo request is deleted', async () => {
    const name = await didNotHelp();
    await ward.stage.advance(MINUTE);
    await ward.stage.admin.delete(RemediationRequest, { namespace: SYSTEM, name });
    await ward.stage.advance(HOUR);
    expect(await ward.names(RemediationRequest)).toEqual(['rr']);
  });

  test('others of its signal wait until it is over', async () => {
    const name = await didNotHelp();
    await ward.stage.advance(MINUTE + SECOND);
    await ward.signal('later');
    expect(await ward.status('later')).toMatchObject({ overallPhase: 'Blocked', blockReason: 'DuplicateInProgress', duplicateOf: name });
  });

  test('three strikes hold it back too', async () => {
    await ward.stage.end();
    const routing = { ...DEFAULT_SETTINGS.routing, consecutiveFailureThreshold: 1 };
    ward = await OrchestratorFixture.open([orchestrator({ ...DEFAULT_SETTINGS, routing })]);
    const name = await didNotHelp();
    await ward.stage.advance(MINUTE);
    expect(await ward.status(name)).toMatchObject({ overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures' });
    expect(await ward.names(SignalProcessing)).toEqual(['sp-rr']);
  });

  test('where another object has the name, nothing is undone, and an Event reports it', async () => {
    const name = await didNotHelp();
    await ward.stage.advance(30 * SECOND);
    const { apiVersion, kind, spec } = aRequest();
    const other = { ...spec, signalFingerprint: 'c8'.repeat(32) };
    await ward.stage.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name, namespace: SYSTEM }, spec: other });
    await ward.stage.advance(MINUTE);
    expect((await ward.status()).undo).toBeUndefined();
    expect(ward.stage.told).toContain('UndoNotOpened');
  });
});

describe('nothing is undone', () => {
  const cases: readonly { readonly name: string; readonly below?: number; readonly healthScore: number; readonly outcome: string }[] = [
    { name: 'where the workflow does not require it', healthScore: 0, outcome: 'Inconclusive' },
    { name: 'where it helped, however little', below: 1, healthScore: 0.25, outcome: 'Remediated' },
  ];
  test.each(cases)('$name', async ({ below, healthScore, outcome }) => {
    await offer(below);
    await ward.signal();
    await remediate('rr', { replicas: 4, healthScore });
    expect(await ward.status()).toMatchObject({ overallPhase: 'Completed', outcome });
    await ward.stage.advance(HOUR);
    expect(await ward.names(RemediationRequest)).toEqual(['rr']);
  });

  test('where it cannot be, which the message says', async () => {
    await offer(0.5);
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    await ward.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    const components = { healthAssessed: true, healthScore: 0, alertAssessed: true, currentSpecHash: specHash(await ward.deployment()) };
    await ward.report(EffectivenessAssessment, 'ea-rr', { phase: 'Completed', assessmentReason: 'Full', components });
    const { message, undo } = await ward.status();
    expect(message).toContain('It is not undone: the workflow wrote no undo record');
    expect(undo).toBeUndefined();
  });
});
