import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../../api/resource.ts';
import type { TargetState } from '../../../api/remediation-request/suppression.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed } from '../../../kube/client/read.ts';
import type { Reader } from '../../../runtime/reconcile/controller.ts';
import type { Scope } from '../../../scope/index.ts';
import type { Settings } from '../../settings.ts';
import { knownSpecHash, readTarget, targetText } from '../../target/index.ts';
import { digestOfOverride, overrideIn } from './freeze-override.ts';
import type { RoutingEvidence, PlannedEvidence, PlannedWork } from './evidence.ts';
import { changedTarget } from './judge-change-of.ts';
import { readTargetLabels, readTargetScope } from './read-scope.ts';

export interface GatherOptions {
  readonly settings: Pick<Settings, 'namespace' | 'executionNamespace' | 'routing' | 'changeWindows'>;
  /** Whether the API server checks the names of those who override a freeze: without that no override counts. */
  readonly identityIsChecked?: boolean;
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
  const others = withoutItself(request, reader.list(RemediationRequest, { index: 'fingerprint', value: signalFingerprint }));
  return {
    request,
    scope,
    others,
    ...(await readJudgedState(reader, targetResource, others)),
    routing: settings.routing,
    ...(await readChanges(plan, { request, gathering, reader })),
    ...(plan && { planned: { ...aroundTarget(reader, request, plan), scope: isSame ? scope : await scopeOf(plan.target) } }),
    ...seeBlocker(reader, request),
  };
}

/** The execution that a request blocked by ResourceBusy waits for. */
function seeBlocker(reader: Reader, { metadata, status }: RemediationRequest): Pick<RoutingEvidence, 'blockingExecution'> {
  const name = status?.overallPhase === 'Blocked' ? status.blockingWorkflowExecution : undefined;
  return name === undefined ? {} : { blockingExecution: reader.get(WorkflowExecution, { namespace: metadata.namespace ?? '', name }) };
}

/** What decides whether the target may be changed now; nothing where no change window is configured. */
async function readChanges(
  plan: PlannedWork | undefined,
  { request, gathering, reader }: { readonly request: RemediationRequest; readonly gathering: GatherOptions; readonly reader: Reader },
): Promise<Pick<RoutingEvidence, 'changes'>> {
  const { settings, followed = [], identityIsChecked } = gathering;
  const { changeWindows: windows } = settings;
  const all = [...windows.changeFreezes, ...windows.maintenanceWindows];
  if (all.length === 0 && request.status?.changeWindow === undefined) return {};
  const target = changedTarget({ request, planned: plan });
  const needsLabels = all.some(({ scope }) => scope.labels !== undefined);
  const labels = needsLabels ? await readTargetLabels(target, { reader, followed }) : ({ kind: 'value', value: {} } as const);
  return { changes: { windows, labels, ...overrideOn(request, identityIsChecked === true) } };
}

/** Who has the request run in spite of freezes, and why; or whose override does not count. */
function overrideOn(
  request: RemediationRequest,
  identityIsChecked: boolean,
): Pick<NonNullable<RoutingEvidence['changes']>, 'override' | 'ignoredOverrideBy'> {
  const override = overrideIn(request);
  if (!override) return {};
  return identityIsChecked && request.status?.ignoredOverride !== digestOfOverride(override)
    ? { override }
    : { ignoredOverrideBy: override.by };
}

/** Whether a request suppresses its signals only as long as the target stays as it was. */
const namesState = ({ status }: RemediationRequest): boolean =>
  status?.nextAllowedExecution !== undefined && status.suppression?.target !== undefined;

/** The target as it is now, where it matters; nothing while it cannot be read, and where it does not exist. */
async function readJudgedState(
  reader: Reader,
  target: PlannedWork['target'],
  others: Listed<RemediationRequest>,
): Promise<{ readonly target?: TargetState }> {
  if (others.kind !== 'value' || !others.value.some(namesState)) return {};
  const read = await readTarget(reader, target);
  if (read.kind !== 'value') return {};
  const { uid, generation } = read.value.metadata;
  return { target: { uid, generation, specHash: knownSpecHash(read.value) } };
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
