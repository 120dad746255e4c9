import { afterEach, describe, expect, test } from 'vitest';
import { aCrashingPod, aDeployment, aPod, aReplicaSet } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Deployment, Pod, ReplicaSet } from '../../api/builtin/index.ts';
import { keyOf, type KubeObject } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../base/index.ts';
import { createRemediationHistory, memoryAuditLog, type AuditLog } from '../../store/index.ts';
import { aRemediation } from '../../store/testing/a-remediation.ts';
import { specHash } from '../target/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { forbid, Stage } from '../testing/stage.ts';
import { createAnalysisController } from './index.ts';
import { anAnalysis } from './testing/an-analysis.ts';

const KEY = { namespace: 'sickbay-system', name: 'ai-rr-1' };
let stage: Stage;

afterEach(() => stage.end());

/** Creates the object and then, as the cluster's controllers do, writes its status. */
async function put<T extends KubeObject & { readonly status?: unknown }>(resource: Resource<T>, object: T): Promise<T> {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = object.metadata;
  const created = await stage.admin.create(resource, { ...object, metadata });
  if (object.status === undefined) return created;
  return stage.admin.patchStatus(resource, keyOf(object), { type: 'merge', body: { status: object.status } });
}

const owner = ({ apiVersion, kind, metadata: { name, uid } }: KubeObject) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

/** A Deployment whose revision 2 has just been replaced by one that crashes. */
async function breakCheckout(): Promise<Deployment> {
  const template = (version: number) => aReplicaSet(version).spec.template!;
  const labelled = (set: ReplicaSet): ReplicaSet => ({ ...set, spec: { ...set.spec, selector: { matchLabels: { app: 'checkout' } } } });
  const deployment = await put(Deployment, aDeployment({ template: { ...template(3), metadata: { labels: { app: 'checkout' } } } }));
  for (const revision of [2, 3]) {
    const set = labelled(aReplicaSet(revision));
    const stored = await put(ReplicaSet, { ...set, metadata: { ...set.metadata, ...owner(deployment) } });
    if (revision !== 3) continue;
    for (const name of ['c1', 'c2']) await putPod(aCrashingPod(name), stored);
  }
  return deployment;
}

const putPod = (pod: Pod, set: ReplicaSet): Promise<Pod> =>
  put(Pod, { ...pod, metadata: { ...pod.metadata, ...owner(set) }, spec: { containers: [{ name: 'app', image: 'shop:3' }] } });

async function begin(audit: AuditLog = memoryAuditLog()): Promise<void> {
  const controller = createAnalysisController(() => DEFAULT_SETTINGS, { history: createRemediationHistory(audit) });
  stage = await Stage.start({ kinds: [AIAnalysis, RemediationRequest, RemediationWorkflow], controllers: [controller] });
  await put(RemediationWorkflow, aWorkflow('rollback-deployment'));
}

async function analyse(environment = 'Staging'): Promise<void> {
  const timesOutAt = toTime(after(stage.clock.now(), 10 * MINUTE));
  const { apiVersion, kind, spec } = anAnalysis({ context: { environment }, timesOutAt });
  await stage.admin.create(AIAnalysis, { apiVersion, kind, metadata: KEY, spec });
  await stage.settle();
}

const status = async () => (await stage.admin.get(AIAnalysis, KEY)).status;

describe('an analysis on a server with the real schemas', () => {
  test('[CO-046, CO-047, CO-071] of a rollout that crashes goes all the way to a plan, without any model', async () => {
    await begin();
    const deployment = await breakCheckout();
    await analyse();
    expect(stage.phases).toEqual(['Pending', 'Investigating', 'Analyzing', 'Completed']);
    expect(stage.troubles).toEqual([]);
    expect(await status()).toMatchObject({
      approvalRequired: false,
      needsHumanReview: false,
      selectedWorkflow: { workflowName: 'rollback-deployment', parameters: { REVISION: '2', TARGET_RESOURCE_NAME: 'checkout' } },
      rootCauseAnalysis: { remediationTarget: { uid: deployment.metadata.uid, specHash: specHash(deployment) } },
    });
  });

  describe('after a remediation that did not help', () => {
    const again = async (audit: AuditLog) => {
      await begin(audit);
      await put(RemediationWorkflow, aWorkflow('rollback-slowly'));
      await breakCheckout();
      const at = toTime(after(stage.clock.now(), -HOUR));
      await audit.append(aRemediation({ at, run: { workflow: 'rollback-deployment' }, scores: { alert: 0 }, outcome: 'Inconclusive' }));
      await analyse();
      expect(stage.troubles).toEqual([]);
      return status();
    };

    test('[EM-260, EM-261] takes another way, and says why', async () => {
      const concluded = await again(memoryAuditLog());
      expect(concluded).toMatchObject({ phase: 'Completed', selectedWorkflow: { workflowName: 'rollback-slowly' } });
      expect(concluded?.warnings).toEqual([
        expect.stringMatching(
          /rollback-deployment:1\.0\.0 did not help .* \(outcome Inconclusive, score 0, of which 35 % was measured, its alert kept firing\)$/,
        ),
        'rollback-deployment would fit too, but did not help this target when it last ran',
      ]);
    });

    test('continues without the history, and reports that', async () => {
      const concluded = await again({ ...memoryAuditLog(), find: () => Promise.reject(new Error('the disk is gone')) });
      expect(concluded).toMatchObject({
        phase: 'Completed',
        selectedWorkflow: { workflowName: 'rollback-deployment' },
        degradedMode: true,
      });
      expect(concluded?.warnings).toEqual([expect.stringContaining('cannot be read')]);
    });
  });

  test('[CO-049] in production waits for approval', async () => {
    await begin();
    await breakCheckout();
    await analyse('Production');
    expect(await status()).toMatchObject({
      phase: 'Completed',
      approvalRequired: true,
      approvalReason: 'every change in Production needs approval',
    });
    expect(stage.troubles).toEqual([]);
  });

  test('of a target that does not exist asks a person, in one step', async () => {
    await begin();
    await analyse();
    expect(stage.phases).toEqual(['Pending', 'Investigating', 'Completed']);
    expect(await status()).toMatchObject({
      needsHumanReview: true,
      message: expect.stringContaining('Deployment shop/checkout does not exist') as string,
    });
  });

  test('waits with backoff while pods cannot be read, and continues once they can', async () => {
    await begin();
    await breakCheckout();
    let asked = 0;
    const refuse = forbid(/namespaces\/shop\/pods$/);
    stage.intercept = (request) => {
      const no = refuse(request);
      if (no) asked++;
      return no;
    };
    await analyse();
    await stage.advance(9 * SECOND);
    expect(asked).toBe(1);
    expect(await status()).toMatchObject({
      phase: 'Investigating',
      message: expect.stringContaining('listing its Pods: not allowed') as string,
    });
    stage.intercept = () => undefined;
    await stage.advance(SECOND);
    expect((await status())?.phase).toBe('Completed');
  });

  test('a signal that joins the request ends the wait', async () => {
    await begin();
    await breakCheckout();
    const { metadata: _, status: __, ...request } = RemediationRequest.sample;
    const at = { namespace: KEY.namespace, name: 'rr-1' };
    await stage.admin.create(RemediationRequest, { ...request, metadata: at });
    stage.intercept = forbid(/namespaces\/shop\/pods$/);
    await analyse();
    await stage.advance(31 * SECOND);
    stage.intercept = () => undefined;
    await stage.advance(5 * SECOND);
    expect((await status())?.phase).toBe('Investigating');
    const deduplication = { lastSeenAt: toTime(stage.clock.now()), occurrenceCount: 2 };
    const body = { status: { aiAnalysisRef: { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'AIAnalysis', ...KEY }, deduplication } };
    await stage.admin.patchStatus(RemediationRequest, at, { type: 'merge', body });
    await stage.settle();
    expect((await status())?.phase).toBe('Completed');
  });

  test('rechecks while a rollout is in progress', async () => {
    await begin();
    const deployment = await put(Deployment, aDeployment({ replicas: 1 }));
    const set = aReplicaSet(1);
    const stored = await put(ReplicaSet, {
      ...set,
      metadata: { ...set.metadata, ...owner(deployment) },
      spec: { ...set.spec, selector: { matchLabels: { app: 'checkout' } } },
    });
    const pod = await putPod(aPod('p1', { state: { waiting: { reason: 'ContainerCreating' } } }), stored);
    await analyse();
    expect(await status()).toMatchObject({ phase: 'Investigating', message: expect.stringContaining('still being rolled out') as string });
    const running = { running: { startedAt: toTime(after(stage.clock.now(), -MINUTE)) } };
    const { status: ready } = aPod('p1', { state: running, ready: true });
    await stage.admin.patchStatus(Pod, keyOf(pod), { type: 'merge', body: { status: ready } });
    await stage.advance(30 * SECOND);
    expect(await status()).toMatchObject({ phase: 'Completed', reason: 'WorkflowNotNeeded' });
  });

  test('[CO-046] fails at its deadline when it never could read', async () => {
    await begin();
    await breakCheckout();
    stage.intercept = forbid(/namespaces\/shop\/pods$/);
    await analyse();
    await stage.advance(10 * MINUTE);
    expect(await status()).toMatchObject({
      phase: 'Failed',
      reason: 'TransientError',
      message: expect.stringContaining('listing its Pods') as string,
    });
  });
});
