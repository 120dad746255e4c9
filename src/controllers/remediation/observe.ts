import { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import type { RemediationPhase } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Resource } from '../../api/resource.ts';
import { SignalProcessing } from '../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Instant } from '../../base/index.ts';
import type { Read, Reader } from '../../runtime/controller.ts';
import { childNames } from '../child-names.ts';
import type { Settings } from '../settings.ts';
import { readTarget } from '../target/index.ts';
import { readChild } from './child.ts';
import { notificationName } from './notification.ts';
import { planOf } from './plan.ts';
import { deadlineIn, verificationDeadline } from './timeouts.ts';

/** All that a decision about a request rests on. What its phase has no use for is not read, and unreadable. */
export interface RemediationSeen {
  readonly object: RemediationRequest;
  readonly processing: Read<SignalProcessing>;
  readonly analysis: Read<AIAnalysis>;
  readonly execution: Read<WorkflowExecution>;
  readonly assessment: Read<EffectivenessAssessment>;
  readonly notification: Read<NotificationRequest>;
  /** The resource that is to be changed or was changed, as the server has it. */
  readonly target: Read<KubeObject>;
}

const NOT_READ = { kind: 'unreadable', reason: 'not looked at' } as const;

/** An observation in which nothing but the request was looked at. */
export const onlyRequest = (object: RemediationRequest): RemediationSeen => ({
  object,
  processing: NOT_READ,
  analysis: NOT_READ,
  execution: NOT_READ,
  assessment: NOT_READ,
  notification: NOT_READ,
  target: NOT_READ,
});

/** Reads what the phase needs. */
export async function observe(key: ObjectKey, reader: Reader, now: Instant, settings: Settings): Promise<RemediationSeen | undefined> {
  const found = reader.get(RemediationRequest, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const look = LOOKS[object.status?.overallPhase ?? 'Pending'];
  return { ...onlyRequest(object), ...(await look({ object, reader, now, settings })) };
}

interface Sight {
  readonly object: RemediationRequest;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
}

const nothing = (): Promise<Partial<RemediationSeen>> => Promise.resolve({});

const LOOKS: Readonly<Record<RemediationPhase, (sight: Sight) => Promise<Partial<RemediationSeen>>>> = {
  Pending: nothing,
  Processing: seeProcessing,
  Analyzing: seeAnalyzing,
  AwaitingApproval: nothing,
  Executing: seeExecuting,
  Verifying: seeVerifying,
  Blocked: nothing,
  Completed: seeEnded,
  Failed: seeEnded,
  TimedOut: seeEnded,
  Skipped: seeEnded,
  Cancelled: seeEnded,
};

async function seeProcessing(sight: Sight): Promise<Partial<RemediationSeen>> {
  const isLate = sight.now >= deadlineIn('Processing', sight.object, sight.settings).at;
  return { processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, isLate }) };
}

async function seeAnalyzing(sight: Sight): Promise<Partial<RemediationSeen>> {
  const { object, settings, now } = sight;
  const isLate = now >= deadlineIn('Analyzing', object, settings).at;
  const analysis = await child(sight, AIAnalysis, { name: names(sight).analysis, isLate });
  if (analysis.kind === 'absent') {
    const recordedUid = object.status?.signalProcessingRef?.uid;
    return { analysis, processing: await child(sight, SignalProcessing, { name: names(sight).signalProcessing, recordedUid }) };
  }
  const plan = analysis.kind === 'value' && analysis.value.status?.phase === 'Completed' ? planOf(analysis.value) : undefined;
  return { analysis, ...(plan && { target: await readTarget(sight.reader, plan.target) }) };
}

async function seeExecuting(sight: Sight): Promise<Partial<RemediationSeen>> {
  const { object, settings, now } = sight;
  const { workflowExecutionRef, aiAnalysisRef, remediationTarget } = object.status ?? {};
  const isLate = now >= deadlineIn('Executing', object, settings).at;
  const recordedUid = workflowExecutionRef?.uid;
  const execution = await child(sight, WorkflowExecution, { name: names(sight).execution, recordedUid, isLate });
  if (execution.kind !== 'absent' || recordedUid !== undefined || !remediationTarget) return { execution };
  return {
    execution,
    analysis: await child(sight, AIAnalysis, { name: names(sight).analysis, recordedUid: aiAnalysisRef?.uid }),
    target: await readTarget(sight.reader, remediationTarget),
  };
}

async function seeVerifying(sight: Sight): Promise<Partial<RemediationSeen>> {
  const { object, reader, settings, now } = sight;
  const { effectivenessAssessmentRef, remediationTarget = object.spec.targetResource } = object.status ?? {};
  const recordedUid = effectivenessAssessmentRef?.uid;
  const isLate = now >= verificationDeadline(object, settings);
  const assessment = await child(sight, EffectivenessAssessment, { name: names(sight).assessment, recordedUid, isLate });
  // For its words only: a message can do without.
  const execution = reader.get(WorkflowExecution, childKey(sight, names(sight).execution));
  const isFirstLook = assessment.kind === 'absent' && recordedUid === undefined;
  return { assessment, execution, ...(isFirstLook && { target: await readTarget(sight.reader, remediationTarget) }) };
}

async function seeEnded(sight: Sight): Promise<Partial<RemediationSeen>> {
  return { notification: await child(sight, NotificationRequest, { name: notificationName(sight.object) }) };
}

const child = <T extends KubeObject>(
  sight: Sight,
  resource: Resource<T>,
  { name, ...rest }: { readonly name: string; readonly recordedUid?: string | undefined; readonly isLate?: boolean },
): Promise<Read<T>> => readChild(sight.reader, { resource, key: childKey(sight, name), owner: sight.object, ...rest });

const names = ({ object }: Sight) => childNames(object.metadata.name);

const childKey = ({ object }: Sight, name: string): ObjectKey => ({ namespace: object.metadata.namespace ?? '', name });
