import { AIAnalysis } from '../api/ai-analysis/ai-analysis.ts';
import { Namespace } from '../api/builtin/index.ts';
import { EffectivenessAssessment } from '../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject } from '../api/meta.ts';
import { RemediationApprovalRequest } from '../api/remediation-approval-request/remediation-approval-request.ts';
import { isTerminal } from '../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../api/resource.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../base/index.ts';
import { judgeApproval, workflowToRead } from '../controllers/approval/index.ts';
import { childNames } from '../controllers/child-names.ts';
import type { ExplainSeen, GateName } from '../controllers/remediation/explain/index.ts';
import { dryRunOf, type DryRun } from '../controllers/remediation/plan/dry-run.ts';
import { isGraceOver, resolvedGrace } from '../controllers/remediation/end/alerts-resolved.ts';
import { judgeTargets, readHealth } from '../controllers/remediation/end/target-health.ts';
import { isSuppressedByBlock } from '../controllers/remediation/suppression/suppress-until-cleared.ts';
import { onlyRequest } from '../controllers/remediation/observe.ts';
import { planOf, type RemediationPlan } from '../controllers/plan/remediation-plan.ts';
import { fetchTargetBlock } from '../controllers/remediation/suppression/read-target-block.ts';
import { gatherEvidence, judgeAll, reevaluateBlock, type CheckVerdict } from '../controllers/remediation/routing/index.ts';
import { deadlineIn, verificationDeadline } from '../controllers/remediation/timeouts.ts';
import type { Settings } from '../controllers/settings.ts';
import { freshness, knownSpecHash, readTarget, type SeenTarget } from '../controllers/target/index.ts';
import { isOwnedBy } from '../kube/objects/owner-references.ts';
import type { Read, Reader } from '../runtime/reconcile/controller.ts';

/** What is needed to read the details of a request. */
export interface Look {
  readonly request: RemediationRequest;
  readonly reader: Reader;
  /** The settings that Sickbay runs with. */
  readonly settings: Settings;
  /** No config file was given, so that its change windows are not known. */
  readonly windowsAreUnknown?: boolean;
  readonly now: Instant;
}

/** A plan and its target as it is now. */
interface Planned {
  readonly plan: RemediationPlan;
  readonly target: Read<SeenTarget>;
}

/** The children of the request, as far as they can be read. */
interface Children {
  readonly analysis: Read<AIAnalysis>;
  readonly approval: Read<RemediationApprovalRequest>;
  readonly execution: Read<WorkflowExecution>;
  readonly assessment: Read<EffectivenessAssessment>;
}

/** Reads what an explanation of the request rests on, in any phase. */
export async function lookAtRequest(look: Look): Promise<ExplainSeen> {
  const phase = look.request.status?.overallPhase ?? 'Pending';
  const children = await childrenOf(look);
  const planned = MAY_HAVE_PLAN.includes(phase) ? await plannedBy(look, children.analysis) : undefined;
  return {
    request: look.request,
    ...given('approval', children.approval),
    ...given('execution', children.execution),
    ...given('analysis', children.analysis),
    ...given('assessment', children.assessment),
    ...(planned && {
      freshness: freshness(planned.plan.target, planned.target),
      dryRun: await dryRunIn(look, planned.plan),
      ...(await answered(look, children.approval, planned.plan)),
    }),
    ...(await checksAhead(look, phase, planned)),
    ...deadlineOf(look, phase, children.assessment),
    ...(await resolvedAlerts(look)),
    ...(await blockAhead(look, phase)),
    ...(look.windowsAreUnknown && { windowsAreUnknown: true }),
    unreadable: {
      ...why('Approval', children.approval),
      ...why('Budget', children.execution),
      ...(MAY_HAVE_PLAN.includes(phase) && why('Staleness', children.analysis)),
    },
  };
}

async function childrenOf(look: Look): Promise<Children> {
  const names = childNames(look.request.metadata.name);
  const attempt = look.request.status?.analysisAttempt ?? 1;
  const [analysis, approval, execution, assessment] = await Promise.all([
    child(look, AIAnalysis, names.analysis(attempt)),
    child(look, RemediationApprovalRequest, names.approval(attempt)),
    child(look, WorkflowExecution, names.execution),
    child(look, EffectivenessAssessment, names.assessment),
  ]);
  return { analysis, approval, execution, assessment };
}

const given = <K extends string, T>(name: K, read: Read<T>): { readonly [key in K]?: T } =>
  (read.kind === 'value' ? { [name]: read.value } : {}) as { readonly [key in K]?: T };

const why = (gate: GateName, read: Read<unknown>): ExplainSeen['unreadable'] => (read.kind === 'unreadable' ? { [gate]: read.reason } : {});

/** The phases in which a plan may still run. */
const MAY_HAVE_PLAN: readonly RemediationPhase[] = ['Analyzing', 'AwaitingApproval', 'Blocked'];

/** An object with the name of a child that is owned by another request counts as absent. */
async function child<T extends KubeObject>({ reader, request }: Look, resource: Resource<T>, name: string): Promise<Read<T>> {
  const read = await reader.fetch(resource, { namespace: request.metadata.namespace ?? '', name });
  return read.kind === 'value' && !isOwnedBy(read.value, request.metadata.uid) ? { kind: 'absent' } : read;
}

async function plannedBy({ reader }: Look, analysis: Read<AIAnalysis>): Promise<Planned | undefined> {
  const plan = analysis.kind === 'value' && analysis.value.status?.phase === 'Completed' ? planOf(analysis.value) : undefined;
  return plan && { plan, target: await readTarget(reader, plan.target) };
}

/**
 * Only the Sickbay process knows whether the cluster checks the names of approvers. Where it does not, no approval counts, and the request fails and
 * says so as soon as one is given.
 */
async function answered(look: Look, read: Read<RemediationApprovalRequest>, plan: RemediationPlan): Promise<Pick<ExplainSeen, 'answer'>> {
  const { reader, request, settings, now } = look;
  if (read.kind !== 'value') return {};
  const approval = read.value;
  const name = workflowToRead(approval, plan);
  const workflow: Read<RemediationWorkflow> =
    name === undefined ? { kind: 'absent' } : await reader.fetch(RemediationWorkflow, { namespace: settings.namespace, name });
  return { answer: judgeApproval({ approval, request, plan, workflow, identityIsChecked: true, settings }, now) };
}

/** Whether no alert fires any more, and what that means for the request. */
async function resolvedAlerts({ request, reader, settings, now }: Look): Promise<Pick<ExplainSeen, 'resolved'>> {
  const grace = resolvedGrace(request, settings);
  if (!grace) return {};
  if (!isGraceOver(request, settings, now)) return { resolved: { grace } };
  return { resolved: { grace, health: judgeTargets(await readHealth(reader, request), grace.since) } };
}

/** Four settings can ask for a dry run. */
async function dryRunIn({ request, reader, settings }: Look, { workflow, target }: RemediationPlan): Promise<DryRun> {
  const name = workflow.workflowName ?? workflow.workflowId;
  const found = await reader.fetch(RemediationWorkflow, { namespace: settings.namespace, name });
  const namespace: Read<KubeObject> = target.namespace
    ? await reader.fetch(Namespace, { namespace: '', name: target.namespace })
    : { kind: 'absent' };
  return dryRunOf({ ...onlyRequest(request, settings), namespace, workflow: found });
}

/** Without the config file no window is known: that none forbids the change says nothing. */
function asKnown(verdict: CheckVerdict, { windowsAreUnknown = false, request }: Look): CheckVerdict {
  if (!windowsAreUnknown || request.status?.blockReason === 'ChangeFreeze') return verdict;
  return verdict.check === 'ChangeFreeze' && verdict.kind === 'pass'
    ? { ...verdict, kind: 'unknown', reason: 'change freezes and maintenance windows are in the config file of Sickbay: give --config' }
    : verdict;
}

/** The results of the checks that are still to run, and how a block ends. */
async function checksAhead(
  look: Look,
  phase: RemediationPhase,
  planned: Planned | undefined,
): Promise<Pick<ExplainSeen, 'verdicts' | 'reevaluation'>> {
  const { request, reader, settings, now } = look;
  const isAhead = phase === 'Pending' || phase === 'Processing' || MAY_HAVE_PLAN.includes(phase);
  if (!isAhead || request.status?.workflowExecutionRef) return {};
  const evidence = await gatherEvidence(reader, request, { settings, identityIsChecked: true, plan: planned && workOf(planned) });
  const isPlanned = MAY_HAVE_PLAN.includes(phase) && evidence.planned !== undefined;
  return {
    verdicts: judgeAll(isPlanned ? 'post-analysis' : 'pre-analysis', evidence, now).map((verdict) => asKnown(verdict, look)),
    ...(isJudged(request, settings) && { reevaluation: reevaluateBlock(evidence, now) }),
  };
}

/**
 * Whether the end of its block can be judged here. Without the config file of the process a command does not know its change windows, and must
 * not take one that it waits for as removed.
 */
function isJudged({ status }: RemediationRequest, { changeWindows }: Look['settings']): boolean {
  if (status?.overallPhase !== 'Blocked') return false;
  const waited = status.changeWindow;
  if (status.blockReason !== 'ChangeFreeze' || !waited) return true;
  return changeWindows[waited.kind === 'ChangeFreeze' ? 'changeFreezes' : 'maintenanceWindows'].some(({ name }) => name === waited.name);
}

/** The block of its target, where its own run is still to come or its signal is suppressed because of it. */
async function blockAhead({ request, reader, settings, now }: Look, phase: RemediationPhase): Promise<Pick<ExplainSeen, 'block'>> {
  const isAhead = phase !== 'Verifying' && !isTerminal(remediationPhases, phase);
  return isAhead || isSuppressedByBlock(request, now, settings.routing) ? { block: await fetchTargetBlock(reader, request, settings) } : {};
}

function workOf({ plan, target }: Planned) {
  const specHash = target.kind === 'value' ? knownSpecHash(target.value) : undefined;
  return { workflowId: plan.workflow.workflowId, target: plan.target, ...(specHash !== undefined && { specHash }) };
}

function deadlineOf({ request, settings }: Look, phase: RemediationPhase, assessment: Read<EffectivenessAssessment>) {
  switch (phase) {
    case 'Pending':
    case 'Processing':
    case 'Analyzing':
    case 'AwaitingApproval':
    case 'Executing':
      return { deadline: deadlineIn(phase, request, settings).at };
    case 'Verifying':
      return { deadline: verificationDeadline(request, settings, assessment.kind === 'value' ? assessment.value : undefined) };
    default:
      return {};
  }
}
