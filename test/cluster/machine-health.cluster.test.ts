import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Namespace, Node } from '../../src/api/builtin/index.ts';
import {
  CustomResourceDefinition,
  kinds,
  Machine,
  MachineHealthCheck,
  type Draft,
  type KubeObject,
  type Resource,
} from '../../src/api/index.ts';
import { after, hasCode, MINUTE, systemClock, systemRandom } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { createMachineHealthControllers } from '../../src/controllers/machine-health/index.ts';
import { createClient, httpTransport, loadConfig, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/install-kinds.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { runControllers } from './run-controllers.ts';
import { FREEZER, nodeToFreeze, thaw, whileFrozen } from './while-frozen.ts';

/** A way to mend nodes that Sickbay has never heard of: its definitions are made here. */
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
    const namespace = `machines-${systemRandom.uuid().slice(0, 8)}`;
    const over = new AbortController();
    let transport: HttpTransport;
    let client: KubeClient;
    let running: Promise<unknown>;

    beforeAll(async () => {
      transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig: kubeconfig() }));
      client = createClient(transport);
      await installKinds(kinds, { client, clock: systemClock, until: after(systemClock.now(), MINUTE) });
      await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      for (const resource of [NodeThaw, NodeThawTemplate]) await define(resource);
      running = runControllers(
        transport,
        createMachineHealthControllers(() => ({ allowRemediateAnnotation: false })),
        over.signal,
      );
      running.catch(() => undefined);
    }, 2 * MINUTE);

    afterAll(async () => {
      over.abort(new Error('the tests are over'));
      await running.catch(() => undefined);
      // Whatever went wrong, nothing may hold the namespace.
      for (const { metadata } of (await client.list(NodeThaw, { namespace })).items) await finalizers(metadata.name, []);
      await client.delete(Namespace, { namespace: '', name: namespace });
      for (const { plural } of [NodeThaw, NodeThawTemplate])
        await client.delete(CustomResourceDefinition, { namespace: '', name: `${plural}.${group}` });
      await transport.close();
    }, MINUTE);

    async function define(resource: Resource): Promise<void> {
      await client.create(CustomResourceDefinition, definitionOf(resource));
      const isServed = (): Promise<boolean> =>
        client.list(resource).then(
          () => true,
          (error: unknown) => (hasCode(error, 'NotFound') ? false : Promise.reject(error as Error)),
        );
      while (!(await isServed())) await systemClock.waitUntil(after(systemClock.now(), 100), over.signal);
    }

    const key = (name: string) => ({ namespace, name });

    /** A Machine for each node of the cluster. */
    async function machines(): Promise<readonly string[]> {
      const nodes = (await client.list(Node)).items.map(({ metadata }) => metadata.name);
      for (const name of nodes) {
        const metadata = { ...key(name), labels: { role: 'worker' } };
        await client.create(Machine, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata, spec: { clusterName: 'this' } });
        await client.patchStatus(Machine, key(name), { type: 'merge', body: { status: { nodeRef: { name } } } });
      }
      return nodes;
    }

    const look = <T extends KubeObject>(resource: Resource<T>, name: string, isWanted: (object: T) => boolean): Promise<T> =>
      until(client, { resource, namespace }, (all) => all.find((one) => one.metadata.name === name && isWanted(one)), over.signal);

    const stated = (machine: Machine, type: string): string =>
      machine.status?.conditions?.filter((condition) => condition.type === type).map(({ status, reason }) => `${status} ${reason}`)[0] ??
      '';

    const counted = (healthy: number): Promise<MachineHealthCheck> =>
      look(MachineHealthCheck, 'workers', ({ status }) => status?.currentHealthy === healthy);

    const finalizers = (name: string, wanted: readonly string[]): Promise<unknown> =>
      client.patch(NodeThaw, key(name), { type: 'merge', body: { metadata: { finalizers: wanted } } });

    test(
      '[MH-008] [MH-113] [MH-114] [MH-166] a node freezes: it is found unhealthy and mended by whoever acts on requests, which goes once it is back',
      { timeout: 5 * MINUTE },
      async () => {
        const nodes = await machines();
        const frozen = await nodeToFreeze(client);
        const template = { spec: { template: { spec: { verb: 'thaw', vendor: { deep: ['1', 2] } } } } };
        await client.create(NodeThawTemplate, { apiVersion: `${group}/v1`, kind: 'NodeThawTemplate', metadata: key('thaw'), ...template });
        await client.create(MachineHealthCheck, {
          apiVersion: 'cluster.x-k8s.io/v1beta2',
          kind: 'MachineHealthCheck',
          metadata: key('workers'),
          spec: {
            clusterName: 'this',
            selector: { matchLabels: { role: 'worker' } },
            checks: {
              unhealthyNodeConditions: [
                { type: 'Ready', status: 'Unknown', timeoutSeconds: 5 },
                { type: 'Ready', status: 'False', timeoutSeconds: 5 },
              ],
            },
            remediation: { templateRef: { apiVersion: `${group}/v1`, kind: 'NodeThawTemplate', name: 'thaw' } },
          },
        });
        await counted(nodes.length);

        await whileFrozen(frozen, { kubeconfig: kubeconfig(), client, signal: over.signal }, async () => {
          const request = await look(NodeThaw, frozen, () => true);
          await finalizers(frozen, [FINALIZER]);
          const machine = await client.get(Machine, key(frozen));
          expect(stated(machine, 'HealthCheckSucceeded')).toBe('False UnhealthyNode');
          expect(request).toMatchObject({
            metadata: { ownerReferences: [{ kind: 'Machine', name: frozen, uid: machine.metadata.uid }] },
            spec: template.spec.template.spec,
          });
          await counted(nodes.length - 1);
          expect((await client.list(NodeThaw, { namespace })).items).toHaveLength(1);
          await thaw(frozen, { kubeconfig: kubeconfig() });
          await look(NodeThaw, frozen, ({ metadata }) => metadata.deletionTimestamp !== undefined);
        });

        // It stays until whoever acts on it has cleared up.
        expect((await client.list(NodeThaw, { namespace })).items).toHaveLength(1);
        await finalizers(frozen, []);
        await until(client, { resource: NodeThaw, namespace }, ({ length }) => length === 0 || undefined, over.signal);
        await look(Machine, frozen, (machine) => stated(machine, 'HealthCheckSucceeded') === 'True HealthCheckSucceeded');
        await counted(nodes.length);
      },
    );
  });
});
