import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CustomResourceDefinition, Machine, type Draft, type Resource } from '../../src/api/index.ts';
import { after, hasCode, MINUTE, systemClock, systemRandom } from '../../src/base/index.ts';
import { createMachineHealthControllers } from '../../src/controllers/machine-health/index.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { NodeMachines, stated } from './node-machines.ts';
import { runControllers } from './run-controllers.ts';
import { FREEZER, nodeToFreeze, thaw, whileFrozen } from './while-frozen.ts';

const patiently = { timeout: 5 * MINUTE };
/** A remediator that Sickbay does not know: its definitions are created here. */
const group = `thaw-${systemRandom.uuid().slice(0, 8)}.test`;
const of = (kind: string, plural: string): Resource => ({ group, version: 'v1', kind, plural, namespaced: true });
const NodeThaw = of('NodeThaw', 'nodethaws');
const NodeThawTemplate = of('NodeThawTemplate', 'nodethawtemplates');
const FINALIZER = `${group}/thaw`;

const definitionOf = ({ kind, plural, version }: Resource): Draft<CustomResourceDefinition> =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }) as Draft<CustomResourceDefinition>;

describe.skipIf(FREEZER === '')('with the tool named by SICKBAY_TEST_CLUSTER_TOOL', () => {
  describeOnCluster('machine health on real nodes', (kubeconfig) => {
    let ward: NodeMachines;
    let client: KubeClient;
    let running: Promise<unknown>;

    beforeAll(async () => {
      ward = await NodeMachines.open(kubeconfig());
      ({ client } = ward);
      for (const resource of [NodeThaw, NodeThawTemplate]) await define(resource);
      const controllers = createMachineHealthControllers(() => ({ allowRemediateAnnotation: false }));
      running = runControllers(ward.transport, controllers, ward.over.signal).catch(() => undefined);
    }, 2 * MINUTE);

    afterAll(async () => {
      ward.over.abort(new Error('the tests are over'));
      await running;
      // Whatever went wrong, nothing may hold the namespace.
      for (const { metadata } of (await client.list(NodeThaw, { namespace: ward.namespace })).items) await finalizers(metadata.name, []);
      for (const { plural } of [NodeThaw, NodeThawTemplate])
        await client.delete(CustomResourceDefinition, { namespace: '', name: `${plural}.${group}` });
      await ward.close();
    }, MINUTE);

    async function define(resource: Resource): Promise<void> {
      await client.create(CustomResourceDefinition, definitionOf(resource));
      const isServed = (): Promise<boolean> =>
        client.list(resource).then(
          () => true,
          (error: unknown) => (hasCode(error, 'NotFound') ? false : Promise.reject(error as Error)),
        );
      while (!(await isServed())) await systemClock.waitUntil(after(systemClock.now(), 100), ward.over.signal);
    }

    const requests = async (): Promise<number> => (await client.list(NodeThaw, { namespace: ward.namespace })).items.length;
    const finalizers = (name: string, wanted: readonly string[]): Promise<unknown> =>
      client.patch(NodeThaw, ward.key(name), { type: 'merge', body: { metadata: { finalizers: wanted } } });

    test(
      '[MH-008] [MH-113] [MH-114] [MH-166] a node freezes: it is found unhealthy and remediated by the remediator of its request, which goes once the node is back',
      patiently,
      async () => {
        const nodes = await ward.machines();
        const frozen = await nodeToFreeze(client);
        const template = { spec: { template: { spec: { verb: 'thaw', vendor: { deep: ['1', 2] } } } } };
        const reference = { apiVersion: `${group}/v1`, kind: NodeThawTemplate.kind };
        await client.create(NodeThawTemplate, { ...reference, metadata: ward.key('thaw'), ...template });
        await ward.check({ ...reference, name: 'thaw' });
        await ward.counted(nodes.length);

        await whileFrozen(frozen, { kubeconfig: kubeconfig(), client, signal: ward.over.signal }, async () => {
          const request = await ward.look(NodeThaw, frozen, () => true);
          await finalizers(frozen, [FINALIZER]);
          const machine = await client.get(Machine, ward.key(frozen));
          expect(stated(machine, 'HealthCheckSucceeded')).toBe('False UnhealthyNode');
          expect(request).toMatchObject({
            metadata: { ownerReferences: [{ kind: 'Machine', name: frozen, uid: machine.metadata.uid }] },
            spec: template.spec.template.spec,
          });
          await ward.counted(nodes.length - 1);
          expect(await requests()).toBe(1);
          await thaw(frozen, { kubeconfig: kubeconfig() });
          await ward.look(NodeThaw, frozen, ({ metadata }) => metadata.deletionTimestamp !== undefined);
        });

        // It stays until its remediator has cleaned up.
        expect(await requests()).toBe(1);
        await finalizers(frozen, []);
        await ward.untilNone(NodeThaw);
        await ward.look(Machine, frozen, (machine) => stated(machine, 'HealthCheckSucceeded') === 'True HealthCheckSucceeded');
        await ward.counted(nodes.length);
      },
    );
  });
});
