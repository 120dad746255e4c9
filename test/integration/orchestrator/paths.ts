import { expect, test } from 'vitest';
import { EffectivenessAssessment } from '../../../src/api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { WorkflowExecution } from '../../../src/api/workflow-execution/workflow-execution.ts';
import { ends } from '../../../src/testkit/orchestrator/index.ts';
import type { Stages } from './fixtures.ts';

const TO_THE_PLAN = ['Pending', 'Processing', 'Analyzing'] as const;
const ALL_THE_WAY = [...TO_THE_PLAN, 'Executing', 'Verifying', 'Completed'] as const;

/** The way to the fix. */
export function pathScenarios(stages: Stages): void {
  test('[RR-001, RR-006, RR-222] a request is received by watch alone and completed, and people are notified', async () => {
    const rr = await stages.calm.fire('happy');
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(ALL_THE_WAY);
    expect(status).toMatchObject({ outcome: 'Remediated', notificationStatus: 'Sent', consecutiveFailureCount: 0 });
    expect(await rr.childNames()).toEqual(['sp-rr-happy', 'ai-rr-happy', 'we-rr-happy', 'ea-rr-happy']);
    expect(told).toMatchObject([{ name: 'nr-completion-rr-happy', type: 'Completion', priority: 'Low' }]);
    expect(told[0]?.subject).toBe('Remediated: KubePodCrashLooping on Deployment orchestrator-calm-shop/happy');
    expect(told[0]?.body).toContain('rolled back to revision 1; score 1.00');
    expect(rr.writes).toEqual([...ALL_THE_WAY, 'Completed']);
  });

  test('[RR-065, RR-066, RR-070, RR-071] each phase is recorded together with its child and its start time', async () => {
    const rr = await stages.calm.fire('record');
    const at = async (...[phase, field]: readonly [Parameters<typeof rr.reaches>[0], keyof NonNullable<RemediationRequest['status']>]) =>
      (await rr.reaches(phase))[field];
    await rr.ends();
    expect(await at('Processing', 'signalProcessingRef')).toMatchObject({ name: rr.children.signalProcessing });
    expect(await at('Processing', 'processingStartTime')).toBeDefined();
    expect(await at('Analyzing', 'aiAnalysisRef')).toMatchObject({ name: rr.children.analysis() });
    expect(await at('Analyzing', 'analyzingStartTime')).toBeDefined();
    const run = await rr.child(WorkflowExecution, rr.children.execution);
    expect(await at('Executing', 'workflowExecutionRef')).toMatchObject({ name: run.metadata.name, uid: run.metadata.uid });
    const assessment = await rr.child(EffectivenessAssessment, rr.children.assessment);
    expect(await at('Verifying', 'effectivenessAssessmentRef')).toMatchObject({ uid: assessment.metadata.uid });
  });
}

/** Where each end of a stage leads. */
export function outcomeScenarios(stages: Stages): void {
  test.each(ANALYSES)('an analysis that ends as $end', async ({ end, phase, want, told: message }) => {
    const rr = await stages.calm.fire(`analysis-${end.toLowerCase()}`, { fates: { analysis: () => ends(end) } });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_PLAN, phase]);
    expect(status).toMatchObject(want);
    expect(await rr.childNames()).toEqual([rr.children.signalProcessing, rr.children.analysis()]);
    expect(told).toMatchObject([message]);
  });

  test('[RR-010, RR-073, RR-223] a problem that cannot be enriched fails with the reason why', async () => {
    const rr = await stages.calm.fire('enrichment', { fates: { processing: () => ends('Failed') } });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(['Pending', 'Processing', 'Failed']);
    expect(status).toMatchObject({ failurePhase: 'SignalProcessing', failureReason: 'the target cannot be classified' });
    expect(told).toMatchObject([{ type: 'Escalation', priority: 'High' }]);
    expect(told[0]?.body).toContain('the target cannot be classified');
  });

  test.each(RUNS)('a run that ends as $end', async ({ end, phase, want, told: message, isAssessed }) => {
    const rr = await stages.calm.fire(`run-${end.toLowerCase()}`, { fates: { execution: () => ends(end) } });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual([...TO_THE_PLAN, 'Executing', phase]);
    expect(status).toMatchObject(want);
    expect((await rr.childNames()).includes(rr.children.assessment)).toBe(isAssessed);
    expect(told).toMatchObject([message]);
  });

  test.each(ASSESSMENTS)('an assessment that ends as $end', async ({ end, want, told: message }) => {
    const rr = await stages.calm.fire(`assessed-${end.toLowerCase()}`, { fates: { assessment: () => ends(end) } });
    const { status, told } = await rr.ends();
    expect(rr.phases).toEqual(ALL_THE_WAY);
    expect(status).toMatchObject(want);
    expect(told).toMatchObject([message]);
  });
}

const ANALYSES = [
  {
    end: 'NotNeeded',
    phase: 'Completed',
    want: { outcome: 'NoActionRequired', nextAllowedExecution: expect.any(String) as string },
    told: { type: 'StatusUpdate', priority: 'Low' },
  },
  {
    end: 'Review',
    phase: 'Completed',
    want: { outcome: 'ManualReviewRequired', requiresManualReview: true, nextAllowedExecution: expect.any(String) as string },
    told: { type: 'ManualReview' },
  },
  {
    end: 'ReviewWithWorkflow',
    phase: 'Failed',
    want: { failurePhase: 'AIAnalysis', consecutiveFailureCount: 1 },
    told: { type: 'ManualReview' },
  },
  {
    end: 'Failed',
    phase: 'Failed',
    want: { failurePhase: 'AIAnalysis', failureReason: expect.stringContaining('the evidence cannot be read') as string },
    told: { type: 'ManualReview' },
  },
] as const;

const RUNS = [
  {
    end: 'FailedDuring',
    phase: 'Failed',
    want: { failurePhase: 'WorkflowExecution', requiresManualReview: true, consecutiveFailureCount: 1 },
    told: { type: 'ManualReview', priority: 'Critical' },
    isAssessed: true,
  },
  {
    end: 'FailedBefore',
    phase: 'Failed',
    want: { failurePhase: 'WorkflowExecution', requiresManualReview: false },
    told: { type: 'Escalation', priority: 'High' },
    isAssessed: true,
  },
  {
    end: 'SkippedResourceBusy',
    phase: 'Skipped',
    want: { skipReason: 'ResourceBusy', consecutiveFailureCount: 0 },
    told: { type: 'StatusUpdate' },
    isAssessed: false,
  },
  {
    end: 'SkippedPreviousExecutionFailed',
    phase: 'Skipped',
    want: { skipReason: 'PreviousExecutionFailed', requiresManualReview: true },
    told: { type: 'ManualReview', priority: 'High' },
    isAssessed: false,
  },
] as const;

const ASSESSMENTS = [
  { end: 'StillFiring', want: { outcome: 'Inconclusive', requiresManualReview: true }, told: { type: 'ManualReview', priority: 'High' } },
  { end: 'Failed', want: { outcome: 'Inconclusive', consecutiveFailureCount: 1 }, told: { type: 'ManualReview', priority: 'High' } },
] as const;
