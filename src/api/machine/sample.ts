import { at, NAMESPACE, sampleUid } from '../parts/sample-story.ts';
import type { Shape } from '../schema/index.ts';
import type { machineSpec, machineStatus } from './machine.ts';

const spec: Shape<typeof machineSpec> = {
  clusterName: 'prod-eu-1',
  providerID: 'metal://rack-4/worker-0',
  version: 'v1.36.3',
  failureDomain: 'rack-4',
  bootstrap: { dataSecretName: 'worker-0-bootstrap' },
  infrastructureRef: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
    apiGroup: 'infrastructure.cluster.x-k8s.io',
    kind: 'Metal3Machine',
    namespace: NAMESPACE,
    name: 'worker-0',
    uid: sampleUid('a'),
  },
};

const unhealthy = {
  type: 'HealthCheckSucceeded',
  status: 'False' as const,
  severity: 'Warning' as const,
  reason: 'UnhealthyNode',
  message: 'Ready of Node worker-0 is Unknown (NodeStatusUnknown) for more than 5m0s',
  lastTransitionTime: at('10:00'),
  observedGeneration: 1,
};

const status: Shape<typeof machineStatus> = {
  nodeRef: { apiVersion: 'v1', apiGroup: '', kind: 'Node', namespace: '', name: 'worker-0', uid: sampleUid('b') },
  phase: 'Running',
  addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
  lastUpdated: at('09:00'),
  infrastructureReady: true,
  bootstrapReady: true,
  initialization: { infrastructureProvisioned: true, bootstrapDataSecretCreated: true },
  observedGeneration: 1,
  conditions: [unhealthy],
  v1beta2: { conditions: [unhealthy] },
  deprecated: { v1beta1: { conditions: [unhealthy] } },
};

export const machineSample = { metadata: { name: 'worker-0', namespace: NAMESPACE, labels: { role: 'worker' } }, spec, status };
