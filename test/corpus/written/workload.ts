import type { JsonObject } from '../../../src/base/index.ts';
import type { Seen } from '../recording.ts';
import { ago, anObject } from './build.ts';

/** How a container is. */
export interface ContainerLook {
  readonly state: JsonObject;
  readonly lastState?: JsonObject;
  readonly restarts?: number;
  readonly ready?: boolean;
}

export const running = (minutes = 600): ContainerLook => ({ state: { running: { startedAt: ago(minutes) } }, ready: true });

export const waiting = (reason: string, message = ''): ContainerLook => ({ state: { waiting: { reason, message } }, ready: false });

export const terminated = (exitCode: number, reason: string, minutesAgo: number): JsonObject => ({
  terminated: { exitCode, reason, startedAt: ago(minutesAgo + 1), finishedAt: ago(minutesAgo) },
});

/** In a back-off after so many crashes. */
export const crashing = (exitCode = 1, reason = 'Error', restarts = 7): ContainerLook => ({
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
  lastState: terminated(exitCode, reason, 2),
  restarts,
  ready: false,
});

export interface PodMore {
  readonly container?: JsonObject;
  readonly spec?: JsonObject;
  readonly node?: string;
  readonly created?: number;
  readonly labels?: JsonObject;
  readonly owner?: Seen;
  readonly metadata?: JsonObject;
  readonly status?: JsonObject;
}

const IMAGE = 'registry.test/shop/checkout:1.4.2';

const mainContainer = (more: JsonObject = {}): JsonObject => ({ name: 'app', image: IMAGE, resources: {}, ...more });

const ownerReference = ({ apiVersion, kind, metadata: { name, uid } }: Seen): JsonObject => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
});

const ownedBy = (owner: Seen | undefined): JsonObject => (owner ? { ownerReferences: [ownerReference(owner)] } : {});

/** A pod with one container. */
export function aPod(name: string, look: ContainerLook, more: PodMore = {}): Seen {
  const { created = 600, labels = { app: 'checkout' }, node = 'node-1' } = more;
  const container = mainContainer(more.container);
  return anObject('v1', 'Pod', name, {
    metadata: { labels, creationTimestamp: ago(created), ...ownedBy(more.owner), ...more.metadata },
    spec: { nodeName: node, containers: [container], ...more.spec },
    status: { ...podStatus(look, created, container['image']), ...more.status },
  });
}

const podStatus = ({ ready = false, state, lastState = {}, restarts = 0 }: ContainerLook, created: number, image: unknown): JsonObject => ({
  phase: 'Running',
  startTime: ago(created),
  conditions: [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(created) },
    { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: ago(Math.min(created, 10)) },
  ],
  containerStatuses: [{ name: 'app', image, imageID: '', ready, started: ready, restartCount: restarts, state, lastState }],
});

/** A pod that no node takes. */
export const aPendingPod = (name: string, message: string, more: PodMore = {}): Seen =>
  aPod(
    name,
    { state: {} },
    {
      ...more,
      spec: { nodeName: undefined, ...more.spec },
      status: {
        phase: 'Pending',
        conditions: [
          { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime: ago(more.created ?? 15) },
        ],
        containerStatuses: [],
      },
    },
  );

/** One release of a Deployment and the pods of it. */
export interface Release {
  readonly revision: number;
  readonly minutesAgo: number;
  readonly container?: JsonObject;
  readonly spec?: JsonObject;
  readonly looks?: readonly ContainerLook[];
  /** Where each of the pods is, if not all on the node of the Deployment. */
  readonly nodes?: readonly string[];
}

export interface DeploymentMore {
  readonly name?: string;
  readonly replicas?: number;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly status?: JsonObject;
  readonly node?: string;
}

/** A Deployment with its ReplicaSets and pods, newest release first. The Deployment is the first of them. */
export function aDeploymentWith(releases: readonly Release[], more: DeploymentMore = {}): readonly Seen[] {
  const { name = 'checkout', replicas = 2 } = more;
  const [newest] = releases;
  if (!newest) throw new Error('a Deployment has at least one release');
  const template = ({ container, spec }: Release): JsonObject => ({
    metadata: { labels: { app: name } },
    spec: { containers: [mainContainer(container)], ...spec },
  });
  const ready = releases.flatMap(({ looks = [] }) => looks).filter((look) => look.ready).length;
  const deployment = anObject('apps/v1', 'Deployment', name, {
    metadata: {
      labels: { app: name },
      generation: newest.revision,
      annotations: { 'deployment.kubernetes.io/revision': String(newest.revision) },
      creationTimestamp: ago(90 * 24 * 60),
      ...more.metadata,
    },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(newest), ...more.spec },
    status: {
      observedGeneration: newest.revision,
      replicas,
      readyReplicas: ready,
      updatedReplicas: (newest.looks ?? []).length,
      ...more.status,
    },
  });
  return [deployment, ...releases.flatMap((release) => releaseObjects(deployment, release, template(release), more))];
}

function releaseObjects(deployment: Seen, release: Release, template: JsonObject, { node = 'node-1' }: DeploymentMore): readonly Seen[] {
  const { name } = deployment.metadata;
  const { revision, minutesAgo, looks = [] } = release;
  const hash = `rev${revision}`;
  const set = anObject('apps/v1', 'ReplicaSet', `${name}-${hash}`, {
    metadata: {
      labels: { app: name, 'pod-template-hash': hash },
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      creationTimestamp: ago(minutesAgo),
      ...ownedBy(deployment),
    },
    spec: { replicas: looks.length, selector: { matchLabels: { app: name, 'pod-template-hash': hash } }, template },
    status: { replicas: looks.length, readyReplicas: looks.filter(({ ready }) => ready).length },
  });
  const labels = { app: name, 'pod-template-hash': hash };
  const pods = looks.map((look, i) =>
    aPod(`${name}-${hash}-${i + 1}`, look, {
      owner: set,
      labels,
      created: minutesAgo,
      ...(release.container && { container: release.container }),
      ...(release.spec && { spec: release.spec }),
      node: release.nodes?.[i] ?? node,
    }),
  );
  return [set, ...pods];
}

/** A Node that is well, unless said otherwise. */
export function aNode(
  name: string,
  conditions: Readonly<Record<string, string>> = {},
  more: { readonly spec?: JsonObject; readonly labels?: JsonObject; readonly since?: number } = {},
): Seen {
  const all = { Ready: 'True', MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False', ...conditions };
  const { since = 30 } = more;
  return anObject('v1', 'Node', name, {
    metadata: { namespace: undefined, labels: { 'kubernetes.io/hostname': name, ...more.labels } },
    spec: { ...more.spec },
    status: {
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: Object.entries(all).map(([type, status]) => ({
        type,
        status,
        reason: type === 'Ready' && status === 'Unknown' ? 'NodeStatusUnknown' : `Kubelet${type}`,
        lastTransitionTime: ago(since),
        lastHeartbeatTime: ago(status === 'Unknown' ? since : 0),
      })),
    },
  });
}
