import { handOver, NOTHING_TO_DO, plan, type CorpusCase } from '../corpus-case.ts';
import { deployment, on } from '../fault.ts';
import { ago, anEvent, anObject, still } from './build.ts';
import { aDeploymentWith, aNode, aPendingPod, crashing, running, waiting } from './workload.ts';

const origin = 'written';
const DAYS = 24 * 60;
const crash = { name: 'KubePodCrashLooping', target: deployment('checkout') };
const mismatch = { name: 'KubeDeploymentReplicasMismatch', target: deployment('checkout') };
const log = (text: string, pod = 'checkout-rev6-1') => [{ pod, container: 'app', previous: true, text }];
const crashedLate = aDeploymentWith([
  { revision: 6, minutesAgo: 30 * DAYS, looks: [crashing(), crashing()] },
  { revision: 5, minutesAgo: 60 * DAYS },
]);
const healthyInventory = aDeploymentWith([{ revision: 2, minutesAgo: 30 * DAYS, looks: [running(), running()] }], { name: 'inventory' });
const inventoryService = anObject('v1', 'Service', 'inventory', {
  spec: { selector: { app: 'inventory' }, ports: [{ port: 80, targetPort: 8080 }] },
});

const refusesPods = (name: string, message: string, says: RegExp): CorpusCase => {
  const objects = aDeploymentWith([{ revision: 1, minutesAgo: 20 }]);
  return {
    name,
    origin,
    recording: still([
      objects,
      anEvent(objects[1] ?? anObject('apps/v1', 'ReplicaSet', 'none'), 'FailedCreate', message, {
        from: 'replicaset-controller',
        count: 14,
      }),
    ]),
    alert: mismatch,
    expected: [handOver(says)],
  };
};

const stuckPod = (name: string, message: string, reason: string, says: RegExp): CorpusCase => {
  const objects = aDeploymentWith([{ revision: 6, minutesAgo: 30 * DAYS, looks: [running(30 * DAYS), waiting('ContainerCreating')] }]);
  return {
    name,
    origin,
    recording: still([objects, anEvent(anObject('v1', 'Pod', 'checkout-rev6-2'), reason, message, { count: 12 })]),
    alert: { name: 'KubePodNotReady', target: deployment('checkout') },
    expected: [handOver(says)],
  };
};

const pending = (name: string, message: string, says: RegExp): CorpusCase => ({
  name,
  origin,
  recording: still([
    aDeploymentWith([{ revision: 6, minutesAgo: 30 * DAYS, looks: [running(30 * DAYS)] }]).slice(0, 2),
    aPendingPod('checkout-rev6-1', message, {
      owner: anObject('apps/v1', 'ReplicaSet', 'checkout-rev6'),
      labels: { app: 'checkout', 'pod-template-hash': 'rev6' },
    }),
    anEvent(anObject('v1', 'Pod', 'checkout-rev6-1'), 'FailedScheduling', message, { from: 'default-scheduler' }),
    aNode('node-1', {}, { spec: { taints: [{ key: 'maintenance', value: 'true', effect: 'NoSchedule' }] } }),
  ]),
  alert: { name: 'KubePodNotReady', target: deployment('checkout') },
  expected: [handOver(says)],
});

/** Causes that lie around the workload. */
export const SURROUNDINGS: readonly CorpusCase[] = [
  {
    name: 'network-policy-cuts-off',
    origin,
    recording: still(
      [
        crashedLate,
        healthyInventory,
        inventoryService,
        anObject('networking.k8s.io/v1', 'NetworkPolicy', 'deny-all', {
          metadata: { creationTimestamp: ago(18) },
          spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
        }),
      ],
      log('dial tcp: connect to inventory:80: i/o timeout\n'),
    ),
    alert: crash,
    misleading: 'upstream is well: the way to it is closed',
    expected: [plan(/NetworkPolicy/), handOver(/deny-all|network ?polic/i)],
  },
  {
    name: 'ingress-names-no-service',
    origin,
    recording: still([
      healthyInventory,
      inventoryService,
      anObject('networking.k8s.io/v1', 'Ingress', 'shop', {
        spec: {
          rules: [
            {
              host: 'shop.test',
              http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'inventroy', port: { number: 80 } } } }] },
            },
          ],
        },
      }),
    ]),
    alert: { name: 'IngressBackendDown', target: on('Ingress', 'shop', 'networking.k8s.io/v1') },
    expected: [handOver(/inventroy/)],
  },
  {
    name: 'budget-blocks-drain',
    origin,
    recording: still([
      aNode('node-1', {}, { spec: { unschedulable: true } }),
      aNode('node-2'),
      aDeploymentWith([{ revision: 6, minutesAgo: 30 * DAYS, looks: [running(), running()] }], { node: 'node-1' }),
      anObject('policy/v1', 'PodDisruptionBudget', 'checkout-budget', {
        spec: { minAvailable: 2, selector: { matchLabels: { app: 'checkout' } } },
        status: { currentHealthy: 2, desiredHealthy: 2, disruptionsAllowed: 0, expectedPods: 2 },
      }),
    ]),
    alert: { name: 'NodeDrainBlocked', target: on('PodDisruptionBudget', 'checkout-budget', 'policy/v1') },
    expected: [plan(/PDB|Budget/), handOver(/budget|disruption/i)],
  },
  {
    name: 'volume-full',
    origin,
    recording: still(
      [
        crashedLate,
        anObject('v1', 'PersistentVolumeClaim', 'orders', {
          spec: { storageClassName: 'standard', resources: { requests: { storage: '1Gi' } } },
          status: { phase: 'Bound', capacity: { storage: '1Gi' } },
        }),
        anObject('storage.k8s.io/v1', 'StorageClass', 'standard', { metadata: { namespace: undefined }, allowVolumeExpansion: true }),
      ],
      log('write /data/wal/000031: no space left on device\n'),
    ),
    alert: { name: 'KubePersistentVolumeFillingUp', target: on('PersistentVolumeClaim', 'orders', 'v1') },
    expected: [plan(/PVC|PersistentVolumeClaim|Volume/), handOver(/orders|space|full/i)],
  },
  stuckPod(
    'volume-attached-elsewhere',
    'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another',
    'FailedAttachVolume',
    /attach/i,
  ),
  stuckPod(
    'image-credentials-refused',
    'Failed to pull image "registry.test/shop/checkout:1.4.2": unexpected status code 401 Unauthorized',
    'Failed',
    /401|unauthor|credential|pull/i,
  ),
  stuckPod(
    'sandbox-has-no-address',
    'failed to setup network for sandbox: no IP addresses available in range set',
    'FailedCreatePodSandBox',
    /address|network|sandbox/i,
  ),
  pending('pending-for-taints', '0/3 nodes are available: 3 node(s) had untolerated taint(s) {maintenance: true}.', /taint/i),
  pending('pending-for-zone-of-volume', '0/3 nodes are available: 3 node(s) had volume node affinity conflict.', /volume|affinity/i),
  refusesPods(
    'admission-webhook-down',
    'Error creating: Internal error occurred: failed calling webhook "policy.test": connect: connection refused',
    /webhook/i,
  ),
  refusesPods(
    'service-account-missing',
    'Error creating: pods "checkout-" is forbidden: error looking up service account shop/checkout: serviceaccount "checkout" not found',
    /service ?account/i,
  ),
  refusesPods(
    'pod-security-refuses',
    'Error creating: pods "checkout-" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    /PodSecurity|runAsNonRoot/i,
  ),
  {
    name: 'secret-rotated',
    origin,
    recording: still(
      [
        aDeploymentWith([
          {
            revision: 6,
            minutesAgo: 30 * DAYS,
            container: { env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'db-credentials', key: 'password' } } }] },
            looks: [crashing(), crashing()],
          },
          { revision: 5, minutesAgo: 60 * DAYS },
        ]),
        anObject('v1', 'Secret', 'db-credentials', {
          metadata: { managedFields: [{ manager: 'vault-sync', operation: 'Update', time: ago(9) }], resourceVersion: '990001' },
          data: { password: '' },
        }),
      ],
      log('FATAL: password authentication failed for user "checkout"\n'),
    ),
    alert: crash,
    misleading: 'no release: the Secret was changed nine minutes ago',
    expected: [plan(/Secret/), handOver(/db-credentials|password/)],
  },
  {
    name: 'crashes-on-one-node-only',
    origin,
    recording: still([
      aNode('node-1'),
      aNode('node-2'),
      aDeploymentWith(
        [
          {
            revision: 6,
            minutesAgo: 30 * DAYS,
            looks: [running(30 * DAYS), crashing(), crashing()],
            nodes: ['node-1', 'node-2', 'node-2'],
          },
          { revision: 5, minutesAgo: 60 * DAYS },
        ],
        { replicas: 3 },
      ),
    ]),
    alert: crash,
    misleading: 'only the pods of one node crash',
    expected: [handOver(/node-2/), plan('DrainNode', {}, 'Node/node-2')],
  },
  {
    name: 'both-revisions-crash',
    origin,
    recording: still([
      aDeploymentWith([
        { revision: 7, minutesAgo: 15, container: { image: 'registry.test/shop/checkout:1.5.0' }, looks: [crashing()] },
        { revision: 6, minutesAgo: 9 * DAYS, looks: [crashing(), crashing()] },
      ]),
    ]),
    alert: crash,
    misleading: 'the earlier revision crashes too: the release is not the cause',
    expected: [handOver(/revision 6|both|earlier/i)],
  },
  {
    name: 'restarted-a-few-minutes-ago',
    origin,
    recording: still([
      aDeploymentWith([
        {
          revision: 6,
          minutesAgo: 9 * DAYS,
          looks: [
            {
              ...running(4),
              restarts: 1,
              lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(9 * DAYS), finishedAt: ago(4) } },
            },
            running(9 * DAYS),
          ],
        },
        { revision: 5, minutesAgo: 30 * DAYS },
      ]),
    ]),
    alert: crash,
    misleading: 'it has recovered by itself',
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'cronjob-missed-too-many-starts',
    origin,
    recording: still([
      anObject('batch/v1', 'CronJob', 'nightly', {
        spec: { schedule: '*/1 * * * *', concurrencyPolicy: 'Forbid' },
        status: { lastScheduleTime: ago(300) },
      }),
      anEvent(
        anObject('batch/v1', 'CronJob', 'nightly'),
        'TooManyMissedTimes',
        'too many missed start times: 301. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      ),
    ]),
    alert: { name: 'CronJobDidNotRun', target: on('CronJob', 'nightly', 'batch/v1') },
    expected: [handOver(/missed/i)],
  },
  {
    name: 'unknown-kind',
    origin,
    recording: still([anObject('shops.test/v1', 'Shop', 'main', { status: { phase: 'Degraded' } })]),
    alert: { name: 'ShopDegraded', target: on('Shop', 'main', 'shops.test/v1') },
    misleading: 'no one has told what a Shop is',
    expected: [handOver(/Shop/)],
  },
];
