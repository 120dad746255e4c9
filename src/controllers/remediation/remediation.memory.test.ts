import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Deployment, Namespace } from '../../api/builtin/index.ts';
import { crdOf } from '../../api/crd-of.ts';
import { CustomResourceDefinition } from '../../api/builtin/custom-resource-definition.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { createMemoryApi } from '../../apiserver/index.ts';
import { HOUR, MINUTE, seededRandom, silent, turn } from '../../base/index.ts';
import { createClient } from '../../kube/api-client.ts';
import { createCache } from '../../kube/create-cache.ts';
import { createControlLoop, noMetrics, soleTerm, type LoopMetrics } from '../../runtime/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { specHash } from '../target/index.ts';
import { createRemediationController } from './index.ts';
import type { RemediationStatus } from './status.ts';
import { aDeployment, aRequest, WORKFLOW } from './testing/builders.ts';

const KINDS = [RemediationRequest, SignalProcessing, AIAnalysis, WorkflowExecution, EffectivenessAssessment, NotificationRequest];
const ALL_KINDS = [...KINDS, RemediationApprovalRequest, RemediationWorkflow];
const SYSTEM = DEFAULT_SETTINGS.namespace;

/** The orchestrator alone on a server that validates: the test plays all the other controllers. */
class Stage {
  readonly clock = new ManualClock();
  readonly api = createMemoryApi({ clock: this.clock, random: seededRandom(1) });
  readonly admin = createClient(this.api);
  readonly stop = new AbortController();
  readonly trouble: string[] = [];
  #running: Promise<unknown>[] = [];

  async open(): Promise<void> {
    for (const kind of ALL_KINDS) await this.admin.create(CustomResourceDefinition, crdOf(kind));
    for (const name of [SYSTEM, 'shop'])
      await this.admin
        .create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { 'kubernaut.ai/managed': 'true' } } })
        .catch(() => undefined);
    const { apiVersion, kind, spec } = aDeployment({ replicas: 2, template: TEMPLATE });
    await this.admin.create(Deployment, { apiVersion, kind, metadata: { name: 'checkout', namespace: 'shop' }, spec });
    const cache = createCache({ client: createClient(this.api), clock: this.clock, random: seededRandom(2) });
    const metrics: LoopMetrics = {
      ...noMetrics,
      passed: (_, outcome) => void (outcome.kind === 'failed' && this.trouble.push(String(outcome.error))),
    };
    const loop = createControlLoop({
      controllers: [
        createRemediationController({ settings: () => DEFAULT_SETTINGS, identityIsChecked: () => true, isAudited: () => true }),
      ],
      cache,
      clock: this.clock,
      random: seededRandom(3),
      log: silent,
      events: { record: () => Promise.resolve() },
      metrics,
    });
    this.#running = [cache.run(this.stop.signal), loop.run(soleTerm(this.stop.signal))];
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.#running);
  }

  async signal(): Promise<void> {
    const { apiVersion, kind, spec } = aRequest();
    await this.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name: 'rr', namespace: SYSTEM }, spec });
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 60; i++) await turn();
    expect(this.trouble).toEqual([]);
  }

  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> {
    return this.admin.get(resource, { namespace: SYSTEM, name });
  }

  async status(): Promise<RemediationStatus> {
    return (await this.get(RemediationRequest, 'rr')).status ?? {};
  }

  /** Another controller comes to a result. */
  async report(resource: Resource, name: string, status: object): Promise<void> {
    await this.admin.patchStatus(resource, { namespace: SYSTEM, name }, { type: 'merge', body: { status } });
    await this.settle();
  }

  async names(resource: Resource): Promise<readonly string[]> {
    return (await this.admin.list(resource, { namespace: SYSTEM })).items.map(({ metadata }) => metadata.name);
  }

  deployment(): Promise<Deployment> {
    return this.admin.get(Deployment, { namespace: 'shop', name: 'checkout' });
  }

  /** As the analysis would leave it: pinned to what it saw. */
  async plan(): Promise<object> {
    const target = await this.deployment();
    const { uid, name, namespace } = target.metadata;
    const remediationTarget = { kind: 'Deployment', apiVersion: 'apps/v1', name, namespace, uid, specHash: specHash(target) };
    return {
      phase: 'Completed',
      reason: 'AnalysisCompleted',
      rootCauseAnalysis: { summary: 'revision 2 crashes', signalType: 'CrashLoop', remediationTarget },
      selectedWorkflow: WORKFLOW,
      needsHumanReview: false,
      approvalRequired: false,
    };
  }

  async change(replicas: number): Promise<void> {
    await this.admin.patch(Deployment, { namespace: 'shop', name: 'checkout' }, { type: 'merge', body: { spec: { replicas } } });
  }
}

const TEMPLATE = {
  metadata: { labels: { app: 'checkout' } },
  spec: { containers: [{ name: 'checkout', image: 'sickbay.test/busybox:1' }] },
};

describe('a remediation on a server', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = new Stage();
    await stage.open();
  });
  afterEach(() => stage.close());

  test('begins by watch alone, with a child to do the work', async () => {
    await stage.signal();
    const status = await stage.status();
    expect(status.overallPhase).toBe('Processing');
    const child = await stage.get(SignalProcessing, 'sp-rr');
    expect(status.signalProcessingRef?.uid).toBe(child.metadata.uid);
    expect(child.spec).toMatchObject({ signal: { name: 'KubePodCrashLooping', targetResource: { name: 'checkout' } } });
  });

  test('[RR-009, RR-022, RR-026, RR-259] goes all the way, each stage by its own child, and tells people once', async () => {
    await stage.signal();
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed', severity: 'critical' });
    expect((await stage.status()).overallPhase).toBe('Analyzing');
    expect((await stage.get(AIAnalysis, 'ai-rr')).spec.analysisRequest.signalContext.severity).toBe('critical');

    await stage.report(AIAnalysis, 'ai-rr', await stage.plan());
    const executing = await stage.status();
    const execution = await stage.get(WorkflowExecution, 'we-rr');
    expect(executing.overallPhase).toBe('Executing');
    expect(executing.workflowExecutionRef?.uid).toBe(execution.metadata.uid);
    expect(execution.spec.planDigest).toBe(executing.planDigest);

    await stage.change(3);
    await stage.report(WorkflowExecution, 'we-rr', {
      phase: 'Completed',
      executionStatus: { status: 'Completed', message: 'scaled to 3' },
    });
    expect((await stage.status()).overallPhase).toBe('Verifying');
    const assessment = await stage.get(EffectivenessAssessment, 'ea-rr');
    expect(assessment.spec.appliedSpecHash).toBe(specHash(await stage.deployment()));
    expect(assessment.spec.preRemediationSpecHash).not.toBe(assessment.spec.appliedSpecHash);

    const components = { healthAssessed: true, healthScore: 1, alertAssessed: true, metricsAssessed: true, hashComputed: true };
    const found = { phase: 'Completed', assessmentReason: 'Full', message: '2 of 2 pods ready', components };
    await stage.report(EffectivenessAssessment, 'ea-rr', found);
    const done = await stage.status();
    expect(done).toMatchObject({ overallPhase: 'Completed', outcome: 'Remediated', message: 'scaled to 3; 2 of 2 pods ready; score 1.00' });
    expect(done.notificationStatus).toBe('Pending');
    await stage.report(NotificationRequest, 'nr-completion-rr', { phase: 'Sent' });
    const message = await stage.get(NotificationRequest, 'nr-completion-rr');
    const told = await stage.status();
    expect(told).toMatchObject({
      notificationStatus: 'Sent',
      notificationRequestRefs: [{ name: 'nr-completion-rr', uid: message.metadata.uid }],
    });

    await stage.clock.advance(23 * HOUR);
    expect(await stage.names(NotificationRequest)).toEqual(['nr-completion-rr']);
    expect(await stage.status()).toEqual(told);
    await stage.clock.advance(HOUR + MINUTE);
    await stage.settle();
    expect(await stage.names(RemediationRequest)).toEqual([]);
  });

  test('[RR-249, RR-250, RR-251, RR-252, RR-253] the run is told all that it needs', async () => {
    await stage.signal();
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await stage.report(AIAnalysis, 'ai-rr', await stage.plan());
    const { spec } = await stage.get(WorkflowExecution, 'we-rr');
    const { confidence, rationale, parameters, selectedAt: _, ...workflowRef } = WORKFLOW;
    expect(spec).toMatchObject({ targetResource: 'shop/Deployment/checkout', workflowRef, confidence, rationale, parameters });
    expect(spec.targetUID).toBe((await stage.deployment()).metadata.uid);
    expect(spec.timesOutAt).toBeDefined();
  });

  test('every child is ours, none comes before its time', async () => {
    const count = async (): Promise<readonly number[]> => {
      const lists = await Promise.all(KINDS.slice(1).map((kind) => stage.names(kind)));
      return lists.map(({ length }) => length);
    };
    await stage.signal();
    expect(await count()).toEqual([1, 0, 0, 0, 0]);
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    expect(await count()).toEqual([1, 1, 0, 0, 0]);
    await stage.report(AIAnalysis, 'ai-rr', await stage.plan());
    expect(await count()).toEqual([1, 1, 1, 0, 0]);
    await stage.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    expect(await count()).toEqual([1, 1, 1, 1, 0]);
    await stage.report(EffectivenessAssessment, 'ea-rr', { phase: 'Failed', assessmentReason: 'Unrecoverable' });
    expect(await count()).toEqual([1, 1, 1, 1, 1]);
    const { uid } = (await stage.get(RemediationRequest, 'rr')).metadata;
    for (const kind of KINDS.slice(1)) {
      const [child] = (await stage.admin.list(kind as Resource, { namespace: SYSTEM })).items;
      const owner = { uid, controller: true, blockOwnerDeletion: kind !== EffectivenessAssessment };
      expect(child?.metadata.ownerReferences).toMatchObject([owner]);
    }
  });

  test('[RR-209] the children go with the request', async () => {
    await stage.signal();
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await stage.report(AIAnalysis, 'ai-rr', await stage.plan());
    await stage.report(WorkflowExecution, 'we-rr', { phase: 'Completed' });
    await stage.report(EffectivenessAssessment, 'ea-rr', { phase: 'Failed', assessmentReason: 'Unrecoverable' });
    for (const kind of KINDS) expect(await stage.names(kind)).toHaveLength(1);
    await stage.admin.delete(RemediationRequest, { namespace: SYSTEM, name: 'rr' });
    await stage.clock.advance(MINUTE);
    await stage.settle();
    for (const kind of KINDS) expect(await stage.names(kind)).toEqual([]);
  });

  test('a target that was changed meanwhile is analysed anew, three times at most', async () => {
    await stage.signal();
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    for (const [attempt, name] of ['ai-rr', 'ai-rr-2', 'ai-rr-3'].entries()) {
      expect(await stage.status()).toMatchObject({ overallPhase: 'Analyzing', analysisAttempt: attempt + 1, aiAnalysisRef: { name } });
      const plan = await stage.plan();
      await stage.change(attempt + 3);
      await stage.report(AIAnalysis, name, plan);
    }
    expect(await stage.status()).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired' });
    expect(await stage.names(WorkflowExecution)).toEqual([]);
    expect(await stage.names(NotificationRequest)).toEqual(['nr-manual-review-rr']);
  });

  test('a run that is deleted is never run again', async () => {
    await stage.signal();
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await stage.report(AIAnalysis, 'ai-rr', await stage.plan());
    await stage.admin.delete(WorkflowExecution, { namespace: SYSTEM, name: 'we-rr' });
    await stage.settle();
    expect(await stage.status()).toMatchObject({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', requiresManualReview: true });
    await stage.clock.advance(HOUR);
    expect(await stage.names(WorkflowExecution)).toEqual([]);
  });

  test('a stage that never ends is given up on time, and people are told', async () => {
    await stage.signal();
    await stage.clock.advance(4 * MINUTE + 58_000);
    expect((await stage.status()).overallPhase).toBe('Processing');
    await stage.clock.advance(2_000);
    await stage.settle();
    expect(await stage.status()).toMatchObject({ overallPhase: 'TimedOut', timeoutPhase: 'Processing' });
    expect(await stage.names(NotificationRequest)).toEqual(['phase-timeout-processing-rr']);
  });

  test('what the gateway writes meanwhile is kept', async () => {
    await stage.signal();
    await stage.report(RemediationRequest, 'rr', { deduplication: { occurrenceCount: 7 } });
    await stage.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    expect(await stage.status()).toMatchObject({ overallPhase: 'Analyzing', deduplication: { occurrenceCount: 7 } });
  });
});
