import { handOver, plan } from '../corpus-case.ts';
import { on, type Fault } from '../fault.ts';
import { aDaemonSet, aService, aStatefulSet, GOOD, release, sh } from './manifests.ts';

const db = on('StatefulSet', 'db');
const agent = on('DaemonSet', 'log-agent');
const crashing = 'KubePodCrashLooping';
const nodeName = { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };

/** Faults of StatefulSets and DaemonSets. */
export const STATEFUL: readonly Fault[] = [
  {
    name: 'statefulset-release-crashes',
    healthy: [aService('db'), aStatefulSet('db', GOOD, { replicas: 3, workload: { podManagementPolicy: 'Parallel' } })],
    fault: [release('StatefulSet', 'db', { command: sh('echo "unknown option --wal-v2" >&2; exit 1') })],
    alert: { name: crashing, target: db },
    expected: [plan(/^Rollback/), handOver(/db-2|revision|roll/i)],
  },
  {
    name: 'statefulset-image-missing',
    healthy: [aService('db'), aStatefulSet('db', GOOD)],
    fault: [release('StatefulSet', 'db', { image: 'sickbay.test/busybox:9' })],
    alert: { name: 'KubeStatefulSetReplicasMismatch', target: db },
    expected: [plan(/^Rollback/), handOver(/busybox:9|image|pull/i)],
  },
  {
    name: 'statefulset-one-ordinal-crashes',
    healthy: [],
    fault: [
      { create: aService('db') },
      {
        create: aStatefulSet(
          'db',
          { command: sh('case $(hostname) in *-1) echo "corrupt page 77 in /var/lib/db" >&2; exit 1;; esac; while :; do sleep 5; done') },
          { replicas: 3 },
        ),
      },
    ],
    alert: { name: crashing, target: db },
    expected: [handOver(/db-1/)],
  },
  {
    name: 'statefulset-class-missing',
    healthy: [],
    fault: [
      { create: aService('db') },
      {
        create: aStatefulSet('db', GOOD, {
          workload: {
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: { storageClassName: 'fast-ssd', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
              },
            ],
          },
        }),
      },
    ],
    alert: { name: 'KubeStatefulSetReplicasMismatch', target: db },
    expected: [handOver(/fast-ssd|data-db-0|claim/i)],
  },
  {
    name: 'daemonset-release-crashes',
    healthy: [aDaemonSet('log-agent')],
    fault: [release('DaemonSet', 'log-agent', { command: sh('echo "parser: unknown key multiline" >&2; exit 1') })],
    alert: { name: crashing, target: agent },
    expected: [plan(/^Rollback/), handOver(/revision|roll|release/i)],
  },
  {
    name: 'daemonset-crashes-on-one-node',
    healthy: [],
    fault: [
      {
        create: aDaemonSet('log-agent', {
          env: [nodeName],
          command: sh('case $NODE_NAME in *2) echo "/var/log: input/output error" >&2; exit 5;; esac; while :; do sleep 5; done'),
        }),
      },
    ],
    alert: { name: crashing, target: agent },
    expected: [handOver(/node2/)],
  },
];
