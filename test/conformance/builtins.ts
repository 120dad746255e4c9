import type { JsonObject } from '../../src/base/index.ts';

/** A valid object of a built-in kind, as little of it as is accepted, so that the rest is the server's. */
export interface Builtin {
  readonly path: string;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
  /** A strategic patch that is fine. */
  readonly patch: JsonObject;
  /** A status that is fine, where there is one. */
  readonly status?: JsonObject;
  readonly isScaled?: true;
  /** A name that is refused; a usual one when absent. */
  readonly badName?: string;
}

/** Where the objects of this table are. */
export const NAMESPACE = 'builtins';

const core = (plural: string): string => `/api/v1/namespaces/${NAMESPACE}/${plural}`;
const group = (name: string, plural: string): string => `/apis/${name}/v1/namespaces/${NAMESPACE}/${plural}`;

const CONTAINER = {
  name: 'main',
  image: 'shop:1',
  ports: [{ containerPort: 80 }],
  livenessProbe: { httpGet: { port: 80 } },
  env: [{ name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
};
const VOLUMES = [
  { name: 'settings', configMap: { name: 'settings' } },
  { name: 'key', secret: { secretName: 'key' } },
  { name: 'about', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
  { name: 'all', projected: { sources: [{ configMap: { name: 'settings' } }] } },
  { name: 'host', hostPath: { path: '/var' } },
  { name: 'room', emptyDir: { sizeLimit: '1024Mi' } },
];
const LABELS = { app: 'shop' };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER], volumes: VOLUMES } };
const ONCE = { spec: { containers: [{ name: 'main', image: 'shop' }], restartPolicy: 'Never' } };
const RESOURCES = { limits: { cpu: '1000m', memory: '0.5Gi' }, requests: { cpu: 1 } };

const IMAGE = { spec: { template: { spec: { containers: [{ name: 'main', image: 'shop:latest', resources: RESOURCES }] } } } };
const SIDECAR = { spec: { template: { spec: { containers: [{ name: 'side', image: 'side@sha256:abc' }] } } } };
const RULES = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];

export const BUILTIN_OBJECTS: readonly Builtin[] = [
  {
    path: '/api/v1/nodes',
    object: { metadata: { name: 'node-1' } },
    patch: { spec: { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] } },
    status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
  },
  {
    path: core('pods'),
    object: { metadata: { name: 'pod' }, spec: { ...TEMPLATE.spec, containers: [{ ...CONTAINER, resources: { limits: { cpu: 1 } } }] } },
    patch: { metadata: { labels: LABELS }, spec: { containers: [{ name: 'main', image: 'shop:2' }] } },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], podIP: '10.0.0.2', podIPs: [{ ip: '10.0.0.2' }] },
  },
  {
    path: core('pods'),
    object: {
      metadata: { name: 'pinned', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }] },
      spec: { containers: [CONTAINER], initContainers: [{ name: 'first', image: 'shop' }], priorityClassName: 'system-node-critical' },
    },
    patch: { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'u' }] } },
    status: { phase: 'Succeeded' },
  },
  {
    path: core('services'),
    object: { metadata: { name: 'service' }, spec: { clusterIP: 'None', ports: [{ port: 80 }], selector: LABELS } },
    patch: { spec: { ports: [{ port: 80, name: 'web' }] } },
    status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Fine', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }] },
  },
  {
    path: core('services'),
    badName: 'B_d',
    object: { metadata: { name: 'plain' }, spec: { ports: [{ port: 80, targetPort: 'web' }] } },
    patch: { spec: { ports: [{ $patch: 'delete', port: 80 }, { port: 81 }], selector: LABELS } },
    status: { loadBalancer: {} },
  },
  { path: core('serviceaccounts'), object: { metadata: { name: 'account' } }, patch: { imagePullSecrets: [{ name: 'pull' }] } },
  {
    path: group('apps', 'deployments'),
    isScaled: true,
    object: { metadata: { name: 'deployment' }, spec: { selector: { matchLabels: LABELS }, template: TEMPLATE } },
    patch: IMAGE,
    status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
  },
  {
    path: group('apps', 'deployments'),
    object: {
      metadata: { name: 'recreated' },
      spec: { replicas: 0, strategy: { type: 'Recreate' }, selector: { matchLabels: LABELS }, template: TEMPLATE },
    },
    patch: { spec: { strategy: { $retainKeys: ['type', 'rollingUpdate'], type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } } } },
  },
  {
    path: group('apps', 'replicasets'),
    isScaled: true,
    object: { metadata: { name: 'replicas' }, spec: { selector: { matchLabels: LABELS }, template: TEMPLATE } },
    patch: SIDECAR,
    status: { replicas: 1, readyReplicas: 1 },
  },
  {
    path: group('apps', 'statefulsets'),
    isScaled: true,
    object: { metadata: { name: 'stateful' }, spec: { serviceName: 'service', selector: { matchLabels: LABELS }, template: TEMPLATE } },
    patch: IMAGE,
    status: { replicas: 1 },
  },
  {
    path: group('apps', 'daemonsets'),
    object: { metadata: { name: 'daemons' }, spec: { selector: { matchLabels: LABELS }, template: TEMPLATE } },
    patch: { metadata: { labels: LABELS } },
    status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  },
  {
    path: group('batch', 'jobs'),
    object: { metadata: { name: 'job' }, spec: { template: ONCE } },
    patch: { spec: { parallelism: 2, activeDeadlineSeconds: 60 } },
    status: { active: 1, startTime: '2026-01-01T00:00:00Z' },
  },
  {
    path: group('batch', 'jobs'),
    object: { metadata: { name: 'many' }, spec: { parallelism: 3, backoffLimit: 0, template: ONCE } },
    patch: { metadata: { annotations: { a: 'b' } } },
  },
  {
    path: group('batch', 'jobs'),
    object: { metadata: { name: 'labelled' }, spec: { template: { metadata: { labels: LABELS }, ...ONCE } } },
    patch: { metadata: { labels: null }, spec: { suspend: true } },
  },
  {
    path: group('batch', 'jobs'),
    object: { metadata: { name: 'own', labels: { own: 'yes' } }, spec: { template: { metadata: { labels: LABELS }, ...ONCE } } },
    patch: { spec: { backoffLimit: 1 } },
  },
  {
    path: group('policy', 'poddisruptionbudgets'),
    object: { metadata: { name: 'budget' }, spec: { minAvailable: '50%', selector: { matchLabels: LABELS } } },
    patch: { spec: { minAvailable: null, maxUnavailable: 1, selector: { $patch: 'replace', matchLabels: { app: 'other' } } } },
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, observedGeneration: 1 },
  },
  {
    path: group('batch', 'cronjobs'),
    object: { metadata: { name: 'cron' }, spec: { schedule: '* * * * *', jobTemplate: { spec: { template: ONCE } } } },
    patch: { spec: { suspend: true } },
    status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  },
  { path: core('secrets'), object: { metadata: { name: 'secret' }, stringData: { a: 'b' } }, patch: { data: { c: 'ZA==' } } },
  {
    path: group('rbac.authorization.k8s.io', 'roles'),
    object: { metadata: { name: 'role' }, rules: RULES },
    patch: { metadata: { labels: LABELS } },
  },
  {
    path: group('rbac.authorization.k8s.io', 'rolebindings'),
    object: {
      metadata: { name: 'binding' },
      roleRef: { kind: 'Role', name: 'role' },
      subjects: [
        { kind: 'User', name: 'alex' },
        { kind: 'ServiceAccount', name: 'account', namespace: NAMESPACE },
      ],
    },
    patch: { subjects: [{ kind: 'Group', name: 'all' }] },
  },
  { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', object: { metadata: { name: 'wide' }, rules: RULES }, patch: { rules: [] } },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    object: { metadata: { name: 'wide' }, roleRef: { kind: 'ClusterRole', name: 'wide' } },
    patch: { metadata: { labels: LABELS } },
  },
];
