import { RemediationRequest } from '../../../src/api/remediation-request/remediation-request.ts';
import { ActionType } from '../../../src/api/action-type/action-type.ts';
import { kinds } from '../../../src/api/kinds.ts';

/**
 * What the commands work on. Built-in objects carry every field that Kubernetes would fill in: its defaults for them are not
 * what is compared here.
 */

export const NAMESPACE = 'shop';

const labels = { app: 'web' };
const place = { namespace: NAMESPACE };
const time = (minute: string): string => `2026-11-15T03:${minute}:00Z`;

const container = (name: string, image: string): object => ({
  name,
  image,
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
});

const podSpec = (restartPolicy: string): object => ({
  restartPolicy,
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  containers: [container('main', 'registry.example/web:1'), container('helper', 'registry.example/helper:2')],
});

const podOf = (name: string, extra: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...place, labels },
  spec: {
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    ...podSpec('Always'),
    ...extra,
  },
});

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', ...place, labels, annotations: { 'deployment.kubernetes.io/revision': '2' } },
  spec: {
    replicas: 2,
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    selector: { matchLabels: labels },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    template: { metadata: { labels, annotations: { note: 'b' } }, spec: podSpec('Always') },
  },
};

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'mend', ...place, labels: { job: 'mend' } },
  spec: {
    parallelism: 1,
    completions: 1,
    backoffLimit: 6,
    manualSelector: true,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: 'TerminatingOrFailed',
    selector: { matchLabels: { job: 'mend' } },
    template: { metadata: { labels: { job: 'mend' } }, spec: podSpec('Never') },
  },
};

/** An earlier or the present state of the deployment, which owns it. */
export const replicaSet = (revision: '1' | '2', ownerUid: string): object => {
  const all = { ...labels, 'pod-template-hash': `hash${revision}` };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${revision}`,
      ...place,
      labels: all,
      annotations: { 'deployment.kubernetes.io/revision': revision },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: ownerUid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      replicas: revision === '2' ? 2 : 0,
      selector: { matchLabels: all },
      template: { metadata: { labels: all, annotations: { note: revision === '2' ? 'b' : 'a' } }, spec: podSpec('Always') },
    },
  };
};

/** One of each built-in kind that is looked at. */
export const BUILTINS: readonly object[] = [
  deployment,
  job,
  podOf('calm'),
  podOf('busy', { initContainers: [container('prepare', 'registry.example/prepare:1')] }),
  podOf('ended'),
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', ...place, labels }, data: { mode: 'fast', level: '3' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key', ...place }, type: 'Opaque', data: { token: 'c2VjcmV0' } },
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'node-1', labels: { 'node-role.kubernetes.io/worker': '' } },
    spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'leader', ...place },
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'mend.1', ...place },
    involvedObject: { apiVersion: 'batch/v1', kind: 'Job', name: 'mend', ...place },
    type: 'Warning',
    reason: 'Slow',
    message: 'takes its time',
    count: 3,
    firstTimestamp: time('00'),
    lastTimestamp: time('05'),
    source: { component: 'watcher', host: 'node-1' },
    reportingComponent: 'watcher',
    reportingInstance: 'node-1',
  },
];

const running = (name: string, ready = true): object => ({
  name,
  image: 'i',
  imageID: 'i@sha256:1',
  ready,
  restartCount: 0,
  state: { running: { startedAt: time('10') } },
  lastState: {},
});
const waiting = (name: string, reason: string, restartCount: number): object => ({
  name,
  image: 'i',
  imageID: 'i@sha256:1',
  ready: false,
  restartCount,
  state: { waiting: { reason } },
  lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: time('00'), finishedAt: time('01') } },
});
const terminated = (name: string, exitCode: number): object => ({
  name,
  image: 'i',
  imageID: 'i@sha256:1',
  ready: false,
  restartCount: 0,
  state: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt: time('00'), finishedAt: time('01') } },
  lastState: {},
});

/** What controllers and kubelets would say, by what it is said of. */
export const STATUSES: readonly (readonly [target: string, status: object])[] = [
  [
    'deployment/web',
    {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 1,
      conditions: [
        {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'no',
          lastUpdateTime: time('00'),
          lastTransitionTime: time('00'),
        },
      ],
    },
  ],
  ['job/mend', { active: 1, ready: 1, terminating: 0, startTime: time('00'), uncountedTerminatedPods: {} }],
  [
    'pod/calm',
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [running('main'), running('helper')],
      podIPs: [{ ip: '10.0.0.7' }],
      podIP: '10.0.0.7',
    },
  ],
  [
    'pod/busy',
    {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [terminated('prepare', 0)],
      containerStatuses: [waiting('main', 'CrashLoopBackOff', 4), running('helper')],
    },
  ],
  ['pod/ended', { phase: 'Failed', containerStatuses: [terminated('main', 0), terminated('helper', 3)] }],
  [
    'node/node-1',
    {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'fine',
          lastHeartbeatTime: time('00'),
          lastTransitionTime: time('00'),
        },
      ],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: {
        kubeletVersion: 'v1.36.0',
        osImage: 'Debian',
        kernelVersion: '6.1',
        containerRuntimeVersion: 'containerd://2',
        architecture: 'amd64',
        bootID: 'b',
        kubeProxyVersion: '',
        machineID: 'm',
        operatingSystem: 'linux',
        systemUUID: 's',
      },
    },
  ],
];

/** A sample of each of our kinds, in one namespace. */
export const CUSTOM: readonly object[] = kinds.map(({ sample }) => {
  const { status: _, ...rest } = sample;
  return { ...rest, metadata: { ...sample.metadata, namespace: NAMESPACE } };
});

/** What a status of a sample says, for kinds that have one. */
export const CUSTOM_STATUSES: readonly (readonly [target: string, status: object])[] = kinds.flatMap(({ plural, group, sample }) =>
  sample.status === undefined ? [] : [[`${plural}.${group}/${sample.metadata.name}`, sample.status as object] as const],
);

/** For `apply`: the same object three times. */
export const APPLIED = {
  fresh: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'applied', ...place, labels: { a: '1', b: '2' } },
    data: { x: '1', y: '2' },
  },
  changed: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied', ...place, labels: { a: '1' } }, data: { x: '3' } },
  deployment: {
    ...deployment,
    spec: {
      ...deployment.spec,
      replicas: 3,
      template: { ...deployment.spec.template, spec: { ...podSpec('Always'), containers: [container('main', 'registry.example/web:2')] } },
    },
  },
  custom: {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: ActionType.kind,
    metadata: { name: 'applied', ...place },
    spec: { ...(ActionType.sample as { readonly spec: object }).spec, name: 'Applied' },
  },
  customChanged: {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: ActionType.kind,
    metadata: { name: 'applied', ...place, labels: { a: '1' } },
    spec: { name: 'Applied', description: { what: 'does it', whenToUse: 'always' } },
  },
} as const;

/** The name of the remediation request among the samples. */
export const REQUEST = RemediationRequest.sample.metadata.name;
