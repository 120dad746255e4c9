import { handOver, NOTHING_TO_DO, plan, type CorpusCase } from '../corpus-case.ts';
import { deployment, on } from '../fault.ts';
import { ago, anEvent, anObject, still } from './build.ts';
import { aDeploymentWith, aNode, aPendingPod, aPod, crashing, running, terminated, waiting } from './workload.ts';

const DAY = 24 * 60;
const origin = 'written';
const checkout = { name: 'KubePodCrashLooping', target: deployment('checkout') };

const crashedRelease = aDeploymentWith([
  { revision: 7, minutesAgo: 20, container: { image: 'registry.test/shop/checkout:1.5.0' }, looks: [crashing(), crashing()] },
  { revision: 6, minutesAgo: 3 * DAY },
]);

const healthy = aDeploymentWith([
  { revision: 6, minutesAgo: 3 * DAY, looks: [running(3 * DAY), running(3 * DAY)] },
  { revision: 5, minutesAgo: 9 * DAY },
]);

/** The cases that everything else is a variation of. */
export const BASICS: readonly CorpusCase[] = [
  {
    name: 'written-crash-after-release',
    origin,
    recording: still([crashedRelease], [{ pod: 'checkout-rev7-1', container: 'app', previous: true, text: 'panic: nil map\n' }]),
    alert: checkout,
    expected: [plan('RollbackDeployment', { REVISION: '6' })],
  },
  {
    name: 'written-all-well',
    origin,
    recording: still([healthy]),
    alert: checkout,
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'written-scaled-to-zero',
    origin,
    recording: still([aDeploymentWith([{ revision: 6, minutesAgo: 3 * DAY }], { replicas: 0 })]),
    alert: { name: 'KubeDeploymentReplicasMismatch', target: deployment('checkout') },
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'written-deleted',
    origin,
    recording: still([]),
    alert: checkout,
    expected: [handOver(/does not exist|deleted|not found/i), NOTHING_TO_DO],
  },
  {
    name: 'written-pods-unreadable',
    origin,
    recording: still([healthy], [], ['pods']),
    alert: checkout,
    expected: [handOver(/pods/i, /forbidden|not allowed|cannot (be )?read/i)],
  },
  {
    name: 'written-out-of-memory-after-months',
    origin,
    recording: still([
      aDeploymentWith([
        {
          revision: 6,
          minutesAgo: 60 * DAY,
          container: { resources: { limits: { memory: '128Mi' }, requests: { memory: '128Mi' } } },
          looks: [
            { ...crashing(137, 'OOMKilled', 6), lastState: terminated(137, 'OOMKilled', 1) },
            { ...crashing(137, 'OOMKilled', 5), lastState: terminated(137, 'OOMKilled', 2) },
          ],
        },
        { revision: 5, minutesAgo: 80 * DAY },
      ]),
    ]),
    alert: { name: 'KubePodOOMKilled', target: deployment('checkout') },
    expected: [plan('IncreaseMemoryLimits')],
  },
  {
    name: 'written-node-not-ready',
    origin,
    recording: still([
      aNode('node-1', { Ready: 'False' }, { since: 25 }),
      aNode('node-2'),
      aNode('node-3'),
      ...aDeploymentWith([{ revision: 6, minutesAgo: 3 * DAY, looks: [running(), running()] }], { node: 'node-1' }),
    ]),
    alert: { name: 'KubeNodeNotReady', target: { kind: 'Node', name: 'node-1', apiVersion: 'v1' } },
    expected: [plan('DrainNode'), handOver(/NotReady|not ready/i)],
  },
  {
    name: 'written-pod-of-a-statefulset-pending-claim',
    origin,
    recording: still([
      anObject('apps/v1', 'StatefulSet', 'db', {
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'db' } },
          template: { metadata: { labels: { app: 'db' } }, spec: { containers: [] } },
        },
        status: { replicas: 1, readyReplicas: 0, observedGeneration: 1 },
      }),
      aPendingPod('db-0', '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.', {
        labels: { app: 'db' },
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-0' } }] },
      }),
      anObject('v1', 'PersistentVolumeClaim', 'data-db-0', {
        spec: { storageClassName: 'fast-ssd', resources: { requests: { storage: '10Gi' } } },
        status: { phase: 'Pending' },
      }),
      anEvent(
        anObject('v1', 'PersistentVolumeClaim', 'data-db-0'),
        'ProvisioningFailed',
        'storageclass.storage.k8s.io "fast-ssd" not found',
      ),
    ]),
    alert: { name: 'KubePersistentVolumeClaimPending', target: on('PersistentVolumeClaim', 'data-db-0', 'v1') },
    expected: [handOver(/fast-ssd/)],
  },
  {
    name: 'written-image-registry-down-no-release',
    origin,
    recording: still([
      aDeploymentWith([
        {
          revision: 6,
          minutesAgo: 30 * DAY,
          looks: [running(30 * DAY), waiting('ImagePullBackOff', 'Back-off pulling image "registry.test/shop/checkout:1.4.2"')],
        },
        { revision: 5, minutesAgo: 60 * DAY },
      ]),
      anEvent(
        aPod('checkout-rev6-2', running()),
        'Failed',
        'Failed to pull image "registry.test/shop/checkout:1.4.2": dial tcp 192.0.2.9:443: connect: connection refused',
      ),
    ]),
    alert: { name: 'KubePodNotReady', target: deployment('checkout') },
    expected: [handOver(/image|pull|registry/i)],
  },
  {
    name: 'written-crash-long-after-release',
    origin,
    recording: still(
      [
        aDeploymentWith([
          { revision: 6, minutesAgo: 40 * DAY, looks: [crashing(1, 'Error', 9), crashing(1, 'Error', 9)] },
          { revision: 5, minutesAgo: 70 * DAY },
        ]),
        anObject('v1', 'ConfigMap', 'unrelated', { metadata: { creationTimestamp: ago(DAY) }, data: { MODE: 'fast' } }),
      ],
      [{ pod: 'checkout-rev6-1', container: 'app', previous: true, text: 'fatal: licence has expired on 2026-11-15\n' }],
    ),
    alert: checkout,
    misleading: 'an earlier release is there, but this one has run for 40 days',
    expected: [handOver(/crash|exit/i)],
  },
];
