import { afterEach, describe, expect, test } from 'vitest';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { fingerprintOf } from '../../api/remediation-request/fingerprint.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { MINUTE } from '../../base/index.ts';
import { createAnalysisController } from '../../controllers/analysis/index.ts';
import { anAnalysis } from '../../controllers/analysis/testing/an-analysis.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { ApiRequest, KubeClient } from '../../kube/index.ts';
import { serverReader } from '../../runtime/reconcile/observation-reader.ts';
import { RehearsalStage } from '../testing/rehearsal-stage.ts';
import { diagnoseObject, type DiagnoseQuestion } from './diagnose-object.ts';
import { parseNamedObject } from './named-object.ts';

let stage: RehearsalStage;
afterEach(() => stage.close());

const containing = (text: string): unknown => expect.stringContaining(text);
const { signal } = new AbortController();

const diagnose = (word = 'deploy/checkout', more: Partial<DiagnoseQuestion> = {}, client: KubeClient = stage.reader) =>
  diagnoseObject({
    client,
    clock: stage.clock,
    settings: DEFAULT_SETTINGS,
    signal,
    object: parseNamedObject([word], 'shop'),
    severity: 'warning',
    packaged: stage.packaged,
    ...more,
  });

const gate = (gates: Awaited<ReturnType<typeof diagnose>>['gates'], name: string) => gates.find((one) => one.name === name);

describe('where nothing of Sickbay is installed', () => {
  test('a bad rollout is diagnosed down to the plan, with the workflows of the package', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    expect(await diagnose()).toMatchObject({
      target: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'checkout' },
      would: 'RunWorkflow',
      summary: containing('revision 3 of Deployment shop/checkout crashes (exit code 1)'),
      cause: { fault: 'CrashLoopAfterRollout', confidence: 0.9 },
      classification: { environment: 'Staging', severity: 'warning' },
      plan: {
        workflow: 'rollback-deployment',
        version: '1.0.0',
        parameters: { REVISION: '2', TARGET_RESOURCE_NAME: 'checkout' },
        approval: { required: false },
      },
      byHand: 'kubectl rollout undo -n shop deployment/checkout --to-revision=2',
      catalogue: { source: 'package', workflows: 1, note: containing('Sickbay is not installed') },
      unread: [],
    });
  });

  test('it sends nothing but reads, and leaves nothing in the cluster', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    await diagnose();
    expect(stage.sent.length).toBeGreaterThan(5);
    expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a Pod stands for the Deployment that owns it', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    expect(await diagnose('pod/c1')).toMatchObject({
      named: { kind: 'Pod', name: 'c1' },
      target: { kind: 'Deployment', name: 'checkout' },
      would: 'RunWorkflow',
    });
  });

  test('a first release that crashes is handed over, with what was seen and ruled out', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop({ earlier: false });
    const { handOver, plan, ...found } = await diagnose();
    expect(found).toMatchObject({ would: 'HandOver', summary: containing('there is no earlier revision') });
    expect(plan).toBeUndefined();
    expect(handOver?.known).toContainEqual(containing('pod c1'));
    expect(handOver?.ruledOut.length).toBeGreaterThan(0);
    expect(handOver?.likely[0]?.check).toBe('kubectl logs -n shop c1 -c app --previous');
  });

  test('what runs well needs nothing, unless an alert says what pods cannot disprove', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop({ crashes: false });
    expect(await diagnose()).toMatchObject({ would: 'Nothing', summary: containing('2 pods') });
    expect(await diagnose('deploy/checkout', { alert: 'KubePodCrashLooping' })).toMatchObject({ would: 'Nothing' });
    expect(await diagnose('deploy/checkout', { alert: 'HighErrorRate' })).toMatchObject({
      would: 'HandOver',
      summary: containing('no proof that HighErrorRate is resolved'),
    });
  });

  test('what may settle by itself: its state now, and what follows if nothing changes', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop({ crashes: false, starting: true });
    const { ifNothingChanges, ...now } = await diagnose();
    expect(now).toMatchObject({ would: 'NotKnownYet', summary: containing('still being rolled out') });
    expect(now).not.toHaveProperty('plan');
    expect(ifNothingChanges).toMatchObject({
      within: '2 minutes',
      would: 'HandOver',
      summary: containing('0 of 2 pods of revision 3 are ready'),
    });
    expect(ifNothingChanges?.handOver?.likely.length).toBeGreaterThan(0);
    expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a namespace that is not managed, of unknown environment: the plan would need approval, and the gate says how to manage it', async () => {
    stage = await new RehearsalStage().open({ labels: {} });
    await stage.shop();
    const { gates, ...found } = await diagnose();
    expect(found).toMatchObject({
      would: 'AskForApproval',
      plan: { approval: { required: true, reason: containing('the environment is unknown') } },
    });
    expect(gate(gates, 'UnmanagedResource')).toMatchObject({ state: 'closed', message: containing('label it') });
  });
});

describe('where Sickbay is installed', () => {
  test('its own catalogue counts, and not that of the package', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.shop();
    const empty = await diagnose();
    expect(empty).toMatchObject({
      would: 'HandOver',
      noPlan: containing('the catalogue has no workflow for RollbackDeployment'),
      catalogue: { source: 'cluster', workflows: 0, note: containing('has no RemediationWorkflow') },
      byHand: containing('kubectl rollout undo'),
    });
    await stage.put(RemediationWorkflow, aWorkflow('our-rollback'));
    expect(await diagnose()).toMatchObject({ plan: { workflow: 'our-rollback' }, catalogue: { source: 'cluster', workflows: 1 } });
  });

  test('it concludes what the controller of an analysis concludes', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.put(RemediationWorkflow, aWorkflow('our-rollback'));
    await stage.shop();
    const { plan, summary } = await diagnose();
    const controller = createAnalysisController(() => DEFAULT_SETTINGS);
    const object = anAnalysis({ status: { phase: 'Investigating' }, timesOutAt: undefined });
    const workflows = (await stage.admin.list(RemediationWorkflow)).items;
    const seen = await controller.observe(
      { namespace: 'sickbay-system', name: object.metadata.name },
      {
        get: (resource) => (resource.kind === AIAnalysis.kind ? { kind: 'value', value: object as never } : { kind: 'absent' }),
        list: () => ({ kind: 'value', value: workflows as never }),
        ...serverReader(stage.admin, signal),
      },
      stage.clock.now(),
    );
    const { status } = controller.decide(seen!, stage.clock.now());
    expect(status).toMatchObject({ rootCause: summary, selectedWorkflow: { parameters: plan?.parameters, confidence: plan?.confidence } });
  });

  test('an open remediation of the same object is named', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.put(RemediationWorkflow, aWorkflow('our-rollback'));
    await stage.shop();
    await stage.admin.create(RemediationRequest, openRequest());
    await stage.clock.advance(MINUTE);
    const { gates } = await diagnose();
    expect(gate(gates, 'DuplicateInProgress')).toMatchObject({ state: 'closed', message: containing('rr-open') });
  });
});

const openRequest = () => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationRequest',
  metadata: { name: 'rr-open', namespace: 'sickbay-system' },
  spec: {
    signalFingerprint: fingerprintOf({ kind: 'Deployment', name: 'checkout', namespace: 'shop' }),
    signalName: 'KubePodCrashLooping',
    severity: 'warning',
    signalType: 'alert',
    targetType: 'kubernetes' as const,
    targetResource: { kind: 'Deployment', name: 'checkout', namespace: 'shop' },
    firingTime: '2026-11-15T03:00:00Z',
    receivedTime: '2026-11-15T03:00:00Z',
  },
});

describe('with few rights', () => {
  const apps = { apiGroups: ['apps'], resources: ['deployments', 'replicasets'] };
  const pods = { apiGroups: [''], resources: ['pods'] };

  test('an object that may not be read is an error that names it', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop();
    await expect(diagnose('deploy/checkout', {}, await stage.guest([pods]))).rejects.toThrow(
      /^reading Deployment shop\/checkout: .*deployments\.apps "checkout" is forbidden: User "guest"/,
    );
  });

  test('pods that may not be listed: it is not known, and never called healthy', async () => {
    stage = await new RehearsalStage().open();
    await stage.shop({ crashes: false });
    const found = await diagnose('deploy/checkout', {}, await stage.guest([apps]));
    expect(found).toMatchObject({ would: 'NotKnownYet', summary: containing('listing its Pods: pods is forbidden') });
    expect(found.unread).toContainEqual(containing('listing its Pods'));
  });

  test('without the right to read the namespace, Events, logs and the catalogue: the cause is known, and each gap is named', async () => {
    stage = await new RehearsalStage().open({ installed: true });
    await stage.shop();
    const found = await diagnose('deploy/checkout', {}, await stage.guest([apps, pods]));
    expect(found).toMatchObject({
      would: 'AskForApproval',
      classification: { environment: 'Unknown' },
      plan: { approval: { required: true, reason: containing('you may not read what tells the environment') } },
      catalogue: { source: 'package', note: containing('the catalogue of the cluster cannot be read') },
    });
    expect(found.cause?.evidence).toContainEqual(containing('Events cannot be read'));
    expect(found.unread).toEqual([containing('reading Namespace shop: ')]);
    expect(gate(found.gates, 'UnmanagedResource')).toMatchObject({ state: 'unknown' });
    expect(stage.sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('a pod that is deleted while it is diagnosed is not called healthy', async () => {
  stage = await new RehearsalStage().open();
  await stage.shop();
  const isPod = ({ path }: ApiRequest): boolean => path.endsWith('/pods/c1');
  const status = {
    kind: 'Status',
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: 'pods "c1" not found',
    details: { name: 'c1' },
  };
  stage.intercept = (request) => (isPod(request) && stage.sent.filter(isPod).length > 1 ? { code: 404, body: status } : undefined);
  const found = await diagnose('pod/c1');
  expect(found).toMatchObject({ would: 'HandOver', summary: 'Pod shop/c1 does not exist' });
});
