import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment, Job, Namespace, Pod } from '../../src/api/builtin/index.ts';
import { MINUTE, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { runName } from '../../src/controllers/execution/index.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { aDeployment, endsOf, probe, sh } from '../../workflows/testing/shop.ts';
import { ClusterWard } from './cluster-ward.ts';

const IMAGE = process.env['SICKBAY_TEST_WORKFLOW_IMAGE'] ?? '';

describe.skipIf(IMAGE === '')('with the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('an execution on a real cluster', (kubeconfig) => {
    const shop = `shop-${systemRandom.uuid().slice(0, 8)}`;
    const targetResource = `${shop}/Deployment/memory`;
    let ward: ClusterWard;

    beforeAll(async () => {
      ward = await ClusterWard.open(kubeconfig());
      await ward.client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: shop } });
    }, MINUTE);
    afterAll(async () => {
      await ward.client.delete(Namespace, { namespace: '', name: shop });
      await ward.close();
    }, MINUTE);

    test(
      '[WE-105] gives a Deployment that is really killed for memory more of it, as one Job under its own account',
      { timeout: 3 * MINUTE },
      async () => {
        const { client, over, settings } = ward;
        const command = sh('x=$(head -c 40000000 /dev/zero | tr "\\0" x); touch /tmp/up; sleep 3600');
        const container = { command, resources: { limits: { memory: '32Mi' } }, readinessProbe: probe('[ -f /tmp/up ]') };
        const draft = aDeployment('memory', container);
        await client.create(Deployment, { ...draft, metadata: { ...draft.metadata, namespace: shop } });
        await until(
          client,
          { resource: Pod, namespace: shop },
          (pods) => pods.find((pod) => endsOf(pod).includes('OOMKilled')),
          over.signal,
        );

        const parameters = {
          TARGET_RESOURCE_KIND: 'Deployment',
          TARGET_RESOURCE_NAME: 'memory',
          TARGET_RESOURCE_NAMESPACE: shop,
          LIMIT: '512Mi',
        };
        await ward.order({
          name: 'raise-memory-limits',
          targetResource,
          parameters,
          seconds: 120,
          workflow: await ward.library('raise-memory-limits', IMAGE),
        });
        const execution = await ward.untilEnded('raise-memory-limits');
        expect(execution.status).toMatchObject({
          phase: 'Completed',
          executionStatus: { status: 'Completed' },
        });
        process.stderr.write(`it says: ${execution.status?.executionStatus?.message}, after ${execution.status?.duration}\n`);

        const isHealthy = ({ metadata, status }: Deployment): boolean =>
          status?.observedGeneration === metadata.generation &&
          status?.updatedReplicas === 1 &&
          status.replicas === 1 &&
          status.availableReplicas === 1;
        const healed = await until(client, { resource: Deployment, namespace: shop }, (all) => all.find(isHealthy), over.signal);
        expect(healed.spec.template.spec.containers[0]?.resources?.limits?.['memory']).toBe('512Mi');

        const jobs = (await client.list(Job, { namespace: settings.executionNamespace })).items;
        expect(jobs.map(({ metadata }) => metadata.name)).toEqual([runName({ targetResource })]);
        expect(jobs[0]?.status).toMatchObject({ succeeded: 1 });
        const pods = (await client.list(Pod, { namespace: settings.executionNamespace })).items;
        expect(pods.map(({ spec }) => spec.serviceAccountName)).toEqual(['workflow-raise-memory-limits']);
        await ward.untilTold(execution, ['ExecutionCreated', 'WorkflowCompleted']);
      },
    );
  });
});
