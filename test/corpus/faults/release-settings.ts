import { handOver, plan } from '../corpus-case.ts';
import { deployment, type Fault, type Manifest } from '../fault.ts';
import { aDeployment, GOOD, newRelease, patched, sh } from './manifests.ts';

const APP = 'checkout';
const crashing = { name: 'KubePodCrashLooping', target: deployment(APP) };
const notReady = { name: 'KubePodNotReady', target: deployment(APP) };
const mismatch = { name: 'KubeDeploymentReplicasMismatch', target: deployment(APP) };
const rollback = plan('RollbackDeployment', { REVISION: '1' });
const healthy = [aDeployment(APP)];
const quota = (hard: object): Manifest => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team-budget' }, spec: { hard } });
/** Needs about 60 MiB. */
const HUNGRY = sh('sleep 4; dd if=/dev/zero of=/dev/null bs=60M count=100000');

/** Faults that came with what a new release asks of the cluster. */
export const RELEASE_SETTINGS: readonly Fault[] = [
  {
    name: 'release-needs-missing-secret',
    healthy,
    fault: [newRelease(APP, { env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'payments-token', key: 'token' } } }] })],
    alert: notReady,
    expected: [rollback, handOver(/payments-token/)],
  },
  {
    name: 'release-mounts-missing-configmap',
    healthy,
    fault: [
      newRelease(
        APP,
        { volumeMounts: [{ name: 'rules', mountPath: '/etc/rules' }] },
        { volumes: [{ name: 'rules', configMap: { name: 'tax-rules' } }] },
      ),
    ],
    alert: notReady,
    expected: [rollback, handOver(/tax-rules/)],
  },
  {
    name: 'release-lowers-memory-limit',
    healthy: [
      aDeployment(APP, {
        command: HUNGRY,
        resources: { requests: { cpu: '5m', memory: '16Mi' }, limits: { memory: '128Mi', cpu: '100m' } },
      }),
    ],
    fault: [newRelease(APP, { resources: { limits: { memory: '32Mi' } } })],
    alert: { name: 'KubePodOOMKilled', target: deployment(APP) },
    expected: [rollback, plan('IncreaseMemoryLimits')],
  },
  {
    name: 'release-node-selector',
    healthy,
    fault: [newRelease(APP, {}, { nodeSelector: { disk: 'nvme' } })],
    alert: notReady,
    expected: [rollback, handOver(/node ?selector|affinity|disk/i)],
  },
  {
    name: 'release-asks-for-too-much-cpu',
    healthy,
    fault: [newRelease(APP, { resources: { requests: { cpu: '64' } } })],
    alert: notReady,
    expected: [rollback, handOver(/insufficient cpu/i)],
  },
  {
    name: 'release-above-limit-range',
    healthy: [
      {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'team-limits' },
        spec: { limits: [{ type: 'Container', max: { memory: '64Mi' } }] },
      },
      aDeployment(APP, { ...GOOD, resources: { requests: { cpu: '5m', memory: '16Mi' }, limits: { memory: '32Mi' } } }),
    ],
    fault: [newRelease(APP, { resources: { limits: { memory: '256Mi' } } })],
    alert: mismatch,
    expected: [rollback, handOver(/maximum memory|limit ?range|forbidden/i)],
  },
  {
    name: 'quota-blocks-scale-up',
    healthy: [aDeployment(APP), quota({ pods: '2' })],
    fault: [patched('apps/v1', 'Deployment', APP, { spec: { replicas: 4 } })],
    alert: mismatch,
    expected: [handOver(/team-budget|quota/)],
  },
  {
    name: 'quota-blocks-rollout',
    healthy: [
      aDeployment(APP, GOOD, { workload: { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } } }),
      quota({ pods: '2' }),
    ],
    fault: [newRelease(APP, { env: [{ name: 'RELEASE', value: '2' }] })],
    alert: { name: 'KubeDeploymentRolloutStuck', target: deployment(APP) },
    expected: [handOver(/team-budget|quota/)],
  },
  {
    name: 'first-release-limit-too-low',
    healthy: [],
    fault: [
      {
        create: aDeployment(APP, {
          command: HUNGRY,
          resources: { requests: { cpu: '5m', memory: '16Mi' }, limits: { memory: '32Mi', cpu: '100m' } },
        }),
      },
    ],
    alert: crashing,
    expected: [plan('IncreaseMemoryLimits')],
  },
  {
    name: 'oom-in-sidecar',
    healthy: [],
    fault: [
      {
        create: aDeployment(APP, GOOD, {
          pods: {
            containers: [
              { name: 'app', image: 'sickbay.test/busybox:1', ...GOOD },
              { name: 'cache', image: 'sickbay.test/busybox:1', command: HUNGRY, resources: { limits: { memory: '32Mi', cpu: '100m' } } },
            ],
          },
        }),
      },
    ],
    alert: { name: 'KubePodOOMKilled', target: deployment(APP) },
    expected: [plan('IncreaseMemoryLimits', { CONTAINER: 'cache' }), plan('IncreaseMemoryLimits', {})],
  },
  {
    name: 'ephemeral-storage-evicted',
    healthy: [],
    fault: [
      {
        create: aDeployment(
          APP,
          {
            command: sh('sleep 3; dd if=/dev/zero of=/tmp/spool bs=1M count=40; sleep 3600'),
            resources: { limits: { 'ephemeral-storage': '8Mi' } },
          },
          { replicas: 1 },
        ),
      },
    ],
    alert: notReady,
    expected: [handOver(/ephemeral|evict|storage/i)],
  },
];
