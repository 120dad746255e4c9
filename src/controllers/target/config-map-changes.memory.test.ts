import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aCrashingPod, aReplicaSet } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { ConfigMap, Deployment, Namespace, Pod, ReplicaSet } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, SECOND, toTime } from '../../base/index.ts';
import { createAnalysisController } from '../analysis/index.ts';
import { createEffectivenessController } from '../effectiveness/index.ts';
import { createRemediationController } from '../remediation/index.ts';
import { aRequest } from '../remediation/testing/builders.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { forbid, Stage, unavailable } from '../testing/stage.ts';
import { specHash } from './index.ts';

const SYSTEM = DEFAULT_SETTINGS.namespace;
const SETTINGS = { namespace: 'shop', name: 'settings' };
const READS_SETTINGS = /namespaces\/shop\/configmaps\/settings$/;
const settings = () => DEFAULT_SETTINGS;

let stage: Stage;

/** Creates the object and then, as the cluster's controllers do, writes its status. */
async function put<T extends KubeObject & { readonly status?: unknown }>(resource: Resource<T>, object: T, owner?: KubeObject): Promise<T> {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, ownerReferences: ____, ...metadata } = object.metadata;
  const ownerReferences = owner
    ? [{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, controller: true }]
    : [];
  const created = await stage.admin.create(resource, { ...object, metadata: { ...metadata, ownerReferences } });
  if (object.status === undefined) return created;
  return stage.admin.patchStatus(resource, keyOf(object), { type: 'merge', body: { status: object.status } });
}

/** Deployment shop/checkout, whose third revision crashes, and whose pods are given a ConfigMap. */
async function breakCheckout(): Promise<void> {
  const container = { name: 'app', image: 'shop:3', envFrom: [{ configMapRef: { name: 'settings' } }] };
  const template = { metadata: { labels: { app: 'checkout' } }, spec: { containers: [container] } };
  const metadata = { name: 'checkout', namespace: 'shop', generation: 1, uid: '', resourceVersion: '', creationTimestamp: '' };
  const selector = { matchLabels: { app: 'checkout' } };
  const spec = { replicas: 2, selector, template };
  const deployment = await put(Deployment, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as Deployment);
  for (const revision of [2, 3]) {
    const made = aReplicaSet(revision);
    const set = await put(ReplicaSet, { ...made, spec: { ...made.spec, selector } }, deployment);
    for (const name of revision === 3 ? ['c1', 'c2'] : []) await put(Pod, { ...aCrashingPod(name), spec: template.spec }, set);
  }
}

const give = (level: string) => stage.admin.patch(ConfigMap, SETTINGS, { type: 'merge', body: { data: { LOG_LEVEL: level } } });

const named = <T extends KubeObject>(resource: Resource<T>, name: string): Promise<T> =>
  stage.admin.get(resource, { namespace: SYSTEM, name });
const request = async () => (await named(RemediationRequest, 'rr')).status ?? {};
const assessment = () => named(EffectivenessAssessment, 'ea-rr');

/** A stage that the test plays comes to a result. */
async function report(resource: Resource, name: string, status: object): Promise<void> {
  await stage.admin.patchStatus(resource, { namespace: SYSTEM, name }, { type: 'merge', body: { status } });
  await stage.settle();
}

async function signal(): Promise<void> {
  const { apiVersion, kind, spec } = aRequest();
  await stage.admin.create(RemediationRequest, { apiVersion, kind, metadata: { name: 'rr', namespace: SYSTEM }, spec });
  await stage.settle();
  const environmentClassification = { environment: 'Staging', source: 'namespace-labels', classifiedAt: toTime(stage.clock.now()) };
  await report(SignalProcessing, 'sp-rr', { phase: 'Completed', severity: 'critical', environmentClassification });
}

const finishRun = () =>
  report(WorkflowExecution, 'we-rr', {
    phase: 'Completed',
    completionTime: toTime(stage.clock.now()),
    executionStatus: { status: 'Completed', message: 'rolled back' },
  });

beforeEach(async () => {
  stage = await Stage.start({
    kinds: [
      RemediationRequest,
      SignalProcessing,
      AIAnalysis,
      RemediationApprovalRequest,
      WorkflowExecution,
      EffectivenessAssessment,
      NotificationRequest,
      RemediationWorkflow,
    ],
    controllers: [
      createAnalysisController(settings),
      createRemediationController({ settings, identityIsChecked: () => true, isAudited: () => true }),
      createEffectivenessController(settings),
    ],
  });
  const managed = { metadata: { labels: { 'kubernaut.ai/managed': 'true' } } };
  await stage.admin.patch(Namespace, { namespace: '', name: 'shop' }, { type: 'merge', body: managed });
  await stage.admin.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: SETTINGS, data: { LOG_LEVEL: 'info' } });
  await put(RemediationWorkflow, aWorkflow('rollback-deployment'));
  await breakCheckout();
});
afterEach(() => stage.end());

describe('a target whose pods are given a ConfigMap', () => {
  test('[EM-173, EM-199, EM-200] has one state for all who look at it', async () => {
    await signal();
    const { overallPhase, remediationTarget, preRemediationSpecHash } = await request();
    expect(overallPhase).toBe('Executing');
    expect(preRemediationSpecHash).toBe(remediationTarget?.specHash);
    expect(preRemediationSpecHash).not.toBe(specHash(await stage.admin.get(Deployment, { namespace: 'shop', name: 'checkout' })));
    await finishRun();
    const { spec } = await assessment();
    expect(spec).toMatchObject({ preRemediationSpecHash, appliedSpecHash: preRemediationSpecHash });
    await stage.advance(6 * MINUTE);
    expect((await assessment()).status).toMatchObject({
      assessmentReason: 'Full',
      components: { postRemediationSpecHash: preRemediationSpecHash, currentSpecHash: preRemediationSpecHash },
    });
    expect(stage.troubles).toEqual([]);
  });

  test('[EM-207] is not said to drift by what the workflow did to the ConfigMap', async () => {
    await signal();
    await give('debug');
    await finishRun();
    const { spec } = await assessment();
    expect(spec.appliedSpecHash).not.toBe(spec.preRemediationSpecHash);
    await stage.advance(6 * MINUTE);
    expect((await assessment()).status).toMatchObject({ assessmentReason: 'Full' });
  });

  test('[EM-206] drifts if its ConfigMap changes after the run', async () => {
    await signal();
    await finishRun();
    await give('debug');
    await stage.advance(6 * MINUTE);
    expect((await assessment()).status).toMatchObject({ assessmentReason: 'SpecDrift' });
  });

  test('[EM-205] is not said to drift where the ConfigMap cannot be read for a while', async () => {
    await signal();
    await finishRun();
    stage.intercept = unavailable(READS_SETTINGS);
    await stage.advance(6 * MINUTE);
    expect((await assessment()).status).toMatchObject({ phase: 'Assessing' });
    stage.intercept = () => undefined;
    await stage.advance(MINUTE);
    expect((await assessment()).status).toMatchObject({ assessmentReason: 'Full' });
  });

  test('is not planned for before the ConfigMap can be read, and says so', async () => {
    stage.intercept = forbid(READS_SETTINGS);
    await signal();
    expect((await request()).overallPhase).toBe('Analyzing');
    expect((await named(AIAnalysis, 'ai-rr')).status).toMatchObject({
      phase: 'Investigating',
      message: expect.stringContaining('ConfigMap settings cannot be read: not allowed') as string,
    });
    stage.intercept = () => undefined;
    await stage.advance(30 * SECOND);
    expect((await request()).overallPhase).toBe('Executing');
  });

  test('is analysed again if its ConfigMap changes before the run', async () => {
    stage.intercept = unavailable(/workflowexecutions$/);
    await signal();
    await give('debug');
    stage.intercept = () => undefined;
    await stage.advance(MINUTE);
    const { overallPhase, analysisAttempt, preRemediationSpecHash } = await request();
    expect({ overallPhase, analysisAttempt }).toEqual({ overallPhase: 'Executing', analysisAttempt: 2 });
    const pinned = async (name: string) => (await named(AIAnalysis, name)).status?.rootCauseAnalysis?.remediationTarget?.specHash;
    expect(preRemediationSpecHash).toBe(await pinned('ai-rr-2'));
    expect(preRemediationSpecHash).not.toBe(await pinned('ai-rr'));
  });

  test('is assessed without the state after the run if that cannot be read within the retry time', async () => {
    await signal();
    stage.intercept = forbid(READS_SETTINGS);
    await finishRun();
    expect((await request()).overallPhase).toBe('Executing');
    await stage.advance(2 * MINUTE + 30 * SECOND);
    expect((await request()).overallPhase).toBe('Verifying');
    expect((await assessment()).spec).not.toHaveProperty('appliedSpecHash');
  });
});
