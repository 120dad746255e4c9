import { toTime, type Instant, type Random } from '../../src/base/index.ts';

type Fields = { readonly [key: string]: Fields };
type At = (seconds: number) => string;

const PHASES = ['Pending', 'Processing', 'Analyzing', 'Executing', 'Completed', 'Failed'];

/**
 * The text of the i-th made-up RemediationRequest, as kube-apiserver writes one: members in alphabetical order, about 4.4 KB, a
 * quarter of it the managedFields of two writers.
 */
export function servedObject(i: number, random: Random): string {
  const at: At = (seconds) => toTime((1_790_000_000_000 + i * 7_000 + seconds * 1_000) as Instant);
  return JSON.stringify({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    metadata: metadata(i, random, at),
    spec: spec(i, random, at),
    status: status(random, at),
  });
}

const target = (i: number): { kind: string; name: string; namespace: string } => ({
  kind: 'Deployment',
  name: `checkout-${i % 977}`,
  namespace: `team-${i % 61}`,
});

const metadata = (i: number, random: Random, at: At): object => ({
  annotations: { 'kubernaut.ai/correlation-id': random.uuid(), 'kubernaut.ai/source-cluster': 'production-eu-central-1' },
  creationTimestamp: at(0),
  finalizers: ['kubernaut.ai/remediation-protection'],
  generation: 1 + (i % 3),
  labels: {
    'kubernaut.ai/severity': i % 4 ? 'warning' : 'critical',
    'kubernaut.ai/signal-type': 'prometheus-alert',
    'kubernaut.ai/target': target(i).name,
  },
  managedFields: [managedFields('gateway', at(0), SPEC_FIELDS), managedFields('sickbay', at(30), STATUS_FIELDS, 'status')],
  name: `rr-${random.uuid().slice(0, 13)}-${i}`,
  namespace: `sickbay-${i % 11}`,
  resourceVersion: String(100_000 + i),
  uid: random.uuid(),
});

function spec(i: number, random: Random, at: At): object {
  const pod = `${target(i).name}-${random.uuid().slice(0, 8)}`;
  return {
    firingTime: at(-60),
    receivedTime: at(0),
    severity: i % 4 ? 'warning' : 'critical',
    signalAnnotations: {
      description: `Pod ${pod} restarted ${i % 9} times within ten minutes`,
      runbook_url: 'https://runbooks.example.com/KubePodCrashLooping',
    },
    signalFingerprint: (random.uuid() + random.uuid()).replaceAll('-', ''),
    signalLabels: { alertname: 'KubePodCrashLooping', container: 'app', namespace: target(i).namespace, pod },
    signalName: 'KubePodCrashLooping',
    signalSource: 'alertmanager',
    signalType: 'prometheus-alert',
    targetResource: target(i),
    targetType: 'kubernetes',
  };
}

const status = (random: Random, at: At): object => ({
  conditions: ['Ready', 'SignalProcessed', 'Analyzed', 'Approved'].map((type, n) => ({
    lastTransitionTime: at(n * 5),
    message: `${type} was reached after ${random.int(50_000)} ms`,
    observedGeneration: 1,
    reason: `${type}Succeeded`,
    status: n % 2 ? 'True' : 'False',
    type,
  })),
  deduplication: { firstSeenAt: at(0), lastSeenAt: at(600), occurrenceCount: 1 + random.int(40) },
  history: Array.from({ length: 8 }, (_, n) => ({
    at: at(n * 4),
    message: `attempt ${n} of the analysis took ${random.int(9_000)} ms`,
    phase: random.pick(PHASES),
  })),
  overallPhase: random.pick(PHASES),
  selectedWorkflow: {
    actionType: 'RestartDeployment',
    confidence: 0.5 + random.int(50) / 100,
    workflowId: random.uuid(),
    version: '1.4.2',
  },
  startTime: at(1),
  targetUid: random.uuid(),
});

const names = (...list: string[]): Fields => Object.fromEntries(list.map((name) => [`f:${name}`, {}]));

const SPEC_FIELDS: Fields = {
  'f:metadata': {
    'f:annotations': { '.': {}, ...names('kubernaut.ai/correlation-id', 'kubernaut.ai/source-cluster') },
    'f:labels': { '.': {}, ...names('kubernaut.ai/severity', 'kubernaut.ai/signal-type', 'kubernaut.ai/target') },
  },
  'f:spec': {
    '.': {},
    ...names('firingTime', 'receivedTime', 'severity', 'signalFingerprint', 'signalName', 'signalSource', 'signalType', 'targetType'),
    'f:signalAnnotations': { '.': {}, ...names('description', 'runbook_url') },
    'f:signalLabels': { '.': {}, ...names('alertname', 'container', 'namespace', 'pod') },
    'f:targetResource': { '.': {}, ...names('kind', 'name', 'namespace') },
  },
};

const STATUS_FIELDS: Fields = {
  'f:status': {
    '.': {},
    ...names('conditions', 'history', 'overallPhase', 'startTime', 'targetUid'),
    'f:deduplication': { '.': {}, ...names('firstSeenAt', 'lastSeenAt', 'occurrenceCount') },
    'f:selectedWorkflow': { '.': {}, ...names('actionType', 'confidence', 'workflowId', 'version') },
  },
};

const managedFields = (manager: string, time: string, fieldsV1: Fields, subresource?: string): object => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  manager,
  operation: 'Update',
  ...(subresource === undefined ? {} : { subresource }),
  time,
});
