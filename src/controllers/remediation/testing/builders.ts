import type { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { aiAnalysisSample } from '../../../api/ai-analysis/sample.ts';
import type { Deployment, Pod } from '../../../api/builtin/index.ts';
import type { SeenHealth } from '../end/target-health.ts';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { effectivenessAssessmentSample } from '../../../api/effectiveness-assessment/sample.ts';
import type { KubeObject, ObjectMeta } from '../../../api/meta.ts';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import { notificationRequestSample } from '../../../api/notification-request/sample.ts';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import { remediationWorkflowSample } from '../../../api/remediation-workflow/sample.ts';
import { signalProcessingSample } from '../../../api/signal-processing/sample.ts';
import type { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { workflowExecutionSample } from '../../../api/workflow-execution/sample.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, instant, MINUTE, toTime, type Instant } from '../../../base/index.ts';
import { ownerReference } from '../../../kube/objects/owner-references.ts';
import type { Effect, Read } from '../../../runtime/reconcile/controller.ts';
import { approvalFor } from '../../approval/index.ts';
import { specHash } from '../../target/index.ts';
import type { RemediationSeen } from '../observe.ts';
import { planOf, type RemediationPlan } from '../../plan/remediation-plan.ts';
import type { RemediationStatus } from '../status.ts';

/** One story: the last rollout of Deployment shop/checkout crashes, and it is to be rolled back. */
export const NOW = instant(1_794_711_600_000);
export const ABSENT = { kind: 'absent' } as const;
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
export const value = <T>(object: T): Read<T> => ({ kind: 'value', value: object });
export const ago = (ms: number): string => toTime(after(NOW, -ms));
export const at = (ms: number): Instant => after(NOW, ms);

const metadata = (name: string, more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  namespace: 'sickbay-system',
  uid: `${name}-uid`,
  resourceVersion: '7',
  generation: 1,
  creationTimestamp: ago(0),
  ...more,
});

export const aRequest = (status?: RemediationStatus, spec: Partial<RemediationRequest['spec']> = {}): RemediationRequest => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationRequest',
  metadata: metadata('rr'),
  spec: {
    signalFingerprint: 'b7'.repeat(32),
    signalName: 'KubePodCrashLooping',
    severity: 'critical',
    signalType: 'alert',
    targetType: 'kubernetes',
    targetResource: { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' },
    firingTime: ago(MINUTE),
    receivedTime: ago(0),
    ...spec,
  },
  ...(status && { status }),
});

/** A child of the request, unless told otherwise. */
const child = <T extends KubeObject>(
  kind: string,
  name: string,
  more: { readonly spec: unknown; readonly status?: unknown; readonly metadata?: Partial<ObjectMeta> },
): T =>
  ({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind,
    ...more,
    metadata: metadata(name, {
      ownerReferences: [ownerReference(aRequest(), { controller: true, blockOwnerDeletion: true })],
      ...more.metadata,
    }),
  }) as unknown as T;

export const aProcessing = (status: SignalProcessing['status'] = {}, more: Partial<ObjectMeta> = {}): SignalProcessing =>
  child('SignalProcessing', 'sp-rr', { spec: signalProcessingSample.spec, status, metadata: more });

type AnalysisStatus = NonNullable<AIAnalysis['status']>;
type SelectedWorkflow = NonNullable<AnalysisStatus['selectedWorkflow']>;

export const aDeployment = (spec: object = { replicas: 2 }, more: Partial<ObjectMeta> = {}): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata('checkout', { namespace: 'shop' }), ...more },
    spec: { selector: { matchLabels: { app: 'checkout' } }, template: { spec: { containers: [] } }, ...spec },
  }) as Deployment;

export const aNamespace = (labels: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { ...metadata('shop', { labels }) },
});

export const aWorkflow = (change: Partial<RemediationWorkflow['spec']> = {}): RemediationWorkflow => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationWorkflow',
  metadata: metadata('rollback-deployment'),
  spec: { ...remediationWorkflowSample.spec, ...change },
});

export const TARGET = {
  kind: 'Deployment',
  name: 'checkout',
  namespace: 'shop',
  apiVersion: 'apps/v1',
  uid: 'checkout-uid',
  specHash: specHash(aDeployment()),
};

export const WORKFLOW: SelectedWorkflow = {
  workflowId: 'rollback-1',
  version: '1.0.0',
  executionBundle: 'sickbay/workflows:0.1.0',
  workflowName: 'rollback-deployment',
  actionType: 'RollbackDeployment',
  executionEngine: 'job',
  engineConfig: { args: ['rollback-deployment'] },
  serviceAccountName: 'rollback-deployment',
  declaredParameterNames: { REVISION: true },
  confidence: 0.9,
  rationale: 'it crashes since revision 2',
  parameters: { REVISION: '1' },
  selectedAt: ago(0),
};

/** A finished analysis with a plan that may be carried out; `change` is what differs, and undefined takes away. */
export function anAnalysis(
  change: { readonly [K in keyof AnalysisStatus]?: AnalysisStatus[K] | undefined } = {},
  more: Partial<ObjectMeta> = {},
): AIAnalysis {
  const status = {
    phase: 'Completed',
    reason: 'AnalysisCompleted',
    rootCauseAnalysis: { summary: 'revision 2 crashes at its start', signalType: 'CrashLoop', remediationTarget: TARGET },
    selectedWorkflow: WORKFLOW,
    needsHumanReview: false,
    approvalRequired: false,
    ...change,
  };
  return child('AIAnalysis', 'ai-rr', { spec: aiAnalysisSample.spec, status, metadata: more });
}

export const PLAN = planOf(anAnalysis()) as RemediationPlan;
export const DIGEST = PLAN.digest;

/** Asked about the plan of the story; a person has until a quarter of an hour from now. */
export function anApproval(status: RemediationApprovalRequest['status'] = {}, more: Partial<ObjectMeta> = {}): RemediationApprovalRequest {
  const { spec } = approvalFor(aRequest(), anAnalysis(), PLAN, { attempt: 1, requiredBy: at(15 * MINUTE) });
  return child('RemediationApprovalRequest', 'rar-rr', { spec, status, metadata: more });
}

export const APPROVED: RemediationApprovalRequest['status'] = { decision: 'Approved', decidedBy: 'alex@example.com', decidedAt: ago(0) };

export const anExecution = (status: WorkflowExecution['status'] = {}, more: Partial<ObjectMeta> = {}): WorkflowExecution =>
  child('WorkflowExecution', 'we-rr', { spec: { ...workflowExecutionSample.spec, planDigest: DIGEST }, status, metadata: more });

export const anAssessment = (status: EffectivenessAssessment['status'] = {}, more: Partial<ObjectMeta> = {}): EffectivenessAssessment =>
  child('EffectivenessAssessment', 'ea-rr', { spec: effectivenessAssessmentSample.spec, status, metadata: more });

export const aNotification = (
  name: string,
  status: NotificationRequest['status'] = {},
  more: Partial<ObjectMeta> = {},
): NotificationRequest => child('NotificationRequest', name, { spec: notificationRequestSample.spec, status, metadata: more });

/** Metadata of a foreign object that has a child's name. */
export const SOMEBODY_ELSES: Partial<ObjectMeta> = { uid: 'theirs', ownerReferences: [] };

/** Metadata of a child of an earlier request of the same name, which the garbage collector is about to take away. */
export const LEFT_OVER: Partial<ObjectMeta> = {
  uid: 'old',
  ownerReferences: [{ apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', name: 'rr', uid: 'old', controller: true }],
};

/** An object that no controller has written to since it was created. */
export function untouched<T extends { readonly status?: unknown }>(object: T): T {
  const { status: _, ...rest } = object;
  return rest as T;
}

/** What the gateway writes once every alert of a request has gone; the grace is over at `NOW`. */
export const RESOLVED: RemediationStatus = {
  deduplication: { alerts: [{ name: 'A', instance: '1', lastSeenAt: ago(5 * MINUTE), resolvedAt: ago(5 * MINUTE) }] },
};

const aPod = (name: string, isReady: boolean): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...metadata(name, { namespace: 'shop' }), labels: { app: 'checkout' } },
  spec: { containers: [{ name: 'checkout', image: 'shop:1' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

/** The target with so many of two pods ready, as a live read shows it. */
export const healthWith = (ready: number): readonly SeenHealth[] => [
  {
    target: TARGET,
    object: value<KubeObject>(aDeployment()),
    pods: { kind: 'value', value: [aPod('a', ready > 0), aPod('b', ready > 1)] },
  },
];
export const HEALTHY = healthWith(2);

/** Every message that could be asked for is missing. */
export const NOTHING_TOLD = new Proxy({}, { get: () => ABSENT }) as RemediationSeen['messages'];

/** Statuses of a request on its way, entered just now. */
export const pending: RemediationStatus = { overallPhase: 'Pending', startTime: ago(0) };
export const processing: RemediationStatus = { ...pending, overallPhase: 'Processing', processingStartTime: ago(0) };
export const analyzing: RemediationStatus = {
  ...processing,
  overallPhase: 'Analyzing',
  analyzingStartTime: ago(0),
  signalProcessingRef: { name: 'sp-rr', uid: 'sp-rr-uid' },
  aiAnalysisRef: { name: 'ai-rr', uid: 'ai-rr-uid' },
  analysisAttempt: 1,
};
export const awaiting: RemediationStatus = {
  ...analyzing,
  overallPhase: 'AwaitingApproval',
  awaitingApprovalStartTime: ago(0),
  approvalRequestRef: { name: 'rar-rr', uid: 'rar-rr-uid' },
  planDigest: DIGEST,
  remediationTarget: TARGET,
};
export const executing: RemediationStatus = {
  ...analyzing,
  overallPhase: 'Executing',
  executingStartTime: ago(0),
  workflowExecutionRef: { name: 'we-rr', uid: 'we-rr-uid' },
  planDigest: DIGEST,
  remediationTarget: TARGET,
  workflowDisplayName: 'rollback-deployment:1.0.0',
};
export const verifying: RemediationStatus = {
  ...executing,
  overallPhase: 'Verifying',
  verifyingStartTime: ago(0),
  verificationDeadline: toTime(at(30 * MINUTE)),
  effectivenessAssessmentRef: { name: 'ea-rr', uid: 'ea-rr-uid' },
};

/** An effect in a word or two. */
export const effectText = (effect: Effect): string => {
  if (effect.kind === 'Create') return `Create ${effect.resource.kind} ${effect.object.metadata.name ?? ''}`;
  return 'resource' in effect ? `${effect.kind} ${effect.resource.kind}` : effect.kind;
};
