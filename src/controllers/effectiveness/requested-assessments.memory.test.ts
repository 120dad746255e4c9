import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Namespace } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { MINUTE } from '../../base/index.ts';
import type { Controller } from '../../runtime/index.ts';
import { orchestrator, SYSTEM, OrchestratorFixture } from '../remediation/testing/orchestrator-fixture.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { createEffectivenessController } from './index.ts';

const monitor = (): Controller => createEffectivenessController(() => DEFAULT_SETTINGS) as Controller;

let ward: OrchestratorFixture;
afterEach(() => ward.stage.end());

const open = async (controllers: readonly Controller[]): Promise<void> => void (ward = await OrchestratorFixture.open(controllers));

/** Up to an analysis that has begun. */
async function analysed(): Promise<void> {
  await ward.signal();
  await ward.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
}

/** Up to a run that has ended in a phase. */
async function ran(phase: 'Completed' | 'Failed'): Promise<void> {
  await analysed();
  await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
  await ward.report(WorkflowExecution, 'we-rr', { phase });
}

describe('who orders an assessment', () => {
  test.each(['Completed', 'Failed'] as const)('[EM-003] the orchestrator, after a run that is %s: ea-<rr>, once', async (phase) => {
    await open([orchestrator(), monitor()]);
    await ran(phase);
    await ward.stage.advance(MINUTE);
    const [assessment, ...others] = await ward.all(EffectivenessAssessment);
    const { uid } = (await ward.get(RemediationRequest, 'rr')).metadata;
    expect([assessment?.metadata.name, others]).toEqual(['ea-rr', []]);
    expect(assessment?.metadata.ownerReferences).toMatchObject([{ kind: 'RemediationRequest', uid, controller: true }]);
  });

  test('[EM-003, EM-235] not the monitor: alone with a request that is verified, it makes none and leaves the request as it is', async () => {
    await open([monitor()]);
    await ward.signal();
    await ward.report(RemediationRequest, 'rr', { overallPhase: 'Verifying' });
    const before = await ward.get(RemediationRequest, 'rr');
    await ward.stage.advance(60 * MINUTE);
    expect(await ward.names(EffectivenessAssessment)).toEqual([]);
    expect(await ward.get(RemediationRequest, 'rr')).toEqual(before);
  });

  test('[EM-066] a run that failed ends the request at once, with an assessment that goes on by itself', async () => {
    await open([orchestrator(), monitor()]);
    await ran('Failed');
    expect(await ward.status()).toMatchObject({ overallPhase: 'Failed' });
    expect((await ward.get(EffectivenessAssessment, 'ea-rr')).status?.phase).toBe('Stabilizing');
    const ended = (await ward.status()).completedAt;
    await ward.stage.advance(30 * MINUTE);
    expect((await ward.get(EffectivenessAssessment, 'ea-rr')).status?.phase).toBe('Completed');
    expect(await ward.status()).toMatchObject({ overallPhase: 'Failed', completedAt: ended });
  });

  test('[EM-233] says what follows from it: Inconclusive is an outcome of the request', async () => {
    await open([orchestrator()]);
    await ran('Completed');
    const components = { healthAssessed: true, healthScore: 1, alertAssessed: true, alertScore: 0 };
    await ward.report(EffectivenessAssessment, 'ea-rr', { phase: 'Completed', assessmentReason: 'Full', components });
    expect(await ward.status()).toMatchObject({ overallPhase: 'Completed', outcome: 'Inconclusive' });
  });

  test('[EM-234] Inconclusive is no reason of an assessment', async () => {
    await open([orchestrator()]);
    await ran('Completed');
    const write = (assessmentReason: string): Promise<unknown> =>
      ward.stage.admin.patchStatus(
        EffectivenessAssessment,
        { namespace: SYSTEM, name: 'ea-rr' },
        { type: 'merge', body: { status: { assessmentReason } } },
      );
    await expect(write('Inconclusive')).rejects.toThrow('assessmentReason');
    await expect(write('Partial')).resolves.toBeDefined();
  });
});

describe('a dry run', () => {
  async function openDry(): Promise<void> {
    await open([orchestrator(), monitor()]);
    const labels = { 'kubernaut.ai/dry-run': 'true' };
    await ward.stage.admin.patch(Namespace, { namespace: '', name: 'shop' }, { type: 'merge', body: { metadata: { labels } } });
    await analysed();
  }
  const LATER: readonly Resource[] = [WorkflowExecution, RemediationApprovalRequest, EffectivenessAssessment];
  const later = async (): Promise<readonly string[]> => (await Promise.all(LATER.map((kind) => ward.names(kind)))).flat();

  test('[EM-082] lets the analysis come to its end', async () => {
    await openDry();
    await ward.report(AIAnalysis, 'ai-rr', { phase: 'Investigating', needsHumanReview: false, approvalRequired: false });
    await ward.stage.advance(MINUTE);
    expect(await ward.status()).toMatchObject({ overallPhase: 'Analyzing' });
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan());
    expect(await ward.status()).toMatchObject({ overallPhase: 'Completed', outcome: 'DryRun' });
    expect((await ward.get(AIAnalysis, 'ai-rr')).status?.phase).toBe('Completed');
  });

  test.each([
    ['that may be carried out', {}],
    ['that policy wants approved', { approvalRequired: true, approvalReason: 'production' }],
  ])('[EM-083, EM-084, EM-085, EM-086, EM-087] with a plan %s ends there, and nothing is run, asked or verified', async (_, plan) => {
    await openDry();
    await ward.report(AIAnalysis, 'ai-rr', await ward.plan(plan));
    await ward.stage.advance(60 * MINUTE);
    const status = await ward.status();
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'DryRun' });
    expect(status).not.toHaveProperty('verifyingStartTime');
    expect(status).not.toHaveProperty('verificationDeadline');
    expect(await later()).toEqual([]);
  });

  test('[EM-088] of a false alarm ends as one, and nothing is run, asked or verified', async () => {
    await openDry();
    const { selectedWorkflow: _, ...found } = (await ward.plan()) as Record<string, unknown>;
    await ward.report(AIAnalysis, 'ai-rr', { ...found, reason: 'WorkflowNotNeeded' });
    await ward.stage.advance(60 * MINUTE);
    expect(await ward.status()).toMatchObject({ overallPhase: 'Completed', outcome: 'NoActionRequired' });
    expect(await later()).toEqual([]);
  });
});
