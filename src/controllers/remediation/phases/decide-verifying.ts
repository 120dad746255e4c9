import { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../../api/effectiveness-assessment/overall-score.ts';
import { assessmentPhases } from '../../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../../api/phases.ts';
import { assertNever, toTime, type Instant } from '../../../base/index.ts';
import { setCondition } from '../../../kube/objects/conditions.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { assessmentDraft } from '../verification/draft-assessment.ts';
import { childOf } from '../children/read-child.ts';
import { whatWasDone } from './decide-executing.ts';
import { end, type Ending } from '../end/end-request.ts';
import type { RemediationSeen } from '../observe.ts';
import { judge, type Judgement } from '../verification/outcome.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { ALERT_NOT_READ } from '../routing/failure-history.ts';
import { referenceTo, stay, type RemediationStatus } from '../status.ts';
import { verificationDeadline } from '../timeouts.ts';
import { undoVerdict, type UndoVerdict } from '../undo/undo-verdict.ts';

/** Waits for the assessment and says what it means. From here there is only one way: Completed, with an outcome. */
export function decideVerifying(seen: RemediationSeen, now: Instant): Decision {
  const { object, assessment } = seen;
  const child = childOf(assessment, { owner: object, recordedUid: object.status?.effectivenessAssessmentRef?.uid });
  switch (child.kind) {
    case 'unknown':
      return stay(object, { now });
    case 'lost':
      return end(seen, inconclusive(seen, 'its assessment was deleted'), now);
    case 'foreign':
      return end(seen, inconclusive(seen, `${child.text} is not of this request, so that it could not be assessed`), now);
    case 'none':
    case 'leftOver':
      return orderAssessment(seen, now);
    case 'ours':
      return followAssessment(child.object, seen, now);
    default:
      return assertNever(child);
  }
}

/** It could not be had when verification began, which is no reason not to try again. */
function orderAssessment(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const deadline = verificationDeadline(object, settings);
  if (now >= deadline) return end(seen, tooLate(seen), now);
  const draft = assessmentDraft(seen, 'Verifying', now);
  return stay(object, { now, deadline }, { effects: draft ? [{ kind: 'Create', resource: EffectivenessAssessment, object: draft }] : [] });
}

function followAssessment(assessment: EffectivenessAssessment, seen: RemediationSeen, now: Instant): Decision {
  const { settings } = seen;
  const object = { ...seen.object, status: { ...seen.object.status, effectivenessAssessmentRef: referenceTo(assessment) } };
  const known = { ...seen, object };
  const deadline = verificationDeadline(object, settings, assessment);
  if (isTerminal(assessmentPhases, assessment.status?.phase)) return conclude(assessment, known, { now, deadline });
  if (now >= deadline) return end(known, tooLate(known), now);
  return stay(object, { now, deadline }, { status: { verificationDeadline: toTime(deadline) } });
}

/** Says what it means, and whether what was changed is taken back: that is found out now, or never. */
function conclude(
  { status = {} }: EffectivenessAssessment,
  seen: RemediationSeen,
  { now, deadline }: { readonly now: Instant; readonly deadline: Instant },
): Decision {
  const judgement = judge(status);
  const undo = judgement.outcome === 'Inconclusive' ? undoVerdict(seen, status) : undefined;
  if (undo?.kind === 'unknown' && now < deadline) return stay(seen.object, { now, deadline });
  return end(seen, withUndo(endingOf(judgement, status, { seen, now }), undo), now);
}

function withUndo(ending: Ending, verdict: UndoVerdict | undefined): Ending {
  if (!verdict || (verdict.kind === 'none' && verdict.why === undefined)) return ending;
  if (verdict.kind !== 'wanted') return { ...ending, message: `${ending.message}. It is not taken back: ${verdict.why ?? ''}` };
  const { undo } = verdict;
  const message = `${ending.message}. ${undo.requestRef.name ?? ''} is to take it back with ${undo.workflow}`;
  return { ...ending, message, status: { ...ending.status, undo } };
}

function endingOf(
  judgement: Judgement,
  status: NonNullable<EffectivenessAssessment['status']>,
  { seen, now }: { readonly seen: RemediationSeen; readonly now: Instant },
): Ending {
  const score = overallScore(status.components, status.assessmentReason);
  const findings = [status.message, score === undefined ? undefined : `score ${score.toFixed(2)}`].filter((text) => text !== undefined);
  const ending: Ending =
    judgement.outcome === 'Inconclusive'
      ? inconclusive(seen, [judgement.why, ...findings].join('; '))
      : { phase: 'Completed', message: [done(seen), ...findings].join('; '), status: { outcome: 'Remediated' } };
  return { ...ending, status: { ...ending.status, ...assessedCondition(status, seen, now) } };
}

/** How far the verdict can be trusted: an alert that nobody could be asked about takes no earlier failure back. */
function assessedCondition(
  { phase, components, message = '' }: NonNullable<EffectivenessAssessment['status']>,
  { object }: RemediationSeen,
  now: Instant,
): Partial<RemediationStatus> {
  const isDone = phase === 'Completed';
  const reason = components?.alertAssessed === true ? 'AssessmentCompleted' : ALERT_NOT_READ;
  const condition = {
    type: 'EffectivenessAssessed',
    status: isDone ? 'True' : 'False',
    reason: isDone ? reason : 'AssessmentFailed',
    message,
  } as const;
  return { conditions: setCondition(object.status?.conditions, condition, now) };
}

const inconclusive = (seen: RemediationSeen, why: string): Ending => ({
  phase: 'Completed',
  message: `${done(seen)}, but whether it helped is open: ${why}. Look at ${targetOf(seen)}`,
  status: { outcome: 'Inconclusive', requiresManualReview: true },
});

const tooLate = (seen: RemediationSeen): Ending => ({
  phase: 'Completed',
  message: `${done(seen)}, but whether it helped was not known in time. Look at ${targetOf(seen)}`,
  status: { outcome: 'VerificationTimedOut' },
});

const done = ({ object, execution }: RemediationSeen): string =>
  whatWasDone(execution.kind === 'value' ? execution.value : undefined, object);

const targetOf = ({ object }: RemediationSeen): string => describeTarget(object.status?.remediationTarget ?? object.spec.targetResource);
