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
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { judgeApproval, workflowToRead } from '../approval/index.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { freshness, knownSpecHash, readTarget, type SeenTarget } from '../target/index.ts';
import { readChild } from './children/read-child.ts';
import { isHeld } from './suppression/hold-until-cleared.ts';
import { noticesOf } from './notifications/required-notifications.ts';
import { planOf, type RemediationPlan } from '../plan/remediation-plan.ts';
import { readBlock, type BlockRead } from './suppression/read-target-block.ts';
import { gather, SCOPE_KINDS, type Evidence } from './routing/index.ts';
import { assessedBy, deadlineIn, verificationDeadline } from './timeouts.ts';
import type { UndoSeen } from './undo/undo-verdict.ts';

/** All that a decision about a request rests on. What its phase has no use for is not read, and unreadable. */
export interface RemediationSeen {
  readonly object: RemediationRequest;
  readonly settings: Settings;
  readonly processing: Read<SignalProcessing>;
  /** The newest analysis, and the one that would follow it. */
  readonly analysis: Read<AIAnalysis>;
  readonly nextAnalysis: Read<AIAnalysis>;
  readonly approval: Read<RemediationApprovalRequest>;
  readonly execution: Read<WorkflowExecution>;
  readonly assessment: Read<EffectivenessAssessment>;
  /** Messages to people, by name. */
  readonly messages: Readonly<Record<string, Read<NotificationRequest>>>;
  /** The resource that is to be changed or was changed, as the server has it, and its namespace. */
  readonly target: Read<SeenTarget>;
  readonly namespace: Read<KubeObject>;
  /** The workflow of the plan in the catalogue, and the one that a person wants instead. */
  readonly workflow: Read<RemediationWorkflow>;
  readonly overriding: Read<RemediationWorkflow>;
  /** All requests of the fingerprint, this one too. */
  readonly siblings: Listed<RemediationRequest>;
  /** What taking its change back rests on; undefined where that is not in question. */
  readonly undo?: UndoSeen;
  /** The request that takes its change back. */
  readonly undoing: Read<RemediationRequest>;
  /** What keeps workflows off its target; undefined where its signal does not wait for that. */
  readonly block?: BlockRead;
  /** What the checks judge; undefined where none is due. */
  readonly evidence?: Evidence;
  /** Whether the server holds the names of those who decide against who they are. */
  readonly identityIsChecked: boolean;
  /** Whether everything about the request is in the audit trail. */
  readonly isAudited: boolean;
}

/** What the process around knows and the API server does not. */
export interface Surroundings {
  readonly settings: Settings;
  identityIsChecked(): boolean;
  isAudited(request: RemediationRequest): boolean;
}

const NOT_READ = { kind: 'unreadable', reason: 'not looked at' } as const;

/** An observation in which nothing but the request was looked at. */
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
  isAudited: false,
});

type Part = Promise<Partial<RemediationSeen>>;

interface Sight {
  readonly object: RemediationRequest;
  readonly reader: Reader;
  readonly now: Instant;
  readonly around: Surroundings;
}

/** Reads what the phase needs. */
export async function observe(key: ObjectKey, reader: Reader, now: Instant, around: Surroundings): Promise<RemediationSeen | undefined> {
  const found = reader.get(RemediationRequest, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  return {
    ...onlyRequest(object, around.settings),
    siblings: reader.list(RemediationRequest, { index: 'fingerprint', value: object.spec.signalFingerprint }),
    identityIsChecked: around.identityIsChecked(),
    isAudited: around.isAudited(object),
    ...(await LOOKS[object.status?.overallPhase ?? 'Pending']({ object, reader, now, around })),
    ...(isHeld(object, now, around.settings.routing) && { block: await readBlock(reader, object, around.settings) }),
  };
}

const LOOKS: Readonly<Record<RemediationPhase, (sight: Sight) => Part>> = {
  Pending: seePending,
  Processing: seeProcessing,
  Analyzing: seeAnalyzing,
  AwaitingApproval: seeAwaitingApproval,
  Executing: seeExecuting,
  Verifying: seeVerifying,
  Blocked: seeBlocked,
  Completed: seeEnded,
  Failed: seeEnded,
  TimedOut: seeEnded,
  Skipped: seeEnded,
  Cancelled: seeEnded,
};

async function seePending(sight: Sight): Part {
  if (sight.object.status?.overallPhase === undefined) return {};
  const processing = await child(sight, SignalProcessing, { name: names(sight).signalProcessing, isLate: isTooLate(sight) });
  return processing.kind === 'absent' ? { processing, evidence: await gatherFor(sight) } : { processing };
}

async function seeProcessing(sight: Sight): Part {
  const isLate = sight.now >= deadlineIn('Processing', sight.object, sight.around.settings).at;
  const processing = await child(sight, SignalProcessing, { name: names(sight).signalProcessing, isLate });
  const isDone = processing.kind === 'value' && processing.value.status?.phase === 'Completed';
  return isDone
    ? { processing, analysis: await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight)), isLate: isTooLate(sight) }) }
    : { processing };
}

async function seeAnalyzing(sight: Sight): Part {
  const { object, around, now } = sight;
  const isLate = now >= deadlineIn('Analyzing', object, around.settings).at;
  const analysis = await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight)), isLate });
  const recordedUid = object.status?.signalProcessingRef?.uid;
  if (analysis.kind === 'absent')
    return { analysis, processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, recordedUid }) };
  const plan = planIn(analysis);
  if (!plan) return { analysis };
  const approval = await seeApproval(sight);
  return { analysis, approval, ...(await seePlan(sight, plan, { analysis, approval })) };
}

async function seeAwaitingApproval(sight: Sight): Part {
  const approval = await seeApproval(sight);
  const analysis = await seePlanned(sight);
  const isApproved = approval.kind === 'value' && approval.value.status?.decision === 'Approved';
  const plan = planIn(analysis);
  const more = isApproved && plan ? await seePlan(sight, plan, { analysis, approval }) : {};
  return { approval, analysis, ...more, ...seeMessages(sight, analysis) };
}

/** The analysis that approval was asked for has a plan: where the cache has none, it has missed it. */
async function seePlanned(sight: Sight): Promise<Read<AIAnalysis>> {
  const key = { name: names(sight).analysis(attempt(sight)), recordedUid: sight.object.status?.aiAnalysisRef?.uid };
  const cached = await child(sight, AIAnalysis, key);
  return cached.kind === 'value' && !planIn(cached) ? child(sight, AIAnalysis, { ...key, isLate: true }) : cached;
}

/** The last look is the server's, at the limit of the phase and at that of the question: an answer that came in time counts. */
async function seeApproval(sight: Sight): Promise<Read<RemediationApprovalRequest>> {
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

/** Everything that stands between a plan and its run. */
async function seePlan(sight: Sight, proposed: RemediationPlan, { approval }: Answers): Part {
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
    namespace: await seeNamespace(reader, plan.target.namespace),
    evidence: await gatherFor(sight, plan, target),
    ...(freshness(plan.target, target).kind === 'stale' && (await seeNextAnalysis(sight))),
  };
}

async function seeNextAnalysis(sight: Sight): Part {
  const recordedUid = sight.object.status?.signalProcessingRef?.uid;
  return {
    nextAnalysis: await child(sight, AIAnalysis, { name: names(sight).analysis(attempt(sight) + 1), isLate: isTooLate(sight) }),
    processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, recordedUid }),
  };
}

/** What has no namespace is in none that could ask for anything. */
const seeNamespace = (reader: Reader, name = ''): Promise<Read<KubeObject>> =>
  name === '' ? Promise.resolve({ kind: 'absent' }) : fromCache(reader, Namespace, { namespace: '', name });

/** From the cache where that can be read; the server is asked otherwise. */
async function fromCache(reader: Reader, resource: Resource, key: ObjectKey): Promise<Read<KubeObject>> {
  const cached = reader.get(resource, key);
  return cached.kind === 'unreadable' ? reader.fetch(resource, key) : cached;
}

async function seeExecuting(sight: Sight): Part {
  const { object, around, now, reader } = sight;
  const isLate = now >= deadlineIn('Executing', object, around.settings).at;
  const recordedUid = object.status?.workflowExecutionRef?.uid;
  const execution = await child(sight, WorkflowExecution, { name: names(sight).execution, recordedUid, isLate });
  if (execution.kind !== 'value' || execution.value.status?.phase !== 'Completed') return { execution };
  const isHopeless = now >= assessedBy(execution.value, object, around.settings);
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment, isLate: isHopeless });
  if (assessment.kind !== 'absent') return { execution, assessment };
  return { execution, assessment, analysis: analysisForWords(sight), target: await readTarget(reader, targetOf(object)) };
}

async function seeVerifying(sight: Sight): Part {
  const { object, reader, around, now } = sight;
  const recordedUid = object.status?.effectivenessAssessmentRef?.uid;
  const isLate = now >= verificationDeadline(object, around.settings);
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment, recordedUid, isLate });
  // For its words only: a message can do without.
  const execution = reader.get(WorkflowExecution, childKey(sight, names(sight).execution));
  if (assessment.kind === 'value') return { assessment, execution, ...(await seeUndo(sight, assessment.value, execution)) };
  if (assessment.kind !== 'absent' || recordedUid !== undefined) return { assessment, execution };
  return { assessment, execution, analysis: analysisForWords(sight), target: await readTarget(reader, targetOf(object)) };
}

/** What taking the change back would rest on, once it was judged, and no more than the workflow asks for. */
async function seeUndo(sight: Sight, { status }: EffectivenessAssessment, execution: Read<WorkflowExecution>): Part {
  const { object, reader, around } = sight;
  if (!isTerminal(assessmentPhases, status?.phase) || execution.kind !== 'value' || object.spec.undoOf) return {};
  const { workflowName, workflowId } = execution.value.spec.workflowRef;
  const workflow = reader.get(RemediationWorkflow, { namespace: around.settings.namespace, name: workflowName ?? workflowId });
  const run = execution.value;
  if (workflow.kind !== 'value' || !workflow.value.spec.undo) return { undo: { run, workflow, target: NOT_READ, namespace: NOT_READ } };
  const target = targetOf(object);
  return { undo: { run, workflow, target: await readTarget(reader, target), namespace: await seeNamespace(reader, target.namespace) } };
}

/** One that is blocked for its failure has come to its end, and is seen like one. */
async function seeBlocked(sight: Sight): Part {
  const isOver = sight.object.status?.completedAt !== undefined;
  return { ...(isOver ? await seeEnded(sight) : seeWords(sight)), evidence: await gatherFor(sight) };
}

async function seeEnded(sight: Sight): Part {
  const { object, reader } = sight;
  const { failurePhase, effectivenessAssessmentRef } = object.status ?? {};
  const execution = reader.get(WorkflowExecution, childKey(sight, names(sight).execution));
  const ended = { execution, ...seeWords(sight), ...seeUndoing(sight) };
  if (failurePhase !== 'WorkflowExecution' || effectivenessAssessmentRef) return ended;
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment });
  return { ...ended, assessment, ...(assessment.kind === 'absent' && { target: await readTarget(reader, targetOf(object)) }) };
}

/** The request that is to take the change back, as long as it is not on record. */
function seeUndoing(sight: Sight): Partial<RemediationSeen> {
  const { name, uid } = sight.object.status?.undo?.requestRef ?? {};
  return name === undefined || uid !== undefined ? {} : { undoing: sight.reader.get(RemediationRequest, childKey(sight, name)) };
}

/** For what it says: a message can do without. */
const analysisForWords = (sight: Sight): Read<AIAnalysis> =>
  sight.reader.get(AIAnalysis, childKey(sight, names(sight).analysis(attempt(sight))));

function seeWords(sight: Sight): Pick<RemediationSeen, 'analysis' | 'messages'> {
  const analysis = analysisForWords(sight);
  return { analysis, ...seeMessages(sight, analysis) };
}

function seeMessages(sight: Sight, analysis: Read<AIAnalysis>): Pick<RemediationSeen, 'messages'> {
  const notices = noticesOf(sight.object, analysis.kind === 'value' ? analysis.value : undefined, sight.around.settings);
  return { messages: Object.fromEntries(notices.map(({ name }) => [name, sight.reader.get(NotificationRequest, childKey(sight, name))])) };
}

/** Only kinds of our own and a few others are followed; their metadata is all that scope takes. */
function gatherFor({ object, reader, around }: Sight, plan?: RemediationPlan, target?: Read<SeenTarget>): Promise<Evidence> {
  const specHash = target?.kind === 'value' ? knownSpecHash(target.value) : undefined;
  const planned = plan && {
    workflowId: plan.workflow.workflowId,
    target: plan.target,
    ...(specHash !== undefined && { specHash }),
  };
  return gather(reader, object, { settings: around.settings, plan: planned, followed: SCOPE_KINDS });
}

const planIn = (analysis: Read<AIAnalysis>): RemediationPlan | undefined =>
  analysis.kind === 'value' && analysis.value.status?.phase === 'Completed' ? planOf(analysis.value) : undefined;

const child = <T extends KubeObject>(
  sight: Sight,
  resource: Resource<T>,
  { name, ...rest }: { readonly name: string; readonly recordedUid?: string | undefined; readonly isLate?: boolean },
): Promise<Read<T>> => readChild(sight.reader, { resource, key: childKey(sight, name), owner: sight.object, ...rest });

/** Nothing is given up on the cache's word: it may have missed what was created in time. */
const isTooLate = ({ object, around, now }: Sight): boolean => now >= deadlineIn('Pending', object, around.settings).at;

const names = ({ object }: Sight) => childNames(object.metadata.name);

const attempt = ({ object }: Sight): number => object.status?.analysisAttempt ?? 1;

const targetOf = ({ spec, status }: RemediationRequest) => status?.remediationTarget ?? spec.targetResource;

const childKey = ({ object }: Sight, name: string): ObjectKey => ({ namespace: object.metadata.namespace ?? '', name });
