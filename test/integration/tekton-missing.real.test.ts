import { afterAll, beforeAll, expect, test } from 'vitest';
import { Job, Lease } from '../../src/api/builtin/index.ts';
import { MINUTE } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { describeOnControlPlane } from '../../src/testkit/lanes.ts';
import { ClusterWard } from '../cluster/cluster-ward.ts';

describeOnControlPlane('a cluster without Tekton', (plane) => {
  let ward: ClusterWard;
  beforeAll(async () => void (ward = await ClusterWard.open(plane().kubeconfig)), MINUTE);
  afterAll(() => ward.close(), MINUTE);

  const order = (name: string, executionEngine: 'job' | 'tekton') =>
    ward.order({
      name,
      targetResource: `shop/Deployment/${name}`,
      seconds: 120,
      workflow: { executionBundle: 'sickbay.test/busybox:1', executionEngine },
    });

  test('a workflow for Tekton fails before anything ran, and says what to do', async () => {
    await order('pipeline', 'tekton');
    const { status } = await ward.untilEnded('pipeline');
    expect(status).toMatchObject({
      phase: 'Failed',
      failureDetails: { reason: 'ConfigurationError', wasExecutionFailure: false, requiresManualReview: false },
    });
    expect(status?.failureDetails?.message).toContain('engine tekton is not installed in this cluster');
    expect(status?.failureDetails?.naturalLanguageSummary).toContain('offer the workflow with another engine');
  });

  test('a workflow for a Job starts as ever, and the lock of one that failed goes', { timeout: 3 * MINUTE }, async () => {
    await order('job', 'job');
    const { status } = await ward.until('job', ({ phase }) => phase === 'Running');
    expect(status?.executionRef?.kind).toBe('Job');
    const { executionNamespace: namespace } = ward.settings;
    expect((await ward.client.list(Job, { namespace })).items).toHaveLength(1);
    await until(ward.client, { resource: Lease, namespace }, (locks) => (locks.length === 1 ? true : undefined), ward.over.signal);
  });
});
