import type { ContainerState, Deployment, Pod, PodTemplate, ReplicaSet } from '../../api/builtin/index.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import { after, instant, MINUTE, toTime, type Instant } from '../../base/index.ts';
import type { DeploymentEvidence, Revision } from '../evidence.ts';

/** 03:10 on a November night. */
export const NOW = instant(1_794_712_200_000);

export const minutesAgo = (minutes: number): Instant => after(NOW, -minutes * MINUTE);

export const TARGET = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' };

const metadata = (name: string, createdAt: Instant, more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  namespace: 'shop',
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: toTime(createdAt),
  ...more,
});

const template = (image: string, hash?: string): PodTemplate => ({
  metadata: { labels: { app: 'checkout', ...(hash !== undefined && { 'pod-template-hash': hash }) } },
  spec: { containers: [{ name: 'app', image }] },
});

/** A Deployment of two pods. */
export const aDeployment = (spec: Partial<Deployment['spec']> = {}, status?: Deployment['status']): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('checkout', minutesAgo(24 * 60), { generation: 3 }),
  spec: { replicas: 2, selector: { matchLabels: { app: 'checkout' } }, template: template('shop:3'), ...spec },
  ...(status && { status }),
});

export interface ReplicaSetOptions {
  /** Minutes ago. */
  readonly created?: number;
  readonly image?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const aReplicaSet = (revision: number, options: ReplicaSetOptions = {}): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: metadata(`checkout-${revision}`, minutesAgo(options.created ?? 9), {
    labels: { app: 'checkout' },
    annotations: { 'deployment.kubernetes.io/revision': String(revision), ...options.annotations },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'checkout', uid: 'uid-checkout', controller: true }],
  }),
  spec: { selector: {}, template: template(options.image ?? `shop:${revision}`, `hash-${revision}`) },
});

export interface PodOptions {
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly restarts?: number;
  /** Minutes ago. */
  readonly created?: number;
  readonly ready?: boolean;
  readonly conditions?: NonNullable<Pod['status']>['conditions'];
  readonly init?: boolean;
}

/** A pod that runs well, by default. */
export function aPod(name: string, options: PodOptions = {}): Pod {
  const { ready = options.state === undefined } = options;
  const container = {
    name: 'app',
    ready,
    restartCount: options.restarts ?? 0,
    state: options.state ?? { running: { startedAt: toTime(minutesAgo(8)) } },
    ...(options.lastState && { lastState: options.lastState }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(name, minutesAgo(options.created ?? 8), { labels: { app: 'checkout' } }),
    spec: { containers: [] },
    status: {
      phase: 'Running',
      conditions: options.conditions ?? [{ type: 'Ready', status: ready ? 'True' : 'False' }],
      ...(options.init ? { initContainerStatuses: [container] } : { containerStatuses: [container] }),
    },
  };
}

/** How a container ended: after a second, two minutes ago, by default. */
export const ended = (exitCode: number, options: { at?: Instant; ranMs?: number; reason?: string } = {}): ContainerState => {
  const at = options.at ?? minutesAgo(2);
  return {
    terminated: {
      exitCode,
      reason: options.reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
      startedAt: toTime(after(at, -(options.ranMs ?? 1_000))),
      finishedAt: toTime(at),
    },
  };
};

/** A pod that the kubelet lets wait before it tries again. */
export const aCrashingPod = (name: string, options: PodOptions & { exitCode?: number } = {}): Pod =>
  aPod(name, {
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: ended(options.exitCode ?? 1),
    restarts: 5,
    ready: false,
    ...options,
  });

export const aRevision = (number: number, pods: readonly Pod[], options: ReplicaSetOptions = {}): Revision => ({
  number,
  replicaSet: aReplicaSet(number, options),
  pods,
});

/** Revision 3 crashes since nine minutes; revision 2 is a day old and has no pods any more. */
export const evidenceOf = (
  revisions: readonly Revision[] = [aRevision(3, [aCrashingPod('c1'), aCrashingPod('c2')]), aRevision(2, [], { created: 24 * 60 })],
  spec: Partial<Deployment['spec']> = {},
): DeploymentEvidence => ({ kind: 'Deployment', target: TARGET, deployment: aDeployment(spec), revisions });
