import type { Container, ContainerState, ContainerStatus, Deployment, Job, Pod, PodTemplate, ReplicaSet } from '../../api/builtin/index.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import { after, instant, SECOND, toTime, type Instant } from '../../base/index.ts';
import { replicaSetName } from '../deployment/revisions.ts';
import type { Effect } from '../../runtime/reconcile/controller.ts';

export const NOW = instant(1_794_711_600_000);

/** So many seconds after the start of the test's time. */
export const at = (seconds: number): Instant => after(NOW, seconds * SECOND);
export const timeAt = (seconds: number): string => toTime(at(seconds));

const metadata = (name: string, uid: string, extra: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  namespace: 'default',
  uid,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: timeAt(0),
  ...extra,
});

export const script = (text: string): Container => ({ name: 'app', image: 'sickbay.test/busybox:1', command: ['sh', '-c', text] });

export const template = (text: string): PodTemplate => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [script(text)] } });

/** A pod; `ready` gives it a node and a Ready condition of that second. */
export function aPod(options: {
  readonly uid?: string;
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Partial<Pod['spec']>;
  readonly status?: Pod['status'];
  readonly ready?: number;
}): Pod {
  const { uid = 'pod-1', ready } = options;
  const conditions = ready === undefined ? undefined : [{ type: 'Ready', status: 'True' as const, lastTransitionTime: timeAt(ready) }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(uid, uid, options.metadata),
    spec: { containers: [script('sleep 3600')], nodeName: 'local', ...options.spec },
    status: { phase: ready === undefined ? 'Pending' : 'Running', ...(conditions && { conditions }), ...options.status },
  };
}

export const aContainerStatus = (state: ContainerState, extra: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'app',
  image: 'sickbay.test/busybox:1',
  ready: state.running !== undefined,
  started: state.running !== undefined,
  restartCount: 0,
  lastState: {},
  state,
  ...extra,
});

export const aDeployment = (spec: Partial<Deployment['spec']> = {}, extra: Partial<Deployment> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: metadata('web', 'deployment-1', { annotations: { 'deployment.kubernetes.io/revision': '1' } }),
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('sleep 3600'), ...spec },
  ...extra,
});

/** The ReplicaSet of one of the Deployment's templates. */
export function aReplicaSet(options: {
  readonly of?: PodTemplate;
  readonly revision?: number;
  readonly size?: number;
  readonly pods?: number;
  readonly available?: number;
  readonly metadata?: Partial<ObjectMeta>;
}): ReplicaSet {
  const { revision = 1, size = 2, pods = size, available = pods } = options;
  const name = replicaSetName(aDeployment({ template: options.of ?? template('sleep 3600') }));
  const annotations = { 'deployment.kubernetes.io/revision': String(revision) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: metadata(name, `uid-${name}`, { annotations, ...options.metadata }),
    spec: { replicas: size, selector: { matchLabels: { app: 'web' } }, template: options.of ?? template('sleep 3600') },
    status: { replicas: pods, readyReplicas: available, availableReplicas: available, observedGeneration: 1 },
  };
}

export const aJob = (spec: Partial<Job['spec']> = {}, status?: Job['status'], extra: Partial<ObjectMeta> = {}): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metadata('fix', 'job-1', extra),
  spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers: [script('sleep 1')] } }, ...spec },
  ...(status && { status }),
});

/** An effect in a few words. */
export function effectText(effect: Effect): string {
  switch (effect.kind) {
    case 'Create':
      return `Create ${effect.object.kind} ${effect.object.metadata.name ?? ''}`;
    case 'Patch':
      return `Patch ${effect.key.name} ${effect.operations.map(({ path, value }) => `${path}=${JSON.stringify(value)}`).join(' ')}`;
    case 'Delete':
      return `Delete ${effect.key.name}`;
    case 'Call':
      return `Call ${effect.run} ${effect.key}`;
    default:
      return effect.kind;
  }
}
