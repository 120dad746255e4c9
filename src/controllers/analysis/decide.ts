import { diagnose } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases, type AnalysisPhase } from '../../api/ai-analysis/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { after, assertNever, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { isTooLate, LOOK_AGAIN_MS, readAgainAt, wakeBy } from '../retry-times.ts';
import { targetText } from '../target/index.ts';
import { askPerson, choosePlan, nothingToDo, type Conclusion, type NotYet } from './conclude.ts';
import { conditionsOf } from './conditions.ts';
import { judgePlan } from './judge-plan.ts';
import { nextAttempt, type AnalysisSeen, type Findings } from './observe.ts';
import { remediationsIn, withPast } from './history.ts';
import { proposeUndo } from './propose-undo.ts';

type Status = NonNullable<AIAnalysis['status']>;

/** The life of an analysis: find the cause and a workflow against it, then ask the policy. */
export function decide(seen: AnalysisSeen, now: Instant): Decision {
  const { spec, status } = seen.object;
  if (isTerminal(analysisPhases, status?.phase)) return { effects: [] };
  return status && isTooLate(spec.timesOutAt, now) ? timeOut(seen.object, status, now) : goOn(seen, now);
}

function goOn(seen: AnalysisSeen, now: Instant): Decision {
  const { object } = seen;
  const phase = object.status?.phase;
  switch (phase) {
    case undefined:
      return move(object, 'Pending', now, { message: 'waits to be investigated' });
    case 'Pending':
      return move(object, 'Investigating', now, { startedAt: toTime(now), message: 'looks for the cause' });
    case 'Investigating':
      return investigating(seen, now);
    case 'Analyzing':
      return analyzing(object, now);
    case 'Completed':
    case 'Failed':
      return { effects: [] };
    default:
      return assertNever(phase);
  }
}

function timeOut(object: AIAnalysis, { consecutiveFailures = 0, message: last = '' }: Status, now: Instant): Decision {
  const { analysisRequest, timesOutAt } = object.spec;
  const message =
    `no cause was found for ${targetText(analysisRequest.signalContext.targetResource)} by ${timesOutAt}` +
    `${consecutiveFailures > 0 ? `; last problem: ${last}` : ''}. ` +
    'Check that the API server answers and that Sickbay may read Deployments, ReplicaSets, Pods and ConfigMaps; the next alert starts anew.';
  return move(object, 'Failed', now, { reason: 'TransientError', subReason: 'InvestigationFailed', message });
}

function investigating(seen: AnalysisSeen, now: Instant): Decision {
  const { object, findings, takingBack } = seen;
  const concluded = takingBack ? proposeUndo(object, takingBack, now) : findings && conclude(object, findings, now);
  if (!concluded) {
    const wakeAt = wakeBy(nextAttempt(object.status) ?? after(now, LOOK_AGAIN_MS), object.spec.timesOutAt);
    return { status: object.status, effects: [], wakeAt };
  }
  if (concluded.phase === 'Investigating') return tryAgain(object, concluded.reason, now);
  const { investigationSession: _, consecutiveFailures: __, ...status } = object.status ?? startStatus('Investigating');
  return move({ ...object, status }, concluded.phase, now, {
    ...concluded.status,
    investigationTime: secondsSince(object.status?.startedAt, now),
  });
}

function conclude(object: AIAnalysis, { catalogue, evidence, past }: Findings, now: Instant): Conclusion | NotYet {
  // Without the catalogue there is no telling whether there is a workflow; with a healthy target none is needed.
  if (catalogue.kind === 'unreadable') return { phase: 'Investigating', reason: `reading the catalogue of workflows: ${catalogue.reason}` };
  const diagnosis = diagnose(evidence, now);
  switch (diagnosis.kind) {
    case 'NotYet':
      return { phase: 'Investigating', reason: diagnosis.reason };
    case 'NothingWrong':
      return nothingToDo(object, diagnosis.reason);
    case 'Unclear':
      return withPast(askPerson(object, diagnosis), past);
    case 'Diagnosed':
      return withPast(choosePlan(object, { diagnosis, evidence, catalogue: catalogue.value, past: remediationsIn(past) }, now), past);
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
  const conditions = [...setCondition(before.conditions, { type: 'Ready', status: 'False', reason: 'LooksAgain', message }, now)];
  const status: Status = { ...before, message, consecutiveFailures, investigationSession, conditions };
  return { status, effects: [], wakeAt: wakeBy(parseTime(toTime(again)) ?? again, object.spec.timesOutAt) };
}

function analyzing(object: AIAnalysis, now: Instant): Decision {
  const { status, spec } = object;
  const plan = status?.selectedWorkflow;
  const review = plan && judgePlan(spec.analysisRequest.signalContext.environment, plan, status);
  return move(object, 'Completed', now, { reason: 'AnalysisCompleted', ...(review ?? LOST_PLAN) });
}

/** Nobody wrote this status as it stands: a person has to look. */
const LOST_PLAN: Partial<Status> = {
  needsHumanReview: true,
  humanReviewReason: 'rca_incomplete',
  message: 'the workflow that had been selected is no longer on the status: look at the cause yourself',
};

const startStatus = (phase: AnalysisPhase): Status => ({ phase, needsHumanReview: false, approvalRequired: false });

/** One step along the table. */
function move(object: AIAnalysis, phase: AnalysisPhase, now: Instant, change: Partial<Status>): Decision {
  const isOver = isTerminal(analysisPhases, phase);
  const before = object.status ?? startStatus(phase);
  const next: Status = { ...before, ...change, phase, observedGeneration: object.metadata.generation ?? 0 };
  const status: Status = {
    ...next,
    ...(isOver && { completedAt: toTime(now), totalAnalysisTime: secondsSince(next.startedAt, now) }),
    conditions: [...conditionsOf(next, now)],
  };
  return { status, effects: [], ...(!isOver && { wakeAt: wakeBy(after(now, LOOK_AGAIN_MS), object.spec.timesOutAt) }) };
}

const secondsSince = (start: string | undefined, now: Instant): number =>
  Math.max(0, Math.floor((now - (parseTime(start) ?? now)) / SECOND));
