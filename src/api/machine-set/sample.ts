import { machineSample } from '../machine/sample.ts';
import { at, NAMESPACE } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import { LABELS } from '../well-known.ts';
import type { machineSetSpec, machineSetStatus } from './machine-set.ts';

const spec: Shape<typeof machineSetSpec> = {
  clusterName: 'prod-eu-1',
  replicas: 3,
  selector: { matchLabels: { role: 'worker' }, matchExpressions: [{ key: 'rack', operator: 'In', values: ['4'] }] },
  template: {
    metadata: { labels: { role: 'worker', rack: '4', [LABELS.machinePool]: 'workers' }, annotations: { owner: 'hardware' } },
    spec: machineSample.spec,
  },
  remediation: { maxInFlight: '40%' },
};

const status: Shape<typeof machineSetStatus> = {
  replicas: 3,
  readyReplicas: 2,
  created: 4,
  observedGeneration: 1,
  conditions: [
    {
      type: 'Remediating',
      status: 'True',
      severity: 'Info',
      reason: 'Remediating',
      message: 'workers-1 is being replaced',
      lastTransitionTime: at('10:00'),
      observedGeneration: 1,
    },
  ],
};

export const machineSetSample = { metadata: { name: 'workers', namespace: NAMESPACE }, spec, status };
