import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cluster, CustomResourceDefinition, Namespace, Node, Secret } from '../../src/api/builtin/index.ts';
import { kinds, Machine, MachineHealthCheck, type KubeObject, type Resource } from '../../src/api/index.ts';
import { after, MINUTE, silent, steadyClock, systemClock, systemRandom, toTime, type Logger } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { createProcess } from '../../src/cli/process/process.ts';
import { clusterDefinition } from '../../src/controllers/machine-health/testing/cluster-definition.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import { bearer, createClient, httpTransport, type HttpTransport, type KubeClient } from '../../src/kube/index.ts';
import { installKinds } from '../../src/kube/client/install-kinds.ts';
import { cuttableProxy, type CuttableProxy } from '../../src/kube/testing/cuttable-proxy.ts';
import { startControlPlane, type ControlPlane, type ControlPlaneAccess } from '../../src/testkit/control-plane.ts';
import { controlPlaneLane } from '../../src/testkit/lane.ts';
import { describeOnOwnControlPlane } from '../../src/testkit/lanes.ts';

const NAMESPACE = 'machines';
const CLUSTER = 'far';
const BAD = 'KernelDeadlock';
/** Looks at what does not answer are up to a minute apart. */
const slow = { timeout: 4 * MINUTE };

describeOnOwnControlPlane('Machines whose Nodes are in another real cluster', (plane) => {
  const transports: HttpTransport[] = [];
  const stop = new AbortController();
  const logged: string[] = [];
  let admin: KubeClient;
  let far: ControlPlane;
  let farAdmin: KubeClient;
  let proxy: CuttableProxy;
  let running: Promise<void>;

  const connect = ({ url, caData, token }: ControlPlaneAccess): HttpTransport => {
    const transport = httpTransport({ server: url, ca: caData, identity: bearer(token) });
    transports.push(transport);
    return transport;
  };
  const startFar = async (): Promise<void> => {
    far = await startControlPlane({ binaries: process.env[controlPlaneLane.setting] ?? '' });
    farAdmin = createClient(connect(far));
  };
  const portOf = ({ url }: ControlPlaneAccess): number => Number(new URL(url).port);
  const key = (name: string) => ({ namespace: NAMESPACE, name });

  beforeAll(async () => {
    await startFar();
    proxy = await cuttableProxy(portOf(far));
    const transport = connect(plane());
    admin = createClient(transport);
    await installKinds(kinds, { client: admin, clock: systemClock, until: after(systemClock.now(), MINUTE) });
    await admin.create(CustomResourceDefinition, clusterDefinition);
    for (const name of [NAMESPACE, DEFAULT_SETTINGS.namespace, DEFAULT_SETTINGS.executionNamespace])
      await admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    const note = (message: string, fields?: object): void => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
    const log: Logger = { ...silent, info: note, warn: note, error: note, with: () => log };
    const sickbay = createProcess({
      transport,
      settings: () => DEFAULT_SETTINGS,
      clock: systemClock,
      steady: steadyClock,
      random: systemRandom,
      log,
      identity: 'ward',
      identityIsChecked: () => false,
      checksMachines: 'sickbay',
      openCluster: httpTransport,
    });
    running = sickbay.run(stop.signal);
  }, 3 * MINUTE);

  afterAll(async () => {
    stop.abort(new Error('the tests are over'));
    await running;
    await proxy.close();
    for (const transport of transports) await transport.close();
    await far.stop();
  });

  const untilSo = <T extends KubeObject>(resource: Resource<T>, name: string, isSo: (object: T) => boolean): Promise<T> =>
    until(
      admin,
      { resource, namespace: NAMESPACE },
      (all) => all.find((object) => object.metadata.name === name && isSo(object)),
      stop.signal,
    );
  const says = (object: { readonly status?: unknown }, type: string) => {
    const { conditions = [] } = (object.status ?? {}) as {
      conditions?: { type: string; status: string; reason?: string; message?: string }[];
    };
    return conditions.find((condition) => condition.type === type);
  };
  const untilHealth = (status: string, reason: string): Promise<Machine> =>
    untilSo(Machine, 'w-0', (machine) => {
      const said = says(machine, 'HealthCheckSucceeded');
      return said?.status === status && said.reason === reason;
    });
  const untilReachable = (status: string, message = /^/): Promise<MachineHealthCheck> =>
    untilSo(MachineHealthCheck, 'workers', (check) => {
      const said = says(check, 'NodesReachable');
      return said?.status === status && message.test(said.message ?? '');
    });

  async function addNode(client: KubeClient, status: 'True' | 'False'): Promise<void> {
    await client.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-0' } });
    await turn(client, status);
  }
  async function turn(client: KubeClient, status: 'True' | 'False'): Promise<void> {
    const now = toTime(systemClock.now());
    const bad = { type: BAD, status, reason: 'Told', message: '', lastTransitionTime: now, lastHeartbeatTime: now };
    await client.patchStatus(Node, { namespace: '', name: 'w-0' }, { type: 'strategic', body: { status: { conditions: [bad] } } });
  }
  /** The kubeconfig of the far cluster as Cluster API keeps it, by way of the proxy. */
  async function putSecret(): Promise<void> {
    const text = readFileSync(far.kubeconfig, 'utf8').replace(far.url, `https://127.0.0.1:${proxy.port}`);
    const data = { value: Buffer.from(text).toString('base64') };
    const metadata = { ...key(`${CLUSTER}-kubeconfig`), labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER } };
    const isThere = (await admin.list(Secret, { namespace: NAMESPACE })).items.some(({ metadata: { name } }) => name === metadata.name);
    if (isThere) await admin.patch(Secret, key(metadata.name), { type: 'merge', body: { data } });
    else await admin.create(Secret, { apiVersion: 'v1', kind: 'Secret', metadata, type: 'cluster.x-k8s.io/secret', data });
  }
  async function putMachine(): Promise<void> {
    await admin.create(Cluster, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: key(CLUSTER) });
    const lastTransitionTime = toTime(systemClock.now());
    const conditions = ['ControlPlaneInitialized', 'InfrastructureReady'].map((type) => ({ type, status: 'True', lastTransitionTime }));
    await admin.patchStatus(Cluster, key(CLUSTER), { type: 'merge', body: { status: { conditions } } });
    await admin.create(Machine, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { ...key('w-0'), labels: { role: 'worker' } },
      spec: {
        clusterName: CLUSTER,
        bootstrap: { dataSecretName: 'w-0' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3Machine', name: 'w-0' },
      },
    });
    await admin.patchStatus(Machine, key('w-0'), { type: 'merge', body: { status: { nodeRef: { name: 'w-0' } } } });
  }

  test(
    'without the Secret no Machine is evaluated, and the check reports what is missing',
    async () => {
      await addNode(farAdmin, 'False');
      // A Node of the same name in this cluster belongs to another Machine.
      await addNode(admin, 'True');
      await putMachine();
      await admin.create(MachineHealthCheck, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'MachineHealthCheck',
        metadata: key('workers'),
        spec: {
          clusterName: CLUSTER,
          selector: { matchLabels: { role: 'worker' } },
          checks: { unhealthyNodeConditions: [{ type: BAD, status: 'True', timeoutSeconds: 0 }] },
        },
      });
      await untilReachable('False', /cannot be evaluated: .*Secret machines\/far-kubeconfig does not exist\. They are not marked/);
      expect(says(await admin.get(Machine, key('w-0')), 'HealthCheckSucceeded')).toBeUndefined();
    },
    slow.timeout,
  );

  test(
    '[MH-134] [MH-135] with the Secret, the Machine reports the health of its Node in the workload cluster',
    async () => {
      await putSecret();
      await untilHealth('True', 'HealthCheckSucceeded');
      await untilReachable('True');
      await turn(farAdmin, 'True');
      await untilHealth('False', 'UnhealthyNode');
      await turn(farAdmin, 'False');
      await untilHealth('True', 'HealthCheckSucceeded');
    },
    slow.timeout,
  );

  test(
    'while the server cannot be reached nothing is said of the Machine; afterwards it is',
    async () => {
      const { port } = proxy;
      await proxy.close();
      await farAdmin.delete(Node, { namespace: '', name: 'w-0' });
      await untilReachable(
        'False',
        new RegExp(
          `^1 of its Machines cannot be evaluated: .*https://127.0.0.1:${port} \\(Secret machines/far-kubeconfig\\): .*ECONNREFUSED`,
        ),
      );
      expect(says(await admin.get(Machine, key('w-0')), 'HealthCheckSucceeded')).toMatchObject({ status: 'True' });
      proxy = await cuttableProxy(portOf(far), port);
      await untilHealth('False', 'NodeDeleted');
      await untilReachable('True');
    },
    slow.timeout,
  );

  test(
    'a server that is gone for good is left for the one that the Secret comes to name',
    async () => {
      await far.stop();
      proxy.cut();
      await untilReachable('False');
      await startFar();
      await addNode(farAdmin, 'False');
      await proxy.close();
      proxy = await cuttableProxy(portOf(far));
      await putSecret();
      await untilHealth('True', 'HealthCheckSucceeded');
      await untilReachable('True');
      expect(logged.join('\n')).toContain('following the Nodes of a cluster');
      expect(logged.join('\n')).not.toContain(far.token);
    },
    slow.timeout,
  );
});
