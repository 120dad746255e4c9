import { ConfigMap, Deployment, Node, Pod, ReplicaSet } from '../../src/api/builtin/index.ts';
import type { Draft, KubeObject, ObjectKey } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { toTime, systemClock } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { controllerOf } from '../../src/kube/objects/owner-references.ts';
import { workloadOf, type Workload } from '../workloads.ts';
import { pause, type Right } from './accounts.ts';
import { aConfigMap, aNode, aWorkload, READY } from './objects.ts';

/** A workflow on one kind of target, as a real server with its controllers and without kubelets shows it. */
export interface RealRow {
  readonly workflow: string;
  readonly resource: Resource;
  readonly parameters: Readonly<Record<string, string>>;
  /** The rights that it needs. */
  readonly needs: readonly Right[];
  /** Creates the broken object, under names of its own; a node gets the name alone. */
  readonly make: (client: KubeClient, key: ObjectKey) => Promise<unknown>;
  /** What the target must become; undefined when it is deleted. */
  readonly becomes: object | undefined;
  readonly says: RegExp;
  /** Whether the controllers have finished with it. */
  readonly isSettled?: (object: KubeObject) => boolean;
}

/** Reads until the object is as expected. */
export async function eventually<T>(read: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await read();
    if (isSo(found)) return found;
    await pause();
  }
}

const merge = (body: object) => ({ type: 'merge', body }) as const;

/** The workload of the unit tests, with labels of its own: others of the kind are beside it. */
function placed(kind: string, { namespace, name }: ObjectKey): Draft<Workload> {
  const draft = aWorkload(kind);
  const labels = { app: name };
  const template = { ...draft.spec.template, metadata: { labels } };
  return {
    ...draft,
    metadata: { namespace, name },
    spec: { ...draft.spec, selector: { matchLabels: labels }, template } as Workload['spec'],
  };
}

const isObserved = (object: KubeObject): boolean =>
  (object as KubeObject & { readonly status?: { readonly observedGeneration?: number } }).status?.observedGeneration ===
  object.metadata.generation;

const limitsOf = (web: object, side: object): object => ({
  spec: { template: { spec: { containers: [{ name: 'web', resources: { limits: web } }, { resources: { limits: side } }, {}] } } },
});

const workloadRows: readonly RealRow[] = ['Deployment', 'StatefulSet', 'DaemonSet'].flatMap((kind): readonly RealRow[] => {
  const resource = workloadOf(kind);
  const base = {
    resource,
    needs: [`get ${resource.plural}.apps`, `patch ${resource.plural}.apps`],
    make: (client: KubeClient, key: ObjectKey) => client.create(resource, placed(kind, key)),
    isSettled: isObserved,
  };
  return [
    {
      ...base,
      workflow: 'restart-workload',
      parameters: {},
      becomes: { spec: { template: { metadata: { annotations: { 'kubernaut.ai/restarted-for': 'wfe-1' } } } } },
      says: /restarted for wfe-1$/,
    },
    {
      ...base,
      workflow: 'raise-memory-limits',
      parameters: { FACTOR: '2' },
      becomes: limitsOf({ memory: '512Mi', cpu: '500m' }, { memory: '128Mi' }),
      says: /given higher memory limits: web 256Mi → 512Mi, side 64Mi → 128Mi$/,
    },
    {
      ...base,
      workflow: 'raise-cpu-limits',
      parameters: { LIMIT: '1500m' },
      becomes: limitsOf({ memory: '256Mi', cpu: '1500m' }, { memory: '64Mi' }),
      says: /given higher cpu limits: web 500m → 1500m$/,
    },
  ];
});

const scaleRows: readonly RealRow[] = ['Deployment', 'StatefulSet'].map((kind) => ({
  workflow: 'scale-replicas',
  resource: workloadOf(kind),
  parameters: { REPLICAS: '5' },
  needs: [`get ${workloadOf(kind).plural}.apps`, `patch ${workloadOf(kind).plural}.apps`, 'list horizontalpodautoscalers.autoscaling'],
  make: (client: KubeClient, key: ObjectKey) => client.create(workloadOf(kind), placed(kind, key)),
  isSettled: isObserved,
  becomes: { spec: { replicas: 5 } },
  says: /scaled from 2 to 5 replicas$/,
}));

/** Two rollouts, numbered by the deployment controller. */
async function aBadRollout(client: KubeClient, key: ObjectKey): Promise<void> {
  const revision = (number: string) =>
    eventually(
      () => client.get(Deployment, key),
      ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'] === number,
    );
  await client.create(Deployment, placed('Deployment', key) as Draft<Deployment>);
  await revision('1');
  const body = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'bad:2' }] as const;
  await client.patch(Deployment, key, { type: 'json', body });
  await revision('2');
}

/** Keeps DaemonSets off, which would change with the nodes. */
const DEDICATED = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

/** A healthy node, once its taints follow from its conditions. */
async function aRealNode(client: KubeClient, { name }: ObjectKey, spec: object = { taints: [DEDICATED] }): Promise<void> {
  const key = { namespace: '', name };
  const now = toTime(systemClock.now());
  const conditions = READY.conditions.map((condition) => ({ ...condition, lastHeartbeatTime: now, lastTransitionTime: now }));
  await client.create(Node, { ...aNode(spec), metadata: { name } });
  await client.patchStatus(Node, key, merge({ status: { conditions } }));
  await eventually(() => client.get(Node, key), isTaintedAsItShould);
}

/** Cordons show as taints a moment later; the node must become ready. */
function isTaintedAsItShould(object: KubeObject): boolean {
  const { spec } = object as Node;
  const has = (key: string): boolean => (spec?.taints ?? []).some((taint) => taint.key === `node.kubernetes.io/${key}`);
  return !has('not-ready') && has('unschedulable') === (spec?.unschedulable === true);
}

/** A pod on the node of its name that a ReplicaSet has adopted; without a kubelet it must need no time to end. */
async function aControlledPod(client: KubeClient, { namespace, name }: ObjectKey): Promise<void> {
  const spec = { containers: [{ name: 'web', image: 'web:1' }] };
  const labels = { app: name };
  const metadata = { namespace, name, labels };
  await client.create(Pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { ...spec, nodeName: name, terminationGracePeriodSeconds: 0 },
  });
  await client.create(ReplicaSet, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { namespace, name },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  await eventually(
    () => client.get(Pod, { namespace, name }),
    (pod) => controllerOf(pod) !== undefined,
  );
}

const TAINTS = [DEDICATED, { key: 'maintenance', value: 'yes', effect: 'NoSchedule' }];

/** Every workflow of the library, on every kind that it is for. */
export const realRows: readonly RealRow[] = [
  ...workloadRows,
  ...scaleRows,
  {
    workflow: 'rollback-deployment',
    resource: Deployment,
    parameters: { REVISION: '1' },
    needs: ['get deployments.apps', 'patch deployments.apps', 'list replicasets.apps'],
    make: aBadRollout,
    isSettled: isObserved,
    becomes: { spec: { template: { spec: { containers: [{ image: 'web:1' }, {}, {}] } } } },
    says: /rolled back from revision 2 to the template of revision 1 \(ReplicaSet \S+\)$/,
  },
  {
    workflow: 'delete-stuck-pod',
    resource: Pod,
    parameters: { STATE: 'Pending', STUCK_FOR_SECONDS: '0' },
    needs: ['get pods', 'delete pods', 'get nodes'],
    make: async (client, key) => {
      await aRealNode(client, key);
      await aControlledPod(client, key);
    },
    becomes: undefined,
    says: /deleted, stuck in Pending; ReplicaSet \S+ recreates it$/,
  },
  {
    workflow: 'drain-node',
    resource: Node,
    parameters: {},
    needs: ['get nodes', 'patch nodes', 'list pods', 'create pods/eviction'],
    make: async (client, key) => {
      await aRealNode(client, key);
      await aControlledPod(client, key);
    },
    isSettled: isTaintedAsItShould,
    becomes: { spec: { unschedulable: true } },
    says: /cordoned and drained of 1 pods$/,
  },
  {
    workflow: 'uncordon-node',
    resource: Node,
    parameters: { TAINT_KEY: 'maintenance' },
    needs: ['get nodes', 'patch nodes'],
    make: (client, key) => aRealNode(client, key, { unschedulable: true, taints: TAINTS }),
    isSettled: isTaintedAsItShould,
    becomes: { spec: { taints: [{ key: 'dedicated' }] } },
    says: /uncordoned and freed of the taint maintenance=yes:NoSchedule$/,
  },
  {
    workflow: 'restore-configmap',
    resource: ConfigMap,
    parameters: {},
    needs: ['get configmaps', 'create configmaps', 'patch configmaps'],
    make: async (client, { namespace, name }) => {
      const at = (draft: Draft<ConfigMap>): Draft<ConfigMap> => ({ ...draft, metadata: { ...draft.metadata, namespace } });
      await client.create(ConfigMap, { ...at(aConfigMap(name, { mode: 'broken', leftover: 'yes' })), binaryData: { logo: 'AAEC' } });
      await client.create(ConfigMap, at(aConfigMap(`${name}-last-good`, { mode: 'fine' }, name)));
    },
    becomes: { data: { mode: 'fine' } },
    says: /restored to the content of \S+-last-good; its former content is kept in \S+-was-[0-9a-f]{16}$/,
  },
];
