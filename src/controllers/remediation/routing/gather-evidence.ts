import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { Scope } from '../../../scope/index.ts';
import type { Settings } from '../../settings.ts';
import { targetText } from '../../target/index.ts';
import type { RoutingEvidence, PlannedEvidence, PlannedWork } from './evidence.ts';
import { readTargetScope } from './read-scope.ts';

export interface GatherOptions {
  readonly settings: Pick<Settings, 'namespace' | 'executionNamespace' | 'routing'>;
  /** The planned work; when absent, the plan that the request's status records, if any. */
  readonly plan?: PlannedWork | undefined;
  /** Kinds whose metadata the controller watches, so that they are read from the cache. */
  readonly followed?: readonly Resource[];
}

/** Reads what the checks judge. Everything is found by an index: the cost does not grow with the number of requests. */
export async function gatherEvidence(reader: Reader, request: RemediationRequest, gathering: GatherOptions): Promise<RoutingEvidence> {
  const { settings, followed = [], plan = recordedPlan(request) } = gathering;
  const scopeOf = (target: PlannedWork['target']): Promise<Scope> => readTargetScope(target, settings, { reader, followed });
  const { targetResource, signalFingerprint } = request.spec;
  const scope = await scopeOf(targetResource);
  const isSame = plan !== undefined && targetText(plan.target) === targetText(targetResource);
  const blocker = request.status?.overallPhase === 'Blocked' ? request.status.blockingWorkflowExecution : undefined;
  return {
    request,
    scope,
    others: withoutItself(request, reader.list(RemediationRequest, { index: 'fingerprint', value: signalFingerprint })),
    routing: settings.routing,
    ...(plan && { planned: { ...aroundTarget(reader, request, plan), scope: isSame ? scope : await scopeOf(plan.target) } }),
    ...(blocker !== undefined && {
      blockingExecution: reader.get(WorkflowExecution, { namespace: request.metadata.namespace ?? '', name: blocker }),
    }),
  };
}

/** The plan that the status records, for a request that was blocked before it could execute it. */
function recordedPlan({ status }: RemediationRequest): PlannedWork | undefined {
  const target = status?.remediationTarget;
  return target && { workflowId: status.selectedWorkflowRef?.workflowId ?? '', target };
}

function aroundTarget(reader: Reader, request: RemediationRequest, plan: PlannedWork): Omit<PlannedEvidence, 'scope'> {
  const target = targetText(plan.target);
  const history = withoutItself(request, reader.list(RemediationRequest, { index: 'remediated', value: target }));
  return {
    ...plan,
    executions: reader.list(WorkflowExecution, { index: 'target', value: target }),
    history,
    assessments: history.kind === 'value' ? assessmentsOf(reader, history.value) : history,
  };
}

/** The assessments of all of them; one list that cannot be read makes the whole unreadable. */
function assessmentsOf(reader: Reader, requests: readonly RemediationRequest[]): Listed<EffectivenessAssessment> {
  const found: EffectivenessAssessment[] = [];
  for (const { metadata } of requests) {
    const listed = reader.list(EffectivenessAssessment, { index: 'request', value: metadata.name });
    if (listed.kind === 'unreadable') return listed;
    found.push(...listed.value);
  }
  return { kind: 'value', value: found };
}

const withoutItself = ({ metadata }: RemediationRequest, listed: Listed<RemediationRequest>): Listed<RemediationRequest> =>
  listed.kind === 'unreadable' ? listed : { kind: 'value', value: listed.value.filter((other) => other.metadata.uid !== metadata.uid) };
