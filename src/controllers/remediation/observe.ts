import { hasEnded } from './end/has-ended.ts';
import { targetOf } from './request-target.ts';
import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Namespace } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { parseTime, type Instant } from '../../base/index.ts';
import { NOT_READ, type NotRead, type OptionalRead } from '../../kube/client/read.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { judgeApproval, workflowToRead } from '../approval/index.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { freshness, knownSpecHash, readTarget, type SeenTarget } from '../target/index.ts';
import { isGraceOver } from './end/alerts-resolved.ts';
import { isRefused } from './end/refusal.ts';
import { readHealth, type SeenHealth } from './end/target-health.ts';
import { readChild } from './children/read-child.ts';
import { isTargetAwaited } from './suppression/limited-suppression.ts';
import { isSuppressedByBlock } from './suppression/suppress-until-cleared.ts';
import { requiredNotifications } from './notifications/required-notifications.ts';
import { planOf, type RemediationPlan } from '../plan/remediation-plan.ts';
import { reportedWait } from './run-waits.ts';
import { readTargetBlock, type TargetBlockRead } from './suppression/read-target-block.ts';
import { gatherEvidence, SCOPE_KINDS, type RoutingEvidence } from './routing/index.ts';
import { assessedBy, deadlineIn, verificationDeadline } from './timeouts.ts';
import type { Alertmanager, FiringAlert } from '../../monitoring/index.ts';
import { readFiring } from './resume/read-firing.ts';
import { isResumptionDue } from './resume/resume.ts';
import { readCordon, type SeenCordon } from './uncordon/uncordon-recovered.ts';
import type { UndoSeen } from './undo/undo-verdict.ts';

/** Everything that a decision about a request rests on. What its phase does not need is `NOT_READ`. */
export interface RemediationSeen {
  readonly object: RemediationRequest;
  readonly settings: Settings;
  readonly processing: OptionalRead<SignalProcessing>;
  /** The newest analysis, and the one that would follow it. */
  readonly analysis: OptionalRead<AIAnalysis>;
  readonly nextAnalysis: OptionalRead<AIAnalysis>;
  readonly approval: OptionalRead<RemediationApprovalRequest>;
  readonly execution: OptionalRead<WorkflowExecution>;
  readonly assessment: OptionalRead<EffectivenessAssessment>;
  /** The notifications, by name. */
  readonly messages: Readonly<Record<string, Read<NotificationRequest>>>;
  /** The resource that is to be changed or was changed, from a live read, and its namespace. */
  readonly target: OptionalRead<SeenTarget>;
  readonly namespace: OptionalRead<KubeObject>;
  /** The plan's workflow in the catalogue, and the one that the approver chose instead. */
  readonly workflow: OptionalRead<RemediationWorkflow>;
  readonly overriding: OptionalRead<RemediationWorkflow>;
  /** All requests of the fingerprint, this one too. */
  readonly siblings: Listed<RemediationRequest> | NotRead;
  /** What the decision to undo its change rests on; undefined where no undo is considered. */
  readonly undo?: UndoSeen;
  /** The request that undoes its change. */
  readonly undoing: OptionalRead<RemediationRequest>;
  /** The alerts with the names of the request that fire; undefined where Alertmanager is not asked. */
  readonly firing?: Listed<FiringAlert>;
  /** Whether there is an Alertmanager to ask. */
  readonly asksAlertmanager: boolean;
  /** The block on its target; undefined where its signal is not suppressed by one. */
  readonly block?: TargetBlockRead;
  /** The health of what the alerts are about; undefined unless they have stayed resolved. */
  readonly health?: readonly SeenHealth[];
  /** The target of a request that a person refused, from a live read; undefined once the refusal has ended. */
  readonly refusedTarget?: Read<SeenTarget>;
  /** The target of an ended request that suppresses the signals that it judged, from a live read. */
  readonly judgedTarget?: Read<SeenTarget>;
  /** The Node that an ended request may have cordoned; undefined for any other request. */
  readonly cordon?: SeenCordon;
  /** What the routing checks judge; undefined where no check is due. */
  readonly evidence?: RoutingEvidence;
  /** Whether the API server verifies the names of approvers. */
  readonly identityIsChecked: boolean;
  /** Sickbay's own user name at the API server, which closes approval requests. */
  readonly account: string;
  /** Whether everything about the request is in the audit trail. */
  readonly isAudited: boolean;
}

/** What the process knows besides the API server. */
export interface RemediationSurroundings {
  readonly settings: Settings;
  readonly account: string;
  identityIsChecked(): boolean;
  isAudited(request: RemediationRequest): boolean;
  readonly alertmanager?: Pick<Alertmanager, 'firing'> | undefined;
}

/** An observation in which nothing but the request was read. */
export const onlyRequest = (object: RemediationRequest, settings: Settings): RemediationSeen => ({
  object,
  settings,
  processing: NOT_READ,
  analysis: NOT_READ,
  nextAnalysis: NOT_READ,
  approval: NOT_READ,
  execution: NOT_READ,
  assessment: NOT_READ,
  messages: {},
  target: NOT_READ,
  namespace: NOT_READ,
  workflow: NOT_READ,
  overriding: NOT_READ,
  siblings: NOT_READ,
  undoing: NOT_READ,
  identityIsChecked: false,
  account: '',
  asksAlertmanager: false,
  isAudited: false,
});

type Part = Promise<Partial<RemediationSeen>>;

interface ReadContext {
  readonly object: RemediationRequest;
  readonly reader: Reader;
  readonly now: Instant;
  readonly around: RemediationSurroundings;
}

/** Reads what the phase needs. */
export async function observe(
  key: ObjectKey,
  reader: Reader,
  now: Instant,
  around: RemediationSurroundings,
): Promise<RemediationSeen | undefined> {
  const found = reader.get(RemediationRequest, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const { settings } = around;
  const siblings = reader.list(RemediationRequest, { index: 'fingerprint', value: object.spec.signalFingerprint });
  const cordon = await readCordon(reader, object);
  return {
    ...onlyRequest(object, settings),
    siblings,
    ...(await readAlerts({ object, siblings, settings }, around, now)),
    identityIsChecked: around.identityIsChecked(),
    account: around.account,
    asksAlertmanager: around.alertmanager !== undefined,
    isAudited: around.isAudited(object),
    ...(await READS_BY_PHASE[object.status?.overallPhase ?? 'Pending']({ object, reader, now, around })),
    ...(cordon && { cordon }),
    ...(isGraceOver(object, around.settings, now) && { health: await readHealth(reader, object) }),
    ...(isRefused(object, now) && { refusedTarget: await readTarget(reader, targetOf(object)) }),
    ...(isTargetAwaited(object, now) && { judgedTarget: await readTarget(reader, object.spec.targetResource) }),
    ...(isSuppressedByBlock(object, now, around.settings.routing) && { block: await readTargetBlock(reader, object, around.settings) }),
  };
}

/** Asks Alertmanager once the wait of the request is over. */
async function readAlerts(
  asking: Pick<RemediationSeen, 'object' | 'siblings' | 'settings'>,
  { alertmanager }: RemediationSurroundings,
  now: Instant,
): Part {
  if (!alertmanager || !isResumptionDue(asking, now)) return {};
  return { firing: await readFiring(alertmanager, asking.object) };
}

const READS_BY_PHASE: Readonly<Record<RemediationPhase, (sight: ReadContext) => Part>> = {
  Pending: readForPending,
  Processing: readForProcessing,
  Analyzing: readForAnalyzing,
  AwaitingApproval: readForAwaitingApproval,
  Executing: readForExecuting,
  Verifying: readForVerifying,
  Blocked: readForBlocked,
  Completed: readForEnded,
  Failed: readForEnded,
  TimedOut: readForEnded,
  Skipped: readForEnded,
  Cancelled: readForEnded,
};

async function readForPending(sight: ReadContext): Part {
  if (sight.object.status?.overallPhase === undefined) return {};
  const processing = await child(sight, SignalProcessing, { name: names(sight).signalProcessing, isLate: isTooLate(sight) });
  return processing.kind === 'absent' ? { processing, evidence: await gatherFor(sight) } : { processing };
}

async function readForProcessing(sight: ReadContext): Part {
  const isLate = sight.now >= deadlineIn('Processing', sight.object, sight.around.settings).at;
  const processing = await child(sight, SignalProcessing, { name: names(sight).signalProcessing, isLate });
  const isDone = processing.kind === 'value' && processing.value.status?.phase === 'Completed';
  return isDone
    ? { processing, analysis: await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight)), isLate: isTooLate(sight) }) }
    : { processing };
}

async function readForAnalyzing(sight: ReadContext): Part {
  const { object, around, now } = sight;
  const isLate = now >= deadlineIn('Analyzing', object, around.settings).at;
  const analysis = await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight)), isLate });
  const recordedUid = object.status?.signalProcessingRef?.uid;
  if (analysis.kind === 'absent')
    return { analysis, processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, recordedUid }) };
  const plan = planIn(analysis);
  if (!plan) return { analysis };
  const approval = await readApproval(sight);
  return { analysis, approval, ...(await readForPlan(sight, plan, { analysis, approval })) };
}

async function readForAwaitingApproval(sight: ReadContext): Part {
  const approval = await readApproval(sight);
  const analysis = await readPlannedAnalysis(sight);
  const isApproved = approval.kind === 'value' && approval.value.status?.decision === 'Approved';
  const plan = planIn(analysis);
  const more = isApproved && plan ? await readForPlan(sight, plan, { analysis, approval }) : {};
  return { approval, analysis, ...more, ...readNotifications(sight, analysis) };
}

/** The analysis that approval was requested for has a plan: if the cached one has none, the cache is stale and the server is read. */
async function readPlannedAnalysis(sight: ReadContext): Promise<Read<AIAnalysis>> {
  const key = { name: names(sight).analysis(attempt(sight)), recordedUid: sight.object.status?.aiAnalysisRef?.uid };
  const cached = await child(sight, AIAnalysis, key);
  return cached.kind === 'value' && !planIn(cached) ? child(sight, AIAnalysis, { ...key, isLate: true }) : cached;
}

/** Reads the server once the time limit of the phase or of the approval request has passed: a decision that came in time counts. */
async function readApproval(sight: ReadContext): Promise<Read<RemediationApprovalRequest>> {
  const { object, around, now } = sight;
  const key = { name: names(sight).approval(attempt(sight)), recordedUid: object.status?.approvalRequestRef?.uid };
  if (object.status?.overallPhase !== 'AwaitingApproval')
    return child(sight, RemediationApprovalRequest, { ...key, isLate: isTooLate(sight) });
  const cached = sight.reader.get(RemediationApprovalRequest, childKey(sight, key.name));
  const requiredBy = cached.kind === 'value' ? parseTime(cached.value.spec.requiredBy) : undefined;
  const isLate = now >= Math.min(deadlineIn('AwaitingApproval', object, around.settings).at, requiredBy ?? Infinity);
  return child(sight, RemediationApprovalRequest, { ...key, isLate });
}

interface Answers {
  readonly analysis: Read<AIAnalysis>;
  readonly approval: Read<RemediationApprovalRequest>;
}

/** Reads everything that a plan must pass before it runs. */
async function readForPlan(sight: ReadContext, proposed: RemediationPlan, { approval }: Answers): Part {
  const { object, reader, around, now } = sight;
  const { namespace } = around.settings;
  const catalogued = (name: string): Read<RemediationWorkflow> => reader.get(RemediationWorkflow, { namespace, name });
  const wanted = approval.kind === 'value' ? workflowToRead(approval.value, proposed) : undefined;
  const overriding: Read<RemediationWorkflow> = wanted === undefined ? { kind: 'absent' } : catalogued(wanted);
  const answered = approval.kind === 'value' && { approval: approval.value, request: object, plan: proposed, workflow: overriding };
  const verdict = answered && judgeApproval({ ...answered, identityIsChecked: around.identityIsChecked(), settings: around.settings }, now);
  const plan = verdict && verdict.kind === 'approved' ? verdict.plan : proposed;
  const target = await readTarget(reader, plan.target);
  const execution = await child(sight, WorkflowExecution, { name: names(sight).execution, isLate: isTooLate(sight) });
  return {
    target,
    execution,
    overriding,
    workflow: catalogued(plan.workflow.workflowName ?? plan.workflow.workflowId),
    namespace: await readNamespaceOf(reader, plan.target.namespace),
    evidence: await gatherFor(sight, plan, target),
    ...(freshness(plan.target, target).kind === 'stale' && (await readNextAnalysis(sight))),
  };
}

async function readNextAnalysis(sight: ReadContext): Part {
  const recordedUid = sight.object.status?.signalProcessingRef?.uid;
  return {
    nextAnalysis: await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight) + 1), isLate: isTooLate(sight) }),
    processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, recordedUid }),
  };
}

/** A target without a namespace has none that could require a dry run. */
const readNamespaceOf = (reader: Reader, name = ''): Promise<Read<KubeObject>> =>
  name === '' ? Promise.resolve({ kind: 'absent' }) : cachedOrFetched(reader, Namespace, { namespace: '', name });

/** Reads the cache, and the server where the cache cannot be read. */
async function cachedOrFetched(reader: Reader, resource: Resource, key: ObjectKey): Promise<Read<KubeObject>> {
  const cached = reader.get(resource, key);
  return cached.kind === 'unreadable' ? reader.fetch(resource, key) : cached;
}

async function readForExecuting(sight: ReadContext): Part {
  const { object, around, now, reader } = sight;
  const isLate = now >= deadlineIn('Executing', object, around.settings).at;
  const recordedUid = object.status?.workflowExecutionRef?.uid;
  const execution = await child(sight, WorkflowExecution, { name: names(sight).execution, recordedUid, isLate });
  if (execution.kind !== 'value' || execution.value.status?.phase !== 'Completed')
    return reportedWait(object.status?.conditions) ? { execution, ...readMessageInputs(sight) } : { execution };
  const isHopeless = now >= assessedBy(execution.value, object, around.settings);
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment, isLate: isHopeless });
  if (assessment.kind !== 'absent') return { execution, assessment };
  return { execution, assessment, analysis: analysisForMessage(sight), target: await readTarget(reader, targetOf(object)) };
}

async function readForVerifying(sight: ReadContext): Part {
  const { object, reader, around, now } = sight;
  const recordedUid = object.status?.effectivenessAssessmentRef?.uid;
  const isLate = now >= verificationDeadline(object, around.settings);
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment, recordedUid, isLate });
  // Read for the message only, which can do without it.
  const execution = reader.get(WorkflowExecution, childKey(sight, names(sight).execution));
  if (assessment.kind === 'value') return { assessment, execution, ...(await readUndo(sight, assessment.value, execution)) };
  if (assessment.kind !== 'absent' || recordedUid !== undefined) return { assessment, execution };
  return { assessment, execution, analysis: analysisForMessage(sight), target: await readTarget(reader, targetOf(object)) };
}

/** Reads what the decision to undo rests on once the assessment has ended, and no more than the workflow requires. */
async function readUndo(sight: ReadContext, { status }: EffectivenessAssessment, execution: Read<WorkflowExecution>): Part {
  const { object, reader, around } = sight;
  if (!isTerminal(assessmentPhases, status?.phase) || execution.kind !== 'value' || object.spec.undoOf) return {};
  const { workflowName, workflowId } = execution.value.spec.workflowRef;
  const workflow = reader.get(RemediationWorkflow, { namespace: around.settings.namespace, name: workflowName ?? workflowId });
  const run = execution.value;
  if (workflow.kind !== 'value' || !workflow.value.spec.undo) return { undo: { run, workflow, target: NOT_READ, namespace: NOT_READ } };
  const target = targetOf(object);
  return { undo: { run, workflow, target: await readTarget(reader, target), namespace: await readNamespaceOf(reader, target.namespace) } };
}

/** A request that is Blocked after its failure has ended, and is read like an ended one. */
async function readForBlocked(sight: ReadContext): Part {
  return { ...(hasEnded(sight.object) ? await readForEnded(sight) : readMessageInputs(sight)), evidence: await gatherFor(sight) };
}

async function readForEnded(sight: ReadContext): Part {
  const { object, reader } = sight;
  const { failurePhase, effectivenessAssessmentRef } = object.status ?? {};
  const execution = reader.get(WorkflowExecution, childKey(sight, names(sight).execution));
  const ended = { execution, ...readMessageInputs(sight), ...seeUndoing(sight), approval: cachedApproval(sight) };
  if (failurePhase !== 'WorkflowExecution' || effectivenessAssessmentRef) return ended;
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment });
  return { ...ended, assessment, ...(assessment.kind === 'absent' && { target: await readTarget(reader, targetOf(object)) }) };
}

/** A request that has ended closes its approval request. */
const cachedApproval = (sight: ReadContext): Read<RemediationApprovalRequest> =>
  sight.reader.get(RemediationApprovalRequest, childKey(sight, names(sight).approval(attempt(sight))));

/** The request that undoes the change, as long as its UID is not recorded. */
function seeUndoing(sight: ReadContext): Partial<RemediationSeen> {
  const { name, uid } = sight.object.status?.undo?.requestRef ?? {};
  return name === undefined || uid !== undefined ? {} : { undoing: sight.reader.get(RemediationRequest, childKey(sight, name)) };
}

/** Read for the message only, which can do without it. */
const analysisForMessage = (sight: ReadContext): Read<AIAnalysis> =>
  sight.reader.get(AIAnalysis, childKey(sight, names(sight).analysis(attempt(sight))));

function readMessageInputs(sight: ReadContext): Pick<RemediationSeen, 'analysis' | 'messages'> {
  const analysis = analysisForMessage(sight);
  return { analysis, ...readNotifications(sight, analysis) };
}

function readNotifications(sight: ReadContext, analysis: Read<AIAnalysis>): Pick<RemediationSeen, 'messages'> {
  const notices = requiredNotifications(sight.object, analysis.kind === 'value' ? analysis.value : undefined, sight.around.settings);
  return { messages: Object.fromEntries(notices.map(({ name }) => [name, sight.reader.get(NotificationRequest, childKey(sight, name))])) };
}

/** Only Sickbay's kinds and a few others are watched; the scope check needs no more than their metadata. */
function gatherFor({ object, reader, around }: ReadContext, plan?: RemediationPlan, target?: Read<SeenTarget>): Promise<RoutingEvidence> {
  const specHash = target?.kind === 'value' ? knownSpecHash(target.value) : undefined;
  const planned = plan && {
    workflowId: plan.workflow.workflowId,
    target: plan.target,
    ...(specHash !== undefined && { specHash }),
  };
  return gatherEvidence(reader, object, {
    settings: around.settings,
    identityIsChecked: around.identityIsChecked(),
    plan: planned,
    followed: SCOPE_KINDS,
  });
}

const planIn = (analysis: Read<AIAnalysis>): RemediationPlan | undefined =>
  analysis.kind === 'value' && analysis.value.status?.phase === 'Completed' ? planOf(analysis.value) : undefined;

const child = <T extends KubeObject>(
  sight: ReadContext,
  resource: Resource<T>,
  { name, ...rest }: { readonly name: string; readonly recordedUid?: string | undefined; readonly isLate?: boolean },
): Promise<Read<T>> => readChild(sight.reader, { resource, key: childKey(sight, name), owner: sight.object, ...rest });

/** Past the global time limit children are read from the server: a stale cache may lack a child that was created in time. */
const isTooLate = ({ object, around, now }: ReadContext): boolean => now >= deadlineIn('Pending', object, around.settings).at;

const names = ({ object }: ReadContext) => childNames(object.metadata.name);

const attempt = ({ object }: ReadContext): number => object.status?.analysisAttempt ?? 1;

const childKey = ({ object }: ReadContext, name: string): ObjectKey => ({ namespace: object.metadata.namespace ?? '', name });
