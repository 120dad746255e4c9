import { handOver, plan } from '../corpus-case.ts';
import { deployment, on, podOf, type Fault } from '../fault.ts';
import { aDeployment, GOOD, patched, sh } from './manifests.ts';

const APP = 'checkout';
const notReady = { name: 'KubePodNotReady', target: deployment(APP) };
const pending = { name: 'KubePodPending', target: podOf(APP) };

const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: APP } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
};

/** Pods that no node takes, or that do not leave theirs. */
export const SCHEDULING: readonly Fault[] = [
  {
    name: 'no-node-with-the-label',
    healthy: [],
    fault: [{ create: aDeployment(APP, GOOD, { pods: { nodeSelector: { zone: 'eu-west-1x' } } }) }],
    alert: pending,
    expected: [handOver(/node ?selector|affinity|zone/i)],
  },
  {
    name: 'anti-affinity-needs-a-node-more',
    healthy: [aDeployment(APP, GOOD, { pods: apart })],
    fault: [patched('apps/v1', 'Deployment', APP, { spec: { replicas: 3 } })],
    alert: pending,
    expected: [handOver(/affinity/i), plan('ScaleReplicas', { REPLICAS: '2' }, `Deployment/${APP}`)],
  },
  {
    name: 'host-port-taken',
    healthy: [aDeployment(APP, { ...GOOD, ports: [{ containerPort: 8080, hostPort: 38_080 }] })],
    fault: [patched('apps/v1', 'Deployment', APP, { spec: { replicas: 3 } })],
    alert: notReady,
    expected: [handOver(/port/i), plan('ScaleReplicas', { REPLICAS: '2' }, `Deployment/${APP}`)],
  },
  {
    name: 'no-node-with-the-memory',
    healthy: [],
    fault: [{ create: aDeployment(APP, { ...GOOD, resources: { requests: { memory: '900Gi' } } }, { replicas: 1 }) }],
    alert: notReady,
    expected: [handOver(/insufficient memory/i)],
  },
  {
    name: 'claim-without-class',
    healthy: [],
    fault: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'orders' },
          spec: { storageClassName: 'fast-ssd', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      },
      {
        create: aDeployment(APP, GOOD, {
          replicas: 1,
          pods: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'orders' } }] },
        }),
      },
    ],
    alert: { name: 'KubePersistentVolumeClaimPending', target: on('PersistentVolumeClaim', 'orders', 'v1') },
    expected: [handOver(/fast-ssd/)],
  },
  {
    name: 'claim-missing',
    healthy: [],
    fault: [
      {
        create: aDeployment(APP, GOOD, {
          replicas: 1,
          pods: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'orders' } }] },
        }),
      },
    ],
    alert: notReady,
    expected: [handOver(/orders/)],
  },
  {
    name: 'pod-held-by-finalizer',
    healthy: [],
    fault: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'importer', labels: { app: 'importer' }, finalizers: ['example.test/hold'] },
          spec: {
            terminationGracePeriodSeconds: 1,
            containers: [{ name: 'app', image: 'sickbay.test/busybox:1', command: sh('sleep 3600') }],
          },
        },
      },
      { remove: { apiVersion: 'v1', kind: 'Pod', name: 'importer' }, at: 3 },
      {
        ...patched('v1', 'Pod', 'importer', { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.test/hold'] } }),
        at: 245,
      },
    ],
    alert: { name: 'KubePodStuckTerminating', target: on('Pod', 'importer', 'v1') },
    expected: [handOver(/finalizer|example\.test/i)],
  },
  {
    name: 'bare-pod-crashes',
    healthy: [],
    fault: [
      {
        create: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'importer', labels: { app: 'importer' } },
          spec: {
            containers: [{ name: 'app', image: 'sickbay.test/busybox:1', command: sh('echo "cannot open /data/in.csv" >&2; exit 3') }],
          },
        },
      },
    ],
    alert: { name: 'KubePodCrashLooping', target: on('Pod', 'importer', 'v1') },
    expected: [handOver(/exit|crash/i)],
  },
];
