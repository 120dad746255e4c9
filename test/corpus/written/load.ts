import { handOver, NOTHING_TO_DO, plan, type CorpusCase } from '../corpus-case.ts';
import { deployment, on } from '../fault.ts';
import { ago, anEvent, anObject, still } from './build.ts';
import { aDeploymentWith, aNode, crashing, running, terminated, type ContainerLook } from './workload.ts';

const origin = 'written';
const DAYS = 24 * 60;
const checkout = (name: string) => ({ name, target: deployment('checkout') });
const limits = { resources: { requests: { cpu: '200m', memory: '256Mi' }, limits: { cpu: '200m', memory: '256Mi' } } };

const steady = (container: object = limits, look: ContainerLook = running(3 * DAYS)) =>
  aDeploymentWith([
    { revision: 6, minutesAgo: 3 * DAYS, container: { ...container }, looks: [look, look] },
    { revision: 5, minutesAgo: 9 * DAYS },
  ]);

const usage = (pod: string, cpu: string, memory: string) =>
  anObject('metrics.k8s.io/v1beta1', 'PodMetrics', pod, {
    metadata: { labels: { app: 'checkout' }, creationTimestamp: ago(0) },
    timestamp: ago(0),
    window: '30s',
    containers: [{ name: 'app', usage: { cpu, memory } }],
  });
const used = (cpu: string, memory: string) => [usage('checkout-rev6-1', cpu, memory), usage('checkout-rev6-2', cpu, memory)];

const autoscaler = (status: object) =>
  anObject('autoscaling/v2', 'HorizontalPodAutoscaler', 'checkout', {
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'checkout' }, minReplicas: 1, maxReplicas: 2 },
    status: { ...status },
  });

const atMaximum = autoscaler({
  currentReplicas: 2,
  desiredReplicas: 2,
  conditions: [
    { type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale' },
    { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound' },
    {
      type: 'ScalingLimited',
      status: 'True',
      reason: 'TooManyReplicas',
      message: 'the desired replica count is more than the maximum replica count',
    },
  ],
});

/** Load, memory and errors: faults of pods that all seem to be well. */
export const LOAD: readonly CorpusCase[] = [
  {
    name: 'load-cpu-throttled',
    origin,
    recording: still([steady(), used('200m', '90Mi')]),
    alert: checkout('CPUThrottlingHigh'),
    expected: [plan('IncreaseCPULimits'), handOver(/cpu|throttl/i)],
  },
  {
    name: 'load-errors-without-release',
    origin,
    recording: still([steady()], [{ pod: 'checkout-rev6-1', container: 'app', text: 'POST /pay 502 upstream reset\n'.repeat(20) }]),
    alert: checkout('HighErrorRate'),
    misleading: 'all pods are ready: that says nothing of the errors',
    expected: [handOver(/HighErrorRate|error/i)],
  },
  {
    name: 'load-errors-after-release',
    origin,
    recording: still(
      [
        aDeploymentWith([
          { revision: 7, minutesAgo: 12, container: { image: 'registry.test/shop/checkout:1.5.0' }, looks: [running(12), running(12)] },
          { revision: 6, minutesAgo: 9 * DAYS },
        ]),
      ],
      [{ pod: 'checkout-rev7-1', container: 'app', text: 'POST /pay 500 column tax_id does not exist\n'.repeat(20) }],
    ),
    alert: checkout('ErrorBudgetBurn'),
    expected: [plan('RollbackDeployment', { REVISION: '6' }), handOver(/revision 7|release|roll/i)],
  },
  {
    name: 'load-latency',
    origin,
    recording: still([steady()]),
    alert: checkout('HighRequestLatency'),
    misleading: 'all pods are ready: that says nothing of the latency',
    expected: [handOver(/HighRequestLatency|latency/i)],
  },
  {
    name: 'load-connections-saturated',
    origin,
    recording: still(
      [steady()],
      [{ pod: 'checkout-rev6-1', container: 'app', text: 'FATAL: sorry, too many clients already\n'.repeat(15) }],
    ),
    alert: checkout('DatabaseConnectionsSaturated'),
    expected: [handOver(/connection|clients/i), plan('RestartWorkload')],
  },
  {
    name: 'load-autoscaler-at-maximum',
    origin,
    recording: still([steady(), used('190m', '90Mi'), atMaximum]),
    alert: { name: 'KubeHpaMaxedOut', target: on('HorizontalPodAutoscaler', 'checkout', 'autoscaling/v2') },
    expected: [plan(/HPA|Autoscaler|MaxReplicas/i), handOver(/maximum|maxReplicas/i)],
  },
  {
    name: 'load-autoscaler-scaled-down-again',
    origin,
    recording: still([
      steady(),
      used('40m', '90Mi'),
      autoscaler({
        currentReplicas: 1,
        desiredReplicas: 1,
        conditions: [
          { type: 'AbleToScale', status: 'True', reason: 'ReadyForNewScale' },
          { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound' },
          { type: 'ScalingLimited', status: 'False', reason: 'DesiredWithinRange' },
        ],
      }),
    ]),
    alert: { name: 'KubeHpaMaxedOut', target: on('HorizontalPodAutoscaler', 'checkout', 'autoscaling/v2') },
    misleading: 'the load has gone',
    expected: [NOTHING_TO_DO],
  },
  {
    name: 'memory-grows-for-hours',
    origin,
    recording: still([
      steady(limits, {
        ...running(120),
        restarts: 9,
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', startedAt: ago(8 * 60), finishedAt: ago(120) } },
      }),
      used('30m', '220Mi'),
    ]),
    alert: checkout('KubePodOOMKilled'),
    expected: [plan('RestartWorkload'), plan('IncreaseMemoryLimits'), handOver(/leak|grow|memory/i)],
  },
  {
    name: 'memory-of-the-node',
    origin,
    recording: still([
      steady({ resources: { requests: { memory: '64Mi' } } }, { ...crashing(137, 'OOMKilled', 4) }),
      aNode('node-1', { MemoryPressure: 'True' }, { since: 8 }),
      aNode('node-2'),
      anEvent(aNode('node-1'), 'SystemOOM', 'System OOM encountered, victim process: checkout, pid: 4711'),
    ]),
    alert: checkout('KubePodOOMKilled'),
    misleading: 'it has no limit that could be raised: the node is out of memory',
    expected: [handOver(/node/i)],
  },
  {
    name: 'killed-by-its-probe-not-for-memory',
    origin,
    recording: still([
      aDeploymentWith([
        {
          revision: 6,
          minutesAgo: 30 * DAYS,
          container: { ...limits, livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, timeoutSeconds: 1 } },
          looks: [
            { ...crashing(137, 'Error', 6), lastState: terminated(137, 'Error', 2) },
            { ...crashing(137, 'Error', 6), lastState: terminated(137, 'Error', 1) },
          ],
        },
        { revision: 5, minutesAgo: 60 * DAYS },
      ]),
      anEvent(
        anObject('v1', 'Pod', 'checkout-rev6-1'),
        'Unhealthy',
        'Liveness probe failed: Get "http://192.0.2.7:8080/healthz": context deadline exceeded',
        { count: 31 },
      ),
      anEvent(anObject('v1', 'Pod', 'checkout-rev6-2'), 'Killing', 'Container app failed liveness probe, will be restarted', { count: 6 }),
    ]),
    alert: checkout('KubePodCrashLooping'),
    misleading: 'exit code 137 looks like a kill for memory',
    expected: [handOver(/liveness|probe/i)],
  },
  {
    name: 'memory-alert-but-limit-far-away',
    origin,
    recording: still([steady(), used('20m', '60Mi')]),
    alert: { ...checkout('KubePodOOMKilled'), says: { description: 'container app was OOMKilled 3 days ago' } },
    misleading: 'it was killed long ago, and uses a quarter of its limit',
    expected: [NOTHING_TO_DO],
  },
];
