import type { Condition, ObjectReference } from '../meta.ts';

/**
 * One story runs through all samples: the Deployment `checkout` in the namespace `shop` runs out of memory, an alert fires, a workflow raises
 * its memory limit, and the alert goes away.
 */
export const NAMESPACE = 'sickbay-system';
export const REQUEST = 'rr-checkout-7f3a';
export const CLUSTER = 'prod-eu-1';

/** `hh:mm` or `hh:mm:ss` on the day of the story. */
export const at = (clock: string): string => `2026-03-02T${clock.length === 5 ? `${clock}:00` : clock}Z`;

/** A sha256 digest that is plainly made up. */
export const sampleDigest = (digit: string): string => `sha256:${digit.repeat(64)}`;

/** A UID that is plainly made up. */
export const sampleUid = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-');

export const SIGNAL_TARGET = { kind: 'Pod', name: 'checkout-6d9f7c-x2x9k', namespace: 'shop', apiVersion: 'v1' };
export const TARGET = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' };
export const PINNED_TARGET = { ...TARGET, uid: sampleUid('4'), specHash: sampleDigest('4') };
export const FINGERPRINT = 'b7'.repeat(32);

/** The full reference that pipeline objects hold of one another. */
export const sampleReference = (kind: string, name: string, digit = '1'): Required<ObjectReference> => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind,
  namespace: NAMESPACE,
  name,
  uid: sampleUid(digit),
  resourceVersion: '4711',
  fieldPath: 'status',
});

export const REQUEST_REF = sampleReference('RemediationRequest', REQUEST);

export const sampleConditions = (reason: string, message: string): Condition[] => [
  { type: 'Ready', status: 'True', reason, message, lastTransitionTime: at('10:20'), observedGeneration: 1 },
];

/** The workflow of the story as the catalogue had it when it was selected. */
export const WORKFLOW = {
  workflowId: sampleUid('9'),
  version: '1.2.0',
  executionBundle: 'registry.example.com/workflows/raise-memory-limit:1.2.0',
  executionBundleDigest: sampleDigest('9'),
};

export const WORKFLOW_SNAPSHOT = {
  ...WORKFLOW,
  workflowName: 'raise-memory-limit',
  actionType: 'IncreaseMemoryLimits',
  executionEngine: 'job' as const,
  engineConfig: { jobTemplateName: 'raise-memory-limit' },
  serviceAccountName: 'raise-memory-limit',
  dependencies: { secrets: [{ name: 'registry-pull' }], configMaps: [{ name: 'memory-policy' }] },
  resources: { limits: { memory: '128Mi', cpu: 1 }, requests: { memory: '64Mi', cpu: '100m' } },
  declaredParameterNames: { MEMORY_LIMIT: true },
};

export const PARAMETERS = { MEMORY_LIMIT: '512Mi' };

export const POLICY_EVALUATION = {
  policyName: 'aianalysis.approval',
  matchedRules: ['production_low_confidence'],
  decision: 'ManualReviewRequired' as const,
  policyHash: sampleDigest('8'),
};

export const CONTEXT = {
  namespace: { name: 'shop', labels: { 'kubernaut.ai/environment': 'production' }, annotations: { team: 'payments' } },
  workload: {
    kind: 'Deployment',
    name: 'checkout',
    labels: { app: 'checkout' },
    annotations: { 'deployment.kubernetes.io/revision': '7' },
  },
  ownerChain: [{ kind: 'ReplicaSet', name: 'checkout-6d9f7c', namespace: 'shop', api_version: 'apps/v1' }],
  podNamespaces: [{ name: 'shop', environment: 'production' }],
  customLabels: { team: ['payments'] },
  degradedMode: false,
  clusterID: CLUSTER,
  cluster: { labels: { region: 'eu' } },
};

export const BUSINESS = {
  businessUnit: 'payments',
  serviceOwner: 'checkout-team',
  criticality: 'High' as const,
  slaRequirement: 'Gold' as const,
};
