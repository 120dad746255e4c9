import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Namespace, Node } from '../../src/api/builtin/index.ts';
import { Machine, PipelineRemediation, PipelineRemediationTemplate, RemediationRequest } from '../../src/api/index.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { MINUTE, silent, steadyClock, systemClock, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { createProcess } from '../../src/cli/process/process.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { NodeMachines, stated } from './node-machines.ts';
import { FREEZER, nodeToFreeze, whileFrozen } from './while-frozen.ts';

const patiently = { timeout: 5 * MINUTE };
const suffix = systemRandom.uuid().slice(0, 8);
const SETTINGS = { ...DEFAULT_SETTINGS, namespace: `pipeline-${suffix}`, executionNamespace: `pipeline-runs-${suffix}` };

describe.skipIf(FREEZER === '')('with the tool named by SICKBAY_TEST_CLUSTER_TOOL', () => {
  describeOnCluster('a real node in the pipeline', (kubeconfig) => {
    let ward: NodeMachines;
    let client: KubeClient;
    let running: Promise<unknown>;

    beforeAll(async () => {
      ward = await NodeMachines.open(kubeconfig());
      ({ client } = ward);
      for (const name of [SETTINGS.namespace, SETTINGS.executionNamespace])
        await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      const sickbay = createProcess({
        transport: ward.transport,
        settings: () => SETTINGS,
        clock: systemClock,
        steady: steadyClock,
        random: systemRandom,
        log: silent,
        identity: 'test',
        identityIsChecked: () => false,
        checksMachines: 'sickbay',
      });
      running = sickbay.run(ward.over.signal).catch(() => undefined);
    }, 2 * MINUTE);

    afterAll(async () => {
      ward.over.abort(new Error('the tests are over'));
      await running;
      await manage(await nodeToFreeze(client), null);
      for (const { metadata } of (await client.list(PipelineRemediation, { namespace: ward.namespace })).items)
        await client.patch(PipelineRemediation, ward.key(metadata.name), { type: 'merge', body: { metadata: { finalizers: [] } } });
      for (const name of [SETTINGS.namespace, SETTINGS.executionNamespace]) await client.delete(Namespace, { namespace: '', name });
      await ward.close();
    }, MINUTE);

    const manage = (name: string, managed: string | null): Promise<unknown> =>
      client.patch(Node, { namespace: '', name }, { type: 'merge', body: { metadata: { labels: { [LABELS.managed]: managed } } } });

    test('[MH-166] a node freezes: a remediation is opened for it, and its request goes once it is back', patiently, async () => {
      const nodes = await ward.machines();
      const frozen = await nodeToFreeze(client);
      await manage(frozen, 'true');
      const { apiVersion, kind, spec } = { ...PipelineRemediationTemplate.sample, spec: { template: { spec: {} } } };
      await client.create(PipelineRemediationTemplate, { apiVersion, kind, metadata: ward.key('pipe'), spec });
      await ward.check({ apiVersion, kind, name: 'pipe' });
      await ward.counted(nodes.length);

      await whileFrozen(frozen, { kubeconfig: kubeconfig(), client, signal: ward.over.signal }, async () => {
        const request = await ward.look(PipelineRemediation, frozen, ({ status }) => status?.remediationRequestRef !== undefined);
        expect(request.metadata.finalizers).toHaveLength(1);
        expect(stated(await client.get(Machine, ward.key(frozen)), 'HealthCheckSucceeded')).toBe('False UnhealthyNode');
        const opened = await until(
          client,
          { resource: RemediationRequest, namespace: SETTINGS.namespace },
          ([first]) => first,
          ward.over.signal,
        );
        expect(opened.metadata.name).toBe(request.status?.remediationRequestRef?.name);
        expect(opened.spec.targetResource).toMatchObject({ kind: 'Node', name: frozen });
      });

      await ward.untilNone(PipelineRemediation);
      await ward.look(Machine, frozen, (machine) => stated(machine, 'HealthCheckSucceeded') === 'True HealthCheckSucceeded');
    });
  });
});
