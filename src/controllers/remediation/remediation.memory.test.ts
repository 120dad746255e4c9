import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE } from '../../base/index.ts';
import { specHash } from '../target/index.ts';
import { WORKFLOW } from './testing/builders.ts';
import { SYSTEM, OrchestratorFixture } from './testing/orchestrator-fixture.ts';

/** The kinds of a remediation that needs no approval. */
const KINDS = [RemediationRequest, SignalProcessing, AIAnalysis, WorkflowExecution, EffectivenessAssessment, NotificationRequest];

describe('a remediation on a server', () => {
  let ward: OrchestratorFixture;
  beforeEach(async () => {
    ward = await OrchestratorFixture.open();
  });
  afterEach(async () => {
    expect(ward.stage.troubles).toEqual([]);
    await ward.stage.end();
  });

  test('begins by watch alone, with a child to do the work', async () => {
    await ward.signal();
    const status = await ward.status();
    expect(status.overallPhase).toBe('Processing');
    const child = await ward.get(SignalProcessing, 'sp-rr');
    expect(status.signalProcessingRef?.uid).toBe(child.metadata.uid);
    expect(child.spec).toMatchObject({ signal: { name: 'KubePodCrashLooping', targetResource: { name: 'checkout' } } });
  });

  test('[RR-009, RR-022, RR-026, RR-259] goes all the way, each stage by its own child, and sends one notification', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed', severity: 'critical' });
    expect((await ward.status()).overallPhase).toBe('Analyzing');
    expect((await ward.get(AIAnalysis, 'ai-rr')).spec.analysisRequest.signalContext.severity).toBe('critical');

    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    const executing = await ward.status();
    const execution = await ward.get(WorkflowExecution, 'we-rr');
    expect(executing.overallPhase).toBe('Executing');
    expect(executing.workflowExecutionRef?.uid).toBe(execution.metadata.uid);
    expect(execution.spec.planDigest).toBe(executing.planDigest);

    await ward.change(3);
    await ward.report(WorkflowExecution, 'we-rr', {
      phase: 'Completed',
      executionStatus: { status: 'Completed', message: 'scaled to 3' },
    });
    expect((await ward.status()).overallPhase).toBe('Verifying');
    const assessment = await ward.get(EffectivenessAssessment, 'ea-rr');
    expect(assessment.spec.appliedSpecHash).toBe(specHash(await ward.deployment()));
    expect(assessment.spec.preRemediationSpecHash).not.toBe(assessment.spec.appliedSpecHash);

    const components = { healthAssessed: true, healthScore: 1, alertAssessed: true, metricsAssessed: true, hashComputed: true };
    const found = { phase: 'Completed', assessmentReason: 'Full', message: '2 of 2 pods ready', components };
    await ward.report(EffectivenessAssessment, 'ea-rr', found);
    const done = await ward.status();
    expect(done).toMatchObject({
      overallPhase: 'Completed',
      outcome: 'Remediated',
      message: 'scaled to 3; 2 of 2 pods ready; score 1.00 from health only',
    });
    expect(done.notificationStatus).toBe('Pending');
    await ward.report(NotificationRequest, 'nr-completion-rr', { phase: 'Sent' });
    const message = await ward.get(NotificationRequest, 'nr-completion-rr');
    const told = await ward.status();
    expect(told).toMatchObject({
      notificationStatus: 'Sent',
      notificationRequestRefs: [{ name: 'nr-completion-rr', uid: message.metadata.uid }],
    });

    await ward.stage.clock.advance(23 * HOUR);
    expect(await ward.names(NotificationRequest)).toEqual(['nr-completion-rr']);
    expect(await ward.status()).toEqual(told);
    await ward.stage.clock.advance(HOUR + MINUTE);
    await ward.stage.settle();
    expect(await ward.names(RemediationRequest)).toEqual([]);
  });

  test('[RR-249, RR-250, RR-251, RR-252, RR-253] the run gets all parameters that it needs', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    const { spec } = await ward.get(WorkflowExecution, 'we-rr');
    const { confidence, rationale, parameters, selectedAt: _, ...workflowRef } = WORKFLOW;
    expect(spec).toMatchObject({ targetResource: 'shop/Deployment/checkout', workflowRef, confidence, rationale, parameters });
    expect(spec.targetUID).toBe((await ward.deployment()).metadata.uid);
    expect(spec.timesOutAt).toBeDefined();
  });

  test('every child is ours, none comes before its time', async () => {
    const count = async (): Promise<readonly number[]> => {
      const lists = await Promise.all(KINDS.slice(1).map((kind) => ward.names(kind)));
      return lists.map(({ length }) => length);
    };
    await ward.signal();
    expect(await count()).toEqual([1, 0, 0, 0, 0]);
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    expect(await count()).toEqual([1, 1, 0, 0, 0]);
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    expect(await count()).toEqual([1, 1, 1, 0, 0]);
    await ward.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    expect(await count()).toEqual([1, 1, 1, 1, 0]);
    await ward.report(EffectivenessAssessment, 'ea-rr', { phase: 'Failed', assessmentReason: 'Unrecoverable' });
    expect(await count()).toEqual([1, 1, 1, 1, 1]);
    const { uid } = (await ward.get(RemediationRequest, 'rr')).metadata;
    for (const kind of KINDS.slice(1)) {
      const [child] = (await ward.stage.admin.list(kind as Resource, { namespace: SYSTEM })).items;
      const owner = { uid, controller: true, blockOwnerDeletion: kind !== EffectivenessAssessment };
      expect(child?.metadata.ownerReferences).toMatchObject([owner]);
    }
  });

  test('[RR-209] the children go with the request', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    await ward.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    await ward.report(EffectivenessAssessment, 'ea-rr', { phase: 'Failed', assessmentReason: 'Unrecoverable' });
    for (const kind of KINDS) expect(await ward.names(kind)).toHaveLength(1);
    await ward.stage.admin.delete(RemediationRequest, { namespace: SYSTEM, name: 'rr' });
    await ward.stage.clock.advance(MINUTE);
    await ward.stage.settle();
    for (const kind of KINDS) expect(await ward.names(kind)).toEqual([]);
  });

  test('a target that was changed in the meantime is analysed again, three times at most', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    for (const [attempt, name] of ['ai-rr', 'ai-rr-2', 'ai-rr-3'].entries()) {
      expect(await ward.status()).toMatchObject({ overallPhase: 'Analyzing', analysisAttempt: attempt + 1, aiAnalysisRef: { name } });
      const plan = await ward.plan();
      await ward.change(attempt + 3);
      await ward.report(AIAnalysis, name, plan);
    }
    expect(await ward.status()).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired' });
    expect(await ward.names(WorkflowExecution)).toEqual([]);
    expect(await ward.names(NotificationRequest)).toEqual(['nr-manual-review-rr']);
  });

  test('a run that is deleted is never run again', async () => {
    await ward.signal();
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    await ward.letGo(WorkflowExecution, 'we-rr');
    await ward.stage.admin.delete(WorkflowExecution, { namespace: SYSTEM, name: 'we-rr' });
    await ward.stage.settle();
    expect(await ward.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', requiresManualReview: true });
    await ward.stage.clock.advance(HOUR);
    expect(await ward.names(WorkflowExecution)).toEqual([]);
  });

  test('a stage that never ends times out, and a notification reports it', async () => {
    await ward.signal();
    await ward.stage.clock.advance(4 * MINUTE + 58_000);
    expect((await ward.status()).overallPhase).toBe('Processing');
    await ward.stage.clock.advance(2_000);
    await ward.stage.settle();
    expect(await ward.status()).toMatchObject({ overallPhase: 'TimedOut', timeoutPhase: 'Processing' });
    expect(await ward.names(NotificationRequest)).toEqual(['phase-timeout-processing-rr']);
  });

  test('what the gateway writes meanwhile is kept', async () => {
    await ward.signal();
    await ward.report(RemediationRequest, 'rr', { deduplication: { occurrenceCount: 7 } });
    await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    expect(await ward.status()).toMatchObject({ overallPhase: 'Analyzing', deduplication: { occurrenceCount: 7 } });
  });
});
