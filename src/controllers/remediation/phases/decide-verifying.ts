import { describeTargetOf } from '../request-target.ts';
import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { scoreText } from '../../../api/effectiveness-assessment/overall-score.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import { assertNever, toTime, type Instant } from '../../../base/index.ts';
import { setCondition, type WantedCondition } from '../../../kube/objects/conditions.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { childOf } from '../children/read-child.ts';
import { whatWasDone } from '../verification/enter-verifying.ts';
import { endRequest, type RequestEnding } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { isNothingMeasured, outcomeOf, type VerificationOutcome } from '../verification/outcome.ts';
import { endedWithoutTarget, TARGET_GONE } from '../verification/target-gone.ts';
import { verifiedCondition } from '../verification/verified-condition.ts';
import { ALERT_NOT_READ } from '../routing/failure-history.ts';
import { referenceTo, stayInPhase, type RemediationStatus } from '../status.ts';
import { verificationDeadline } from '../timeouts.ts';
import { undoVerdict, type UndoVerdict } from '../undo/undo-verdict.ts';

/** Waits for the assessment and sets the outcome. The only next phase is Completed. */
export function decideVerifying(seen: RemediationSeen, now: Instant): Decision {
  const { object, assessment } = seen;
  const child = childOf(assessment, { owner: object, recordedUid: object.status?.effectivenessAssessmentRef?.uid });
  switch (child.kind) {
    case 'unknown':
      return stayInPhase(object, { now });
    case 'lost':
      return endRequest(seen, inconclusive(seen, 'its assessment was deleted'), now);
    case 'foreign':
      return endRequest(seen, inconclusive(seen, `${child.text} does not belong to this request, so that no assessment was made`), now);
    case 'none':
    case 'leftOver':
      return orderAssessment(seen, now);
    case 'ours':
      return followAssessment(child.object, seen, now);
    default:
      return assertNever(child);
  }
}

/** The assessment could not be created when verification started: tries again until its deadline. */
function orderAssessment(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = verificationDeadline(object, settings);
  if (now >= deadline) return endRequest(seen, tooLate(seen), now);
  const draft = assessmentDraft(seen, 'Verifying', now);
  return stayInPhase(
    object,
    { now, deadline },
    { effects: draft ? [{ kind: 'Create', resource: EffectivenessAssessment, object: draft }] : [] },
  );
}

function followAssessment(assessment: EffectivenessAssessment, seen: RemediationSeen, now: Instant): Decision {
  const { settings } = seen;
  const object = { ...seen.object, status: { ...seen.object.status, effectivenessAssessmentRef: referenceTo(assessment) } };
  const known = { ...seen, object };
  const deadline = verificationDeadline(object, settings, assessment);
  if (isTerminal(assessmentPhases, assessment.status?.phase)) return conclude(assessment, known, { now, deadline });
  if (now >= deadline) return endRequest(known, tooLate(known), now);
  return stayInPhase(object, { now, deadline }, { status: { verificationDeadline: toTime(deadline) } });
}

/** Sets the outcome, and decides whether the change is undone: that is decided now, and never later. */
function conclude(
  { status = {} }: EffectivenessAssessment,
  seen: RemediationSeen,
  { now, deadline }: { readonly now: Instant; readonly deadline: Instant },
): Decision {
  const judgement = outcomeOf(status);
  const undo = judgement.outcome === 'Inconclusive' ? undoVerdict(seen, status) : undefined;
  if (undo?.kind === 'unknown' && now < deadline) return stayInPhase(seen.object, { now, deadline });
  return endRequest(seen, withUndo(endingOf(judgement, status, { seen, now }), undo), now);
}

function withUndo(ending: RequestEnding, verdict: UndoVerdict | undefined): RequestEnding {
  if (!verdict || (verdict.kind === 'none' && verdict.why === undefined)) return ending;
  if (verdict.kind !== 'wanted') return { ...ending, message: `${ending.message}. It is not undone: ${verdict.why ?? ''}` };
  const { undo } = verdict;
  const message = `${ending.message}. ${undo.requestRef.name ?? ''} undoes it with ${undo.workflow}`;
  return { ...ending, message, status: { ...ending.status, undo } };
}

function endingOf(
  judgement: VerificationOutcome,
  status: NonNullable<EffectivenessAssessment['status']>,
  { seen, now }: { readonly seen: RemediationSeen; readonly now: Instant },
): RequestEnding {
  const findings = findingsOf(status, seen);
  const ending: RequestEnding =
    judgement.outcome === 'Inconclusive'
      ? inconclusive(seen, [judgement.why, ...findings].join('; '))
      : { phase: 'Completed', message: [done(seen), ...findings].join('; '), status: { outcome: 'Remediated' } };
  const conditions = [assessedCondition(status), verifiedCondition(status, judgement)].reduce<RemediationStatus['conditions']>(
    (all, condition) => setCondition(all, condition, now),
    seen.object.status?.conditions,
  );
  return { ...ending, status: { ...ending.status, ...(conditions && { conditions }) } };
}

/** What was found, and what the score rests on. Where nothing could be measured there is no score, and the message says so. */
function findingsOf(status: NonNullable<EffectivenessAssessment['status']>, { object }: RemediationSeen): readonly string[] {
  const score = scoreText(status.components, status.assessmentReason);
  const result = isNothingMeasured(status)
    ? `not verified: nothing could be measured, so look whether ${describeTargetOf(object)} works`
    : score && `score ${score}`;
  return [status.message, result].filter((text) => text !== undefined);
}

/** Reports whether the alert was read: an outcome without it does not reset the count of failures in a row. */
function assessedCondition(status: NonNullable<EffectivenessAssessment['status']>): WantedCondition {
  const { phase, components, message = '' } = status;
  const type = 'EffectivenessAssessed';
  if (phase !== 'Completed')
    return { type, status: 'False', reason: endedWithoutTarget(status) ? TARGET_GONE : 'AssessmentFailed', message };
  return { type, status: 'True', reason: components?.alertAssessed === true ? 'AssessmentCompleted' : ALERT_NOT_READ, message };
}

const inconclusive = (seen: RemediationSeen, why: string): RequestEnding => ({
  phase: 'Completed',
  message: `${done(seen)}, but it is unknown whether it helped: ${why}. Check ${describeTargetOf(seen.object)}`,
  status: { outcome: 'Inconclusive', requiresManualReview: true },
});

const tooLate = (seen: RemediationSeen): RequestEnding => ({
  phase: 'Completed',
  message: `${done(seen)}, but the verification did not finish in time. Check ${describeTargetOf(seen.object)}`,
  status: { outcome: 'VerificationTimedOut' },
});

const done = ({ object, execution }: RemediationSeen): string =>
  whatWasDone(execution.kind === 'value' ? execution.value : undefined, object);
