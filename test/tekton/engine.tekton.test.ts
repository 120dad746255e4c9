import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClusterRole, ClusterRoleBinding, Deployment, Lease, PipelineRun, Pod, TaskRun } from '../../src/api/builtin/index.ts';
import { RemediationRequest } from '../../src/api/index.ts';
import type { Resource } from '../../src/api/resource.ts';
import { MINUTE, systemClock, toTime } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { runName } from '../../src/controllers/execution/index.ts';
import { describeOnTekton } from '../../src/testkit/lanes.ts';
import { ClusterWard, type Order } from '../cluster/cluster-ward.ts';
import { FAILING, GREEDY, ORDERED, SLOW, WITHOUT_IMAGE } from './pipelines.ts';
import { pushBundle, type Bundled } from './push-bundle.ts';

const WORKFLOW_IMAGE = process.env['SICKBAY_TEST_WORKFLOW_IMAGE'] ?? '';
const LIBRARY = new URL('../../workflows/restart-workload/pipeline.yaml', import.meta.url);
const patiently = { timeout: 4 * MINUTE, concurrent: true };

describeOnTekton('workflows as PipelineRuns of a real Tekton', (cluster) => {
  let ward: ClusterWard;
  /** Roles that outlive their namespace. */
  const allowed: string[] = [];
  beforeAll(async () => void (ward = await ClusterWard.open(cluster().kubeconfig)), MINUTE);
  afterAll(async () => {
    for (const resource of [ClusterRole, ClusterRoleBinding] as readonly Resource[])
      for (const name of allowed) await ward.client.delete(resource, { namespace: '', name });
    await ward.close();
  }, MINUTE);

  const target = (name: string): string => `${ward.settings.namespace}/Deployment/${name}`;

  /** Has a pipeline run on a target of its own. */
  async function order(name: string, pipeline: Bundled | string, change: Partial<Order> = {}): Promise<void> {
    const executionBundle = typeof pipeline === 'string' ? pipeline : await pushBundle(cluster().registry, `wf/${name}`, pipeline);
    await ward.order({
      name,
      targetResource: target(name),
      seconds: change.seconds ?? 180,
      workflow: { executionBundle, executionEngine: 'tekton', engineConfig: { runAsUser: 65_532 }, ...change.workflow },
      ...(change.parameters ? { parameters: change.parameters } : {}),
    });
  }

  const runOf = (name: string) => ({ namespace: ward.settings.executionNamespace, name: runName({ targetResource: target(name) }) });
  const inRuns = <T>(resource: T, name: string) => ({
    resource,
    namespace: ward.settings.executionNamespace,
    labelSelector: `tekton.dev/pipelineRun=${runOf(name).name}`,
  });

  test('[WE-110] [WE-112] steps run in order, and their result reaches the next task', patiently, async () => {
    await order('ordered', ORDERED);
    const { status } = await ward.untilEnded('ordered');
    expect(status).toMatchObject({
      phase: 'Completed',
      executionStatus: { message: 'TRAIL: abc, at try 1', completedTasks: 2, totalTasks: 2 },
    });
  });

  test('[WE-111] a retry of the pipeline happens in the same run, and the execution goes on meanwhile', patiently, async () => {
    await order('retried', ORDERED);
    await until(
      ward.client,
      inRuns(TaskRun, 'retried'),
      (tasks) => tasks.find(({ status }) => status?.retriesStatus?.length),
      ward.over.signal,
    );
    const { metadata } = await ward.client.get(PipelineRun, runOf('retried'));
    const meanwhile = await ward.until('retried', () => true);
    expect(meanwhile.status).toMatchObject({ phase: 'Running', executionRef: { kind: 'PipelineRun', uid: metadata.uid } });
    expect((await ward.untilEnded('retried')).status?.phase).toBe('Completed');
    expect((await ward.client.get(PipelineRun, runOf('retried'))).metadata.uid).toBe(metadata.uid);
  });

  test('[WE-115] [WE-014] a task that fails is named, with its step and exit code', patiently, async () => {
    await order('failing', FAILING);
    const { status } = await ward.untilEnded('failing');
    expect(status).toMatchObject({
      phase: 'Failed',
      failureDetails: {
        reason: 'TaskFailed',
        failedTaskName: 'act',
        failedTaskIndex: 1,
        failedStepName: 'second',
        exitCode: 3,
        wasExecutionFailure: true,
      },
    });
  });

  test('a step that needs too much memory', patiently, async () => {
    await order('greedy', GREEDY);
    expect((await ward.untilEnded('greedy')).status?.failureDetails).toMatchObject({ reason: 'OOMKilled', wasExecutionFailure: true });
  });

  test('an image that is missing: nothing began, although Tekton deleted the pod', patiently, async () => {
    await order('no-image', WITHOUT_IMAGE);
    // Before the kubelet asks for the image, it may report that a volume is not there yet.
    await ward.until(
      'no-image',
      ({ executionStatus }) =>
        executionStatus?.status === 'Waiting' && /^(ErrImagePull|ImagePullBackOff)$/.test(executionStatus.reason ?? ''),
    );
    const { status: ended } = await ward.untilEnded('no-image');
    expect(ended?.failureDetails).toMatchObject({ reason: 'ImagePullBackOff', wasExecutionFailure: false });
  });

  test('a bundle that is missing: nothing began', patiently, async () => {
    await order('no-bundle', `${cluster().registry}/wf/none@sha256:${'0'.repeat(64)}`, { seconds: 20 });
    const { status } = await ward.untilEnded('no-bundle');
    expect(status?.failureDetails).toMatchObject({ reason: 'DeadlineExceeded', wasExecutionFailure: false });
  });

  test('cancelled while at work: Tekton stops it, and the execution says who cancelled', patiently, async () => {
    await order('cancelled', SLOW);
    const isAtWork = ({ status }: Pod): boolean => status?.containerStatuses?.some(({ state }) => state?.running) === true;
    await until(ward.client, inRuns(Pod, 'cancelled'), (pods) => pods.find(isAtWork), ward.over.signal);
    const status = {
      overallPhase: 'Cancelled',
      cancellation: { by: 'anna', reason: 'wrong target', requestedAt: toTime(systemClock.now()) },
    };
    const key = { namespace: ward.settings.namespace, name: 'cancelled' };
    await ward.client.patchStatus(RemediationRequest, key, { type: 'merge', body: { status } });
    const ended = await ward.untilEnded('cancelled');
    expect(ended.status?.failureDetails?.message).toContain('anna cancelled it (wrong target)');
    expect(ended.status?.failureDetails).toMatchObject({ wasExecutionFailure: true });
    const isOver = ({ metadata, status: run }: PipelineRun): boolean =>
      metadata.name === runOf('cancelled').name && run?.conditions?.[0]?.reason === 'Cancelled';
    await until(ward.client, { ...inRuns(PipelineRun, 'cancelled'), labelSelector: '' }, (runs) => runs.find(isOver), ward.over.signal);
    await until(ward.client, inRuns(Pod, 'cancelled'), (pods) => (pods.length === 0 ? true : undefined), ward.over.signal);
  });

  describe.skipIf(WORKFLOW_IMAGE === '')('with the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
    test('[WE-002] [WE-114] [WE-098] the library restarts a Deployment, and clears up after the cooldown', patiently, async () => {
      const { namespace } = ward.settings;
      await deploy('checkout', namespace);
      await allow('restarter');
      const text = readFileSync(LIBRARY, 'utf8').replace('sickbay/workflows:0.1.0', WORKFLOW_IMAGE);
      const executionBundle = await pushBundle(cluster().registry, 'wf/restart', parse(text) as Bundled);
      await order('checkout', executionBundle, {
        parameters: { TARGET_RESOURCE_KIND: 'Deployment', TARGET_RESOURCE_NAME: 'checkout', TARGET_RESOURCE_NAMESPACE: namespace },
        workflow: { executionBundle, executionEngine: 'tekton', engineConfig: { runAsUser: 65_532 }, serviceAccountName: 'restarter' },
      });
      const { status } = await ward.untilEnded('checkout');
      expect(status).toMatchObject({ phase: 'Completed', executionRef: { kind: 'PipelineRun' } });
      const { spec } = await ward.client.get(Deployment, { namespace, name: 'checkout' });
      expect(spec.template.metadata?.annotations).toMatchObject({ 'kubernaut.ai/restarted-for': 'we-checkout' });
      for (const resource of [PipelineRun, Lease] as readonly Resource[])
        await until(
          ward.client,
          { resource, namespace: runOf('checkout').namespace },
          (left) => (left.some(({ metadata }) => metadata.name === runOf('checkout').name) ? undefined : true),
          ward.over.signal,
        );
    });
  });

  async function deploy(name: string, namespace: string): Promise<void> {
    const labels = { app: name };
    const container = { name: 'main', image: 'sickbay.test/busybox:1', command: ['sleep', '3600'] };
    await ward.client.create(Deployment, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
    });
  }

  /** An account that may restart Deployments, and nothing else. */
  async function allow(account: string): Promise<void> {
    await ward.account(account);
    const name = `${account}-${ward.settings.namespace}`;
    allowed.push(name);
    const type = { apiVersion: 'rbac.authorization.k8s.io/v1' };
    const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }];
    await ward.client.create(ClusterRole, { ...type, kind: 'ClusterRole', metadata: { name }, rules });
    await ward.client.create(ClusterRoleBinding, {
      ...type,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: ward.settings.executionNamespace }],
    });
  }
});
