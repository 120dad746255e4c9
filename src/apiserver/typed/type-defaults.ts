import type { JsonObject } from '../../base/index.ts';

/**
 * Defaults that kube-apiserver has in code and not in its OpenAPI, by type: those that kubectl, our
 * controllers or the local cluster read. Each is compared with a real server (test/conformance).
 */
export const TYPE_DEFAULTS: Readonly<Record<string, (given: JsonObject) => JsonObject>> = {
  PodSpec: constantly({
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    securityContext: {},
    schedulerName: 'default-scheduler',
  }),
  Container: containerDefaults,
  Event: constantly({ firstTimestamp: null, lastTimestamp: null, eventTime: null }),
  EventSeries: constantly({ lastObservedTime: null }),
  Probe: constantly({ timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  HTTPGetAction: constantly({ path: '/', scheme: 'HTTP' }),
  ObjectFieldSelector: constantly({ apiVersion: 'v1' }),
  ConfigMapVolumeSource: constantly({ defaultMode: 0o644 }),
  SecretVolumeSource: constantly({ defaultMode: 0o644 }),
  DownwardAPIVolumeSource: constantly({ defaultMode: 0o644 }),
  ProjectedVolumeSource: constantly({ defaultMode: 0o644 }),
  HostPathVolumeSource: constantly({ type: '' }),
  DeploymentSpec: constantly({ replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  DeploymentStrategy: rollingUnless('Recreate'),
  RollingUpdateDeployment: constantly({ maxUnavailable: '25%', maxSurge: '25%' }),
  ReplicaSetSpec: constantly({ replicas: 1 }),
  StatefulSetSpec: constantly({
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: {},
  }),
  StatefulSetUpdateStrategy: rollingUnless('OnDelete'),
  RollingUpdateStatefulSetStrategy: constantly({ partition: 0 }),
  StatefulSetPersistentVolumeClaimRetentionPolicy: constantly({ whenDeleted: 'Retain', whenScaled: 'Retain' }),
  DaemonSetSpec: constantly({ revisionHistoryLimit: 10 }),
  DaemonSetUpdateStrategy: rollingUnless('OnDelete'),
  RollingUpdateDaemonSet: constantly({ maxUnavailable: 1, maxSurge: 0 }),
  CronJobSpec: constantly({ concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  ServiceSpec: constantly({ type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' }),
  ServicePort: ({ port }) => ({ targetPort: port }),
  RoleRef: constantly({ apiGroup: 'rbac.authorization.k8s.io' }),
  Subject: ({ kind }) => (kind === 'ServiceAccount' ? {} : { apiGroup: 'rbac.authorization.k8s.io' }),
};

function constantly(defaults: JsonObject): () => JsonObject {
  return () => defaults;
}

function rollingUnless(other: string): (given: JsonObject) => JsonObject {
  return ({ type }) => (type === other ? {} : { type: 'RollingUpdate', rollingUpdate: {} });
}

/** An image without a tag, or with `latest`, is always pulled. */
function containerDefaults({ image }: JsonObject): JsonObject {
  const text = typeof image === 'string' ? image : '';
  const [, tag = 'latest'] = /:([^:/@]+)$/.exec(text.split('@')[0]!) ?? [];
  const isFixed = tag !== 'latest' || text.includes('@');
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isFixed ? 'IfNotPresent' : 'Always',
  };
}
