import type { EffectivenessAssessment } from '../../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { effectivenessAssessmentSample } from '../../../../api/effectiveness-assessment/sample.ts';
import type { ObjectMeta } from '../../../../api/meta.ts';
import type { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { workflowExecutionSample } from '../../../../api/workflow-execution/sample.ts';
import { after, HOUR, instant, toTime, type Instant } from '../../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../../default-settings.ts';
import type { RoutingSettings } from '../../../settings.ts';
import type { RoutingEvidence, PlannedEvidence } from '../evidence.ts';

type RemediationStatus = NonNullable<RemediationRequest['status']>;

export const NOW = instant(1_794_711_600_000);
export const at = (ms: number): Instant => after(NOW, ms);
export const ago = (ms: number): string => toTime(at(-ms));
export const ROUTING = DEFAULT_SETTINGS.routing;
export const UNREADABLE = { kind: 'unreadable', reason: 'forbidden' } as const;
export const all = <T>(...value: readonly T[]) => ({ kind: 'value', value }) as const;

export const TARGET = { kind: 'Deployment', name: 'checkout', namespace: 'shop', apiVersion: 'apps/v1' };
export const WORKFLOW = 'rollback-1';
export const FINGERPRINT = 'b7'.repeat(32);

/** A request; created an hour ago unless told otherwise. */
export const aRequest = (
  name: string,
  status?: RemediationStatus,
  more: { readonly metadata?: Partial<ObjectMeta>; readonly spec?: Partial<RemediationRequest['spec']> } = {},
): RemediationRequest => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationRequest',
  metadata: {
    name,
    namespace: 'sickbay-system',
    uid: `${name}-uid`,
    resourceVersion: '7',
    generation: 1,
    creationTimestamp: ago(HOUR),
    ...more.metadata,
  },
  spec: {
    signalFingerprint: FINGERPRINT,
    signalName: 'KubePodCrashLooping',
    severity: 'critical',
    signalType: 'alert',
    targetType: 'kubernetes',
    targetResource: TARGET,
    firingTime: ago(HOUR),
    receivedTime: ago(HOUR),
    ...more.spec,
  },
  ...(status && { status }),
});

/** One that came to its end so long ago. */
export const ended = (name: string, agoMs: number, status: RemediationStatus): RemediationRequest =>
  aRequest(name, { completedAt: ago(agoMs), ...status }, { metadata: { creationTimestamp: ago(agoMs + 1_000) } });

export const failed = (name: string, agoMs: number, status: RemediationStatus = {}): RemediationRequest =>
  ended(name, agoMs, { overallPhase: 'Failed', failurePhase: 'WorkflowExecution', ...status });

export const remediated = (name: string, agoMs: number, status: RemediationStatus = {}): RemediationRequest =>
  ended(name, agoMs, { overallPhase: 'Completed', outcome: 'Remediated', ...status });

/** The request of this name as an owner. */
const ownedBy = (request: string): Pick<ObjectMeta, 'ownerReferences'> => ({
  ownerReferences: [
    { apiVersion: 'kubernaut.ai/v1alpha1', kind: 'RemediationRequest', name: request, uid: `${request}-uid`, controller: true },
  ],
});

const childMeta = (name: string, request: string): ObjectMeta => ({
  name,
  namespace: 'sickbay-system',
  uid: `${name}-uid`,
  resourceVersion: '7',
  creationTimestamp: ago(HOUR),
  ...ownedBy(request),
});

/** The execution of a request, on the target of the story. */
export const anExecution = (
  request: string,
  status: WorkflowExecution['status'],
  spec: { readonly workflowId?: string; readonly targetResource?: string } = {},
): WorkflowExecution => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'WorkflowExecution',
  metadata: childMeta(`we-${request}`, request),
  spec: {
    ...workflowExecutionSample.spec,
    remediationRequestRef: { name: request, uid: `${request}-uid` },
    targetResource: spec.targetResource ?? 'shop/Deployment/checkout',
    workflowRef: { ...workflowExecutionSample.spec.workflowRef, workflowId: spec.workflowId ?? WORKFLOW },
  },
  ...(status && { status }),
});

/** Without a hash in it unless told otherwise. */
export function anAssessment(
  request: string,
  components: NonNullable<EffectivenessAssessment['status']>['components'] | undefined,
  spec: Partial<EffectivenessAssessment['spec']> = {},
): EffectivenessAssessment {
  const { preRemediationSpecHash: _, appliedSpecHash: __, ...rest } = effectivenessAssessmentSample.spec;
  return {
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'EffectivenessAssessment',
    metadata: childMeta(`ea-${request}`, request),
    spec: { ...rest, correlationID: request, ...spec },
    ...(components && { status: { phase: 'Completed', components } }),
  };
}

/** Nothing speaks against the request: it is the only one, its target is managed, and nothing was ever done to it. */
export const anEvidence = (
  change: Partial<Omit<RoutingEvidence, 'planned' | 'routing'>> & {
    readonly planned?: Partial<PlannedEvidence>;
    readonly routing?: Partial<RoutingSettings>;
  } = {},
): RoutingEvidence => ({
  request: aRequest('rr'),
  scope: { kind: 'in' },
  others: all(),
  ...change,
  planned: {
    workflowId: WORKFLOW,
    target: TARGET,
    scope: { kind: 'in' },
    executions: all(),
    history: all(),
    assessments: all(),
    ...change.planned,
  },
  routing: { ...ROUTING, ...change.routing },
});

/** The same before the analysis, when there is no plan. */
export function anEarlyEvidence(change: Parameters<typeof anEvidence>[0] = {}): RoutingEvidence {
  const { planned: _, ...early } = anEvidence(change);
  return early;
}
