import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Node, Pod, ResourceQuota, Secret } from '../../src/api/builtin/index.ts';
import type { WorkflowExecution } from '../../src/api/workflow-execution/workflow-execution.ts';
import { MINUTE } from '../../src/base/index.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { ClusterWard, type Order } from './cluster-ward.ts';
import { FREEZER, nodeToFreeze, whileFrozen } from './while-frozen.ts';

const BUSYBOX = 'sickbay.test/busybox:1';
/** Only the node that is going to freeze has it. */
const PIN = 'sickbay.test/freezes';

const patiently = { timeout: 4 * MINUTE };
const quota = (memory: string) => ({ spec: { hard: { 'requests.memory': memory } } });
const memory = (size: string) => ({ resources: { requests: { memory: size }, limits: { memory: size } } });

describeOnCluster('a run that fails on a real cluster', (kubeconfig) => {
  let ward: ClusterWard;

  beforeAll(async () => {
    ward = await ClusterWard.open(kubeconfig());
    const metadata = { name: 'memory', namespace: ward.settings.executionNamespace };
    await ward.client.create(ResourceQuota, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata,
      ...quota('2Gi'),
    });
    await ward.refuse('refused', 'not on a Friday');
  }, MINUTE);

  afterAll(() => ward.close(), MINUTE);

  const target = (name: string): string => `shop/Deployment/${name}`;

  /** A run of this program in a busybox, with so much memory. */
  const order = (
    name: string,
    command: readonly string[],
    change: Partial<Order['workflow']> & { readonly seconds?: number } = {},
  ): Order => {
    const { seconds = 60, ...workflow } = change;
    return {
      name,
      targetResource: target(name),
      seconds,
      workflow: {
        executionBundle: BUSYBOX,
        executionEngine: 'job',
        engineConfig: { command: [...command], runAsUser: 65_532 },
        ...memory('32Mi'),
        ...workflow,
      },
    };
  };

  /** What the end says, and what is worth knowing of it when the test fails. */
  const ended = async (name: string): Promise<NonNullable<NonNullable<WorkflowExecution['status']>['failureDetails']>> => {
    const { status } = await ward.untilEnded(name);
    const details = status?.failureDetails;
    process.stderr.write(
      `${name}: ${status?.phase} ${details?.reason} started=${details?.wasExecutionFailure}: ${details?.naturalLanguageSummary}\n`,
    );
    if (!details) throw new Error(`${name} did not fail: ${JSON.stringify(status)}`);
    return details;
  };

  test.concurrent('[WE-013] [WE-087] whose image is missing: nothing began', patiently, async () => {
    await ward.order(order('no-image', ['true'], { executionBundle: 'sickbay.test/missing:1', seconds: 45 }));
    const { status } = await ward.until('no-image', ({ executionStatus }) => executionStatus?.status === 'Waiting');
    expect(status?.executionStatus?.reason).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
    expect(await ended('no-image')).toMatchObject({ reason: 'ImagePullBackOff', wasExecutionFailure: false });
  });

  test.concurrent('[WE-088] whose Secret went away after it was looked for: nothing began', patiently, async () => {
    const namespace = ward.settings.executionNamespace;
    await ward.client.create(Secret, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token', namespace },
      stringData: { token: 't' },
    });
    // The quota holds its pod back, which gives the time to take the Secret away.
    await ward.order(order('no-secret', ['true'], { dependencies: { secrets: [{ name: 'token' }] }, ...memory('3Gi'), seconds: 75 }));
    await ward.until('no-secret', ({ executionStatus }) => executionStatus?.reason === 'FailedCreate');
    await ward.client.delete(Secret, { namespace, name: 'token' });
    await ward.client.patch(ResourceQuota, { namespace, name: 'memory' }, { type: 'merge', body: quota('6Gi') });
    await ward.until('no-secret', ({ executionStatus }) => executionStatus?.reason === 'FailedMount');
    const failure = await ended('no-secret');
    expect(failure).toMatchObject({ reason: 'ConfigurationError', wasExecutionFailure: false });
    expect(failure.message).toContain('secret "token" not found');
  });

  test.concurrent('[WE-011] [WE-089] whose pod the quota refuses: it waits and says why, and nothing began', patiently, async () => {
    await ward.order(order('quota', ['true'], { ...memory('64Gi'), seconds: 40 }));
    const { status } = await ward.until('quota', ({ executionStatus }) => executionStatus?.reason === 'FailedCreate');
    expect(status?.executionStatus?.status).toBe('Waiting');
    expect(status?.executionStatus?.message).toContain('exceeded quota');
    expect(await ended('quota')).toMatchObject({ reason: 'ResourceExhausted', wasExecutionFailure: false });
  });

  test.concurrent('[WE-090] whose pod a rule of the cluster refuses: nothing began', patiently, async () => {
    await ward.order(order('refused', ['true'], { seconds: 40 }));
    const failure = await ended('refused');
    expect(failure).toMatchObject({ reason: 'Forbidden', wasExecutionFailure: false });
    expect(failure.message).toContain('not on a Friday');
  });

  test.concurrent('[WE-091] that no node has room for: nothing began', patiently, async () => {
    const resources = { requests: { memory: '32Mi', cpu: '1000' }, limits: { memory: '32Mi', cpu: '1000' } };
    await ward.order(order('no-room', ['true'], { resources, seconds: 40 }));
    expect(await ended('no-room')).toMatchObject({ reason: 'ResourceExhausted', wasExecutionFailure: false });
  });

  test.concurrent('[WE-015] [WE-085] that exits with 1: it is told what it said', patiently, async () => {
    await ward.order(order('exits', ['sh', '-c', 'echo it has no revision 99; exit 1']));
    const failure = await ended('exits');
    expect(failure).toMatchObject({ reason: 'TaskFailed', wasExecutionFailure: true, exitCode: 1, failedStepName: 'workflow' });
    expect(failure.message).toContain('it has no revision 99');
  });

  test.concurrent('[WE-008] that is killed for memory', patiently, async () => {
    await ward.order(order('oom', ['tail', '/dev/zero']));
    expect(await ended('oom')).toMatchObject({ reason: 'OOMKilled', wasExecutionFailure: true, exitCode: 137 });
  });

  test.concurrent('whose pod is evicted while it runs: it may have acted', patiently, async () => {
    await ward.order(order('evicted', ['sleep', '600'], { seconds: 180 }));
    const { metadata } = await ward.untilPodRuns(target('evicted'));
    const { name, namespace = '' } = metadata;
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: { gracePeriodSeconds: 1 } };
    await ward.client.subresource(Pod, { namespace, name }, { name: 'eviction', body });
    const failure = await ended('evicted');
    expect(failure).toMatchObject({ reason: 'TaskFailed', wasExecutionFailure: true });
    expect(failure.message).toContain('EvictionByEvictionAPI');
  });

  test.concurrent('[WE-009] that is not over in its time', patiently, async () => {
    await ward.order(order('slow', ['sleep', '600'], { seconds: 30 }));
    expect(await ended('slow')).toMatchObject({ reason: 'DeadlineExceeded', wasExecutionFailure: true });
  });

  describe.skipIf(FREEZER === '')('with the tool named by SICKBAY_TEST_CLUSTER_TOOL', () => {
    const pin = (name: string, count: string | null): Promise<unknown> =>
      ward.client.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { capacity: { [PIN]: count } } } });

    // After all others: it may be the only node.
    test('whose node froze: it is not known how far it got', { timeout: 4 * MINUTE }, async () => {
      const node = await nodeToFreeze(ward.client);
      await pin(node, '1');
      const resources = { requests: { memory: '32Mi', [PIN]: '1' }, limits: { memory: '32Mi', [PIN]: '1' } };
      await ward.order(order('frozen', ['sleep', '600'], { resources, seconds: 60 }));
      const pod = await ward.untilPodRuns(target('frozen'));
      expect(pod.spec.nodeName).toBe(node);
      await whileFrozen(node, { kubeconfig: kubeconfig(), client: ward.client, signal: ward.over.signal }, async () => {
        await ward.until('frozen', ({ executionStatus }) => executionStatus?.reason === 'NodeNotReady');
        const failure = await ended('frozen');
        expect(failure).toMatchObject({ reason: 'Unknown', wasExecutionFailure: true });
        expect(failure.message).toContain(node);
      });
      await pin(node, null);
    });
  });
});
