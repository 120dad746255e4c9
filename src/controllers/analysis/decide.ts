import type { Diagnosis } from '../../analyst/index.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { analysisPhases, type AnalysisPhase } from '../../api/ai-analysis/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import {
  after,
  assertNever,
  backoffDelay,
  instant,
  MINUTE,
  parseTime,
  SECOND,
  toTime,
  type Backoff,
  type Instant,
} from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline, RECHECK_INTERVAL_MS, wakeByDeadline } from '../retry-times.ts';
import { targetText } from '../target/index.ts';
import { choosePlan, noActionNeeded, requestReview, type Conclusion, type NotYet } from './conclude.ts';
import { conditionsOf } from './conditions.ts';
import { diagnosisOf } from './diagnosis-of.ts';
import { judgePlan } from './judge-plan.ts';
import { nextAttempt, type AnalysisSeen, type FaultFindings } from './observe.ts';
import { remediationsIn, withHistory } from './history.ts';
import { proposeUndo } from './propose-undo.ts';

type Status = NonNullable<AIAnalysis['status']>;

/** How long a target may take to settle, from the first evidence, before it is handed over. */
export const SETTLING_MS = 2 * MINUTE;
/** How often a target that may settle is checked. */
const SETTLING_RECHECK_MS = 10 * SECOND;
/** How long to wait after a failed read. */
const READ_RETRY: Backoff = { baseMs: 10 * SECOND, maxMs: MINUTE };

/** Leads an analysis from phase to phase: find the cause and a workflow against it, then apply the approval policy. */
export function decide(seen: AnalysisSeen, now: Instant): Decision {
  const { spec, status } = seen.object;
  if (isTerminal(analysisPhases, status?.phase)) return { effects: [] };
  return status && isPastDeadline(spec.timesOutAt, now) ? timeOut(seen.object, status, now) : decidePhase(seen, now);
}

function decidePhase(seen: AnalysisSeen, now: Instant): Decision {
  const { object } = seen;
  const phase = object.status?.phase;
  switch (phase) {
    case undefined:
      return move(object, 'Pending', now, { message: 'waiting for the investigation to start' });
    case 'Pending':
      return move(object, 'Investigating', now, { startedAt: toTime(now), message: 'looking for the cause' });
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
    'Check that the API server answers and that Sickbay may read Deployments, ReplicaSets, Pods and ConfigMaps; the next alert starts a new remediation.';
  return move(object, 'Failed', now, { reason: 'TransientError', subReason: 'InvestigationFailed', message });
}

function investigating(seen: AnalysisSeen, now: Instant): Decision {
  const { object, findings } = seen;
  if (findings.kind === 'not-read') {
    const wakeAt = wakeByDeadline(nextAttempt(object.status) ?? after(now, RECHECK_INTERVAL_MS), object.spec.timesOutAt);
    return { status: object.status, effects: [], wakeAt };
  }
  const concluded = findings.kind === 'undo' ? proposeUndo(object, findings, now) : conclude(object, findings, now);
  if (concluded.phase === 'Investigating') {
    const { reason, settlesBy } = concluded;
    return settlesBy === undefined ? retryLater(object, reason, now) : waitForTarget(object, reason, { now, settlesBy });
  }
  const { investigationSession: _, consecutiveFailures: __, ...status } = object.status ?? startStatus('Investigating');
  return move({ ...object, status }, concluded.phase, now, {
    ...concluded.status,
    investigationTime: secondsSince(object.status?.startedAt, now),
  });
}

function conclude(object: AIAnalysis, { catalogue, evidence, history }: FaultFindings, now: Instant): Conclusion | NotYet {
  // Without the catalogue it is not known whether a workflow exists.
  if (catalogue.kind === 'unreadable') return { phase: 'Investigating', reason: `reading the catalogue of workflows: ${catalogue.reason}` };
  const diagnosis = diagnosisOf(object, evidence, now);
  switch (diagnosis.kind) {
    case 'NotYet':
      return unsettled(object, diagnosis, now) ?? withHistory(requestReview(object, neverSettled(diagnosis)), history);
    case 'NothingWrong':
      return noActionNeeded(object, diagnosis.reason);
    case 'Unclear':
      return withHistory(requestReview(object, diagnosis), history);
    case 'Diagnosed':
      return withHistory(
        choosePlan(object, { diagnosis, evidence, catalogue: catalogue.value, history: remediationsIn(history) }, now),
        history,
      );
    default:
      return assertNever(diagnosis);
  }
}

/** What may settle by itself is waited for, but not for long; undefined once that time is over. */
function unsettled({ status }: AIAnalysis, { reason, advice }: Unsettled, now: Instant): NotYet | undefined {
  if (advice === undefined) return { phase: 'Investigating', reason };
  const settlesBy = after(parseTime(status?.investigationSession?.createdAt) ?? now, SETTLING_MS);
  return now < settlesBy ? { phase: 'Investigating', reason, settlesBy } : undefined;
}

type Unsettled = Extract<Diagnosis, { readonly kind: 'NotYet' }>;

const neverSettled = ({ reason, advice = '', ...found }: Unsettled): Extract<Diagnosis, { readonly kind: 'Unclear' }> => ({
  ...found,
  kind: 'Unclear',
  reason: `${reason}. It did not settle within ${SETTLING_MS / MINUTE} minutes`,
  advice,
});

/** Stays in the phase and checks again soon, at the latest when the time to settle is over. Writes only what is new. */
function waitForTarget(
  object: AIAnalysis,
  message: string,
  { now, settlesBy }: { readonly now: Instant; readonly settlesBy: Instant },
): Decision {
  const { consecutiveFailures: _, ...before } = object.status ?? startStatus('Investigating');
  const createdAt = before.investigationSession?.createdAt ?? toTime(now);
  const investigationSession = { generation: 1, createdAt };
  const conditions = [...setCondition(before.conditions, { type: 'Ready', status: 'False', reason: 'LooksAgain', message }, now)];
  const status: Status = { ...before, message, investigationSession, conditions };
  const next = instant(Math.min(after(now, SETTLING_RECHECK_MS), settlesBy));
  return { status, effects: [], wakeAt: wakeByDeadline(next, object.spec.timesOutAt) };
}

/** Stays in the phase, reports why, and retries later: a failed read says nothing about the target. */
function retryLater(object: AIAnalysis, message: string, now: Instant): Decision {
  const before = object.status ?? startStatus('Investigating');
  const consecutiveFailures = (before.consecutiveFailures ?? 0) + 1;
  const retryAt = after(now, backoffDelay(READ_RETRY, consecutiveFailures));
  const investigationSession = {
    ...before.investigationSession,
    generation: 1,
    pollCount: consecutiveFailures,
    lastPolled: toTime(now),
    backoffUntil: toTime(retryAt),
  };
  const conditions = [...setCondition(before.conditions, { type: 'Ready', status: 'False', reason: 'LooksAgain', message }, now)];
  const status: Status = { ...before, message, consecutiveFailures, investigationSession, conditions };
  return { status, effects: [], wakeAt: wakeByDeadline(parseTime(toTime(retryAt)) ?? retryAt, object.spec.timesOutAt) };
}

function analyzing(object: AIAnalysis, now: Instant): Decision {
  const { status, spec } = object;
  const plan = status?.selectedWorkflow;
  const review = plan && judgePlan(spec.analysisRequest.signalContext.environment, plan, status);
  return move(object, 'Completed', now, { reason: 'AnalysisCompleted', ...(review ?? LOST_PLAN) });
}

/** Sickbay never writes a status like this: another client changed it, so that it needs manual review. */
const LOST_PLAN: Partial<Status> = {
  needsHumanReview: true,
  humanReviewReason: 'rca_incomplete',
  message:
    'the selected workflow was removed from the status by another client. Nothing is run. Next: examine the cause and remediate by hand',
};

const startStatus = (phase: AnalysisPhase): Status => ({ phase, needsHumanReview: false, approvalRequired: false });

/** Enters a phase. */
function move(object: AIAnalysis, phase: AnalysisPhase, now: Instant, change: Partial<Status>): Decision {
  const hasEnded = isTerminal(analysisPhases, phase);
  const before = object.status ?? startStatus(phase);
  const next: Status = { ...before, ...change, phase, observedGeneration: object.metadata.generation ?? 0 };
  const status: Status = {
    ...next,
    ...(hasEnded && { completedAt: toTime(now), totalAnalysisTime: secondsSince(next.startedAt, now) }),
    conditions: [...conditionsOf(next, now)],
  };
  return { status, effects: [], ...(!hasEnded && { wakeAt: wakeByDeadline(after(now, RECHECK_INTERVAL_MS), object.spec.timesOutAt) }) };
}

const secondsSince = (start: string | undefined, now: Instant): number =>
  Math.max(0, Math.floor((now - (parseTime(start) ?? now)) / SECOND));
