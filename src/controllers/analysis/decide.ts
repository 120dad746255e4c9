import { diagnose } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import type { AnalysisPhase } from '../../api/ai-analysis/phases.ts';
import { after, assertNever, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { setCondition, type WantedCondition } from '../../kube/conditions.ts';
import type { Decision } from '../../runtime/controller.ts';
import { isTooLate, LOOK_AGAIN_MS, readAgainAt, wakeBy } from '../patience.ts';
import { targetText } from '../target/index.ts';
import { approvalGate, isGuess, type Approval } from './approval-gate.ts';
import { askPerson, choosePlan, nothingToDo, type Conclusion } from './conclude.ts';
import { nextAttempt, type AnalysisSeen, type Findings } from './observe.ts';

type Status = NonNullable<AIAnalysis['status']>;

/** The life of an analysis: find the cause and a workflow against it, then ask the policy. */
export function decide(seen: AnalysisSeen, now: Instant): Decision {
  const { object } = seen;
  const phase = object.status?.phase;
  switch (phase) {
    case undefined:
      return move(object, 'Pending', now, { message: 'waits to be investigated' });
    case 'Pending':
      return ended(object, now) ?? move(object, 'Investigating', now, { startedAt: toTime(now), message: 'looks for the cause' });
    case 'Investigating':
      return ended(object, now) ?? investigating(seen, now);
    case 'Analyzing':
      return ended(object, now) ?? analyzing(object, now);
    case 'Completed':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

/** The end, once the time is over. */
function ended(object: AIAnalysis, now: Instant): Decision | undefined {
  const { spec, status } = object;
  if (!isTooLate(spec.timesOutAt, now)) return undefined;
  const last = (status?.consecutiveFailures ?? 0) > 0 ? `; last problem: ${status?.message ?? ''}` : '';
  const target = targetText(spec.analysisRequest.signalContext.targetResource);
  const message =
    `no cause was found for ${target} by ${spec.timesOutAt}${last}. ` +
    'Check that the API server answers and that Sickbay may read Deployments, ReplicaSets and Pods; the next alert starts anew.';
  return move(object, 'Failed', now, { reason: 'TransientError', subReason: 'InvestigationFailed', message });
}

function investigating({ object, findings }: AnalysisSeen, now: Instant): Decision {
  if (!findings) {
    const wakeAt = wakeBy(nextAttempt(object.status) ?? after(now, LOOK_AGAIN_MS), object.spec.timesOutAt);
    return { status: object.status, effects: [], wakeAt };
  }
  const concluded = conclude(object, findings, now);
  if (concluded.phase === 'Investigating') return tryAgain(object, concluded.reason, now);
  const { investigationSession: _, consecutiveFailures: __, ...status } = object.status ?? startStatus('Investigating');
  return move({ ...object, status }, concluded.phase, now, {
    ...concluded.status,
    investigationTime: secondsSince(object.status?.startedAt, now),
  });
}

function conclude(
  object: AIAnalysis,
  { catalogue, evidence }: Findings,
  now: Instant,
): Conclusion | { readonly phase: 'Investigating'; readonly reason: string } {
  // Without the catalogue there is no telling whether there is a workflow; with a healthy target none is needed.
  if (catalogue.kind === 'unreadable') return { phase: 'Investigating', reason: `reading the catalogue of workflows: ${catalogue.reason}` };
  const diagnosis = diagnose(evidence, now);
  switch (diagnosis.kind) {
    case 'NotYet':
      return { phase: 'Investigating', reason: diagnosis.reason };
    case 'NothingWrong':
      return nothingToDo(object, diagnosis.reason);
    case 'Unclear':
      return askPerson(object, diagnosis);
    case 'Diagnosed':
      return choosePlan(object, { diagnosis, evidence, catalogue: catalogue.value }, now);
    default:
      return assertNever(diagnosis);
  }
}

/** Stays, says why, and looks again later: what could not be read or is still under way says nothing about the target. */
function tryAgain(object: AIAnalysis, message: string, now: Instant): Decision {
  const before = object.status ?? startStatus('Investigating');
  const consecutiveFailures = (before.consecutiveFailures ?? 0) + 1;
  const again = readAgainAt(now, consecutiveFailures);
  const investigationSession = { generation: 1, pollCount: consecutiveFailures, lastPolled: toTime(now), backoffUntil: toTime(again) };
  const conditions = [...setCondition(before.conditions, ready('False', 'LooksAgain', message), now)];
  const status: Status = { ...before, message, consecutiveFailures, investigationSession, conditions };
  return { status, effects: [], wakeAt: wakeBy(parseTime(toTime(again)) ?? again, object.spec.timesOutAt) };
}

function analyzing(object: AIAnalysis, now: Instant): Decision {
  const { spec, status } = object;
  const { environment } = spec.analysisRequest.signalContext;
  const confidence = status?.selectedWorkflow?.confidence ?? 0;
  const name = status?.selectedWorkflow?.workflowName ?? 'the workflow';
  if (isGuess(confidence))
    return move(object, 'Completed', now, {
      reason: 'AnalysisCompleted',
      subReason: 'LowConfidence',
      needsHumanReview: true,
      humanReviewReason: 'low_confidence',
      message: `${name} would be run with a confidence of only ${confidence}: look at the cause, then run it yourself or do better`,
    });
  const approval = approvalGate(environment);
  return move(object, 'Completed', now, {
    reason: 'AnalysisCompleted',
    message: `${status?.rootCause ?? 'the cause is known'}; ${name} ${approval.required ? 'waits for approval' : 'may run'}: ${approval.reason}`,
    approvalRequired: approval.required,
    ...(approval.required && { approvalReason: approval.reason, approvalContext: approvalContext(status, confidence, approval) }),
  });
}

function approvalContext(status: AIAnalysis['status'], confidence: number, { reason }: Approval): NonNullable<Status['approvalContext']> {
  const { selectedWorkflow, rootCauseAnalysis } = status ?? {};
  return {
    reason,
    confidenceScore: confidence,
    confidenceLevel: confidence >= 0.8 ? 'high' : 'medium',
    investigationSummary: rootCauseAnalysis?.summary ?? '',
    whyApprovalRequired: reason,
    recommendedActions: selectedWorkflow ? [{ workflowId: selectedWorkflow.workflowId, rationale: selectedWorkflow.rationale }] : [],
    evidenceCollected: rootCauseAnalysis?.contributingFactors ?? [],
    policyEvaluation: { policyName: 'built-in', decision: 'ManualReviewRequired' },
  };
}

const startStatus = (phase: AnalysisPhase): Status => ({ phase, needsHumanReview: false, approvalRequired: false });

/** One step along the table. */
function move(object: AIAnalysis, phase: AnalysisPhase, now: Instant, change: Partial<Status> & { readonly message?: string }): Decision {
  const isOver = phase === 'Completed' || phase === 'Failed';
  const before = object.status ?? startStatus(phase);
  const next: Status = { ...before, ...change, phase, observedGeneration: object.metadata.generation ?? 0 };
  const status: Status = {
    ...next,
    ...(isOver && { completedAt: toTime(now), totalAnalysisTime: secondsSince(next.startedAt, now) }),
    conditions: [...conditionsOf(next, now)],
  };
  return { status, effects: [], ...(!isOver && { wakeAt: wakeBy(after(now, LOOK_AGAIN_MS), object.spec.timesOutAt) }) };
}

function conditionsOf(status: Status, now: Instant) {
  const { phase, message = '', reason, selectedWorkflow, approvalRequired } = status;
  const wanted: WantedCondition[] = [ready(phase === 'Completed' ? 'True' : 'False', reason ?? phase, message)];
  if (phase === 'Analyzing' || phase === 'Completed') {
    wanted.push({ type: 'InvestigationComplete', status: 'True', reason: 'Investigated', message: status.rootCause ?? message });
    const resolved = selectedWorkflow ? 'True' : 'False';
    wanted.push({
      type: 'WorkflowResolved',
      status: resolved,
      reason: reason ?? 'Selected',
      message: selectedWorkflow?.workflowName ?? message,
    });
  }
  if (phase === 'Completed') {
    wanted.push({ type: 'AnalysisComplete', status: 'True', reason: reason ?? phase, message });
    const required = approvalRequired ? 'True' : 'False';
    wanted.push({
      type: 'ApprovalRequired',
      status: required,
      reason: 'Policy',
      message: status.approvalReason ?? 'no approval is needed',
    });
  }
  return wanted.reduce((conditions, condition) => setCondition(conditions, condition, now), status.conditions ?? []);
}

const ready = (status: 'True' | 'False', reason: string, message: string): WantedCondition => ({ type: 'Ready', status, reason, message });

const secondsSince = (start: string | undefined, now: Instant): number =>
  Math.max(0, Math.floor((now - (parseTime(start) ?? now)) / SECOND));
