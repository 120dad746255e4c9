import { handOver } from '../corpus-case.ts';
import { on, type Fault } from '../fault.ts';
import { aDeployment, newRelease } from './manifests.ts';

const APP = 'checkout';

/** Faults of the objects beside a workload. */
export const OBJECTS: readonly Fault[] = [
  {
    name: 'budget-allows-no-disruption',
    healthy: [
      aDeployment(APP),
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'checkout-budget' },
        spec: { minAvailable: 2, selector: { matchLabels: { app: APP } } },
      },
    ],
    fault: [newRelease(APP, { image: 'sickbay.test/busybox:2-typo' })],
    alert: { name: 'PodDisruptionBudgetAtLimit', target: on('PodDisruptionBudget', 'checkout-budget', 'policy/v1') },
    expected: [handOver(/budget|disruption/i)],
  },
  {
    name: 'autoscaler-without-metrics',
    healthy: [aDeployment(APP)],
    fault: [
      {
        create: {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: APP },
          spec: {
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: APP },
            minReplicas: 2,
            maxReplicas: 5,
            metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }],
          },
        },
      },
    ],
    alert: { name: 'HorizontalPodAutoscalerUnableToScale', target: on('HorizontalPodAutoscaler', APP, 'autoscaling/v2') },
    expected: [handOver(/metric/i)],
  },
];
