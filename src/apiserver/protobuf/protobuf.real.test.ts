import { request, Agent } from 'undici';
import { expect, test } from 'vitest';
import { isObject } from '../../base/index.ts';
import type { ControlPlaneAccess } from '../../testkit/control-plane.ts';
import { describeOnControlPlane } from '../../testkit/lanes.ts';
import { readProtobuf } from './read-protobuf.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

async function get(access: ControlPlaneAccess, path: string, accept: string): Promise<Buffer> {
  const dispatcher = new Agent({ connect: { ca: access.caData } });
  try {
    const answer = await request(access.url + path, { dispatcher, headers: { authorization: `Bearer ${access.token}`, accept } });
    return Buffer.from(await answer.body.arrayBuffer());
  } finally {
    await dispatcher.close();
  }
}

async function post(access: ControlPlaneAccess, path: string, object: object): Promise<void> {
  const dispatcher = new Agent({ connect: { ca: access.caData } });
  const headers = { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' };
  const answer = await request(access.url + path, { method: 'POST', dispatcher, headers, body: JSON.stringify(object) });
  const said = await answer.body.text();
  await dispatcher.close();
  if (answer.statusCode >= 300) throw new Error(said);
}

/** JSON leaves out nothing that is there, but tells of no time as null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNulls(inner)]])));
}

const pod = {
  initContainers: [{ name: 'i', image: 'x', restartPolicy: 'Always' }],
  containers: [
    {
      name: 'a',
      image: 'x:1',
      command: ['run'],
      env: [
        { name: 'A', value: '' },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } },
      ],
      ports: [{ containerPort: 80, name: 'http' }],
      resources: { limits: { cpu: '500m', memory: '64Mi' }, requests: { cpu: '0' } },
      readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 3 },
      livenessProbe: { tcpSocket: { port: 80 } },
      securityContext: { runAsNonRoot: false, capabilities: { drop: ['ALL'] } },
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
    },
  ],
  volumes: [
    { name: 'v', emptyDir: { sizeLimit: '1Gi' } },
    { name: 'c', configMap: { name: 'c', items: [{ key: 'k', path: 'p', mode: 0 }] } },
  ],
  tolerations: [{ operator: 'Exists', tolerationSeconds: 0, effect: 'NoExecute' }],
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
      ],
    },
  },
  terminationGracePeriodSeconds: 0,
};
const labels = { app: 'protobuf' };
const NAMESPACE = 'protobuf';
const template = { metadata: { labels }, spec: pod };
const core = (plural: string): string => `/api/v1/namespaces/${NAMESPACE}/${plural}`;
const group = (name: string, plural: string): string => `/apis/${name}/v1/namespaces/${NAMESPACE}/${plural}`;

const OBJECTS: readonly (readonly [path: string, object: Readonly<Record<string, unknown>>])[] = [
  [
    core('configmaps'),
    { metadata: { labels, annotations: { a: '' } }, data: { a: 'b', c: '' }, binaryData: { d: 'AQI=' }, immutable: false },
  ],
  [core('secrets'), { data: { a: 'AQI=' }, type: 'Opaque' }],
  [core('serviceaccounts'), { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'x' }] }],
  [
    core('services'),
    {
      spec: {
        ports: [
          { port: 80, targetPort: 'http', name: 'a' },
          { port: 81, targetPort: 8081, name: 'b' },
        ],
        selector: labels,
      },
    },
  ],
  [
    core('events'),
    {
      involvedObject: { kind: 'Pod', name: 'p', namespace: NAMESPACE },
      eventTime: '2026-11-15T00:00:00.000000Z',
      reportingComponent: 'r',
      reportingInstance: 'i',
      action: 'a',
      reason: 'b',
      type: 'Normal',
    },
  ],
  [core('resourcequotas'), { spec: { hard: { pods: '1000', 'limits.cpu': '100500m' } } }],
  [
    group('apps', 'deployments'),
    {
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' } },
      },
    },
  ],
  [group('apps', 'statefulsets'), { spec: { replicas: 0, serviceName: 's', selector: { matchLabels: labels }, template } }],
  [
    group('apps', 'daemonsets'),
    { spec: { selector: { matchLabels: labels }, template: { ...template, spec: { ...pod, nodeSelector: { no: 'node' } } } } },
  ],
  [
    group('batch', 'jobs'),
    { spec: { suspend: true, backoffLimit: 0, template: { metadata: { labels }, spec: { ...pod, restartPolicy: 'Never' } } } },
  ],
  [
    group('batch', 'cronjobs'),
    {
      spec: {
        schedule: '0 0 1 1 *',
        suspend: true,
        jobTemplate: { spec: { template: { spec: { containers: [{ name: 'a', image: 'x' }], restartPolicy: 'Never' } } } },
      },
    },
  ],
  [
    group('coordination.k8s.io', 'leases'),
    { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-11-15T00:00:00.123456Z', leaseTransitions: 0 } },
  ],
  [
    group('rbac.authorization.k8s.io', 'roles'),
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] }] },
  ],
  [
    group('rbac.authorization.k8s.io', 'rolebindings'),
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'object' },
      subjects: [{ kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  [group('policy', 'poddisruptionbudgets'), { spec: { minAvailable: '50%', selector: { matchLabels: labels } } }],
];

describeOnControlPlane('protobuf of a real server', (plane) => {
  test('says the same as its JSON', async () => {
    await post(plane(), '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    for (const [path, object] of OBJECTS) {
      await post(plane(), path, { ...object, metadata: { ...(object['metadata'] as object | undefined), name: 'object' } });
      await same(`${path}/object`);
    }
    await same(`/api/v1/namespaces/${NAMESPACE}`);
  });

  /** Controllers may change an object between two looks at it. */
  async function same(path: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const json = withoutNulls(JSON.parse((await get(plane(), path, 'application/json')).toString())) as Readonly<Record<string, unknown>>;
      const read = withoutNulls(readProtobuf(await get(plane(), path, PROTOBUF))) as Readonly<Record<string, unknown>>;
      const isSameVersion = versionOf(json) === versionOf(read);
      if (isSameVersion || attempt > 5) return expect([path, read]).toEqual([path, json]);
    }
  }

  const versionOf = ({ metadata }: Readonly<Record<string, unknown>>): unknown =>
    (metadata as { readonly resourceVersion: string }).resourceVersion;
});
