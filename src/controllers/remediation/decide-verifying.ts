import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { assertNever, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/conditions.ts';
import type { Decision } from '../../runtime/controller.ts';
import { overallScore } from '../effectiveness/overall-score.ts';
import { childOf } from './child.ts';
import { whatWasDone } from './decide-executing.ts';
import { end, type Ending } from './ending.ts';
import type { RemediationSeen } from './observe.ts';
import { judge } from './outcome.ts';
import { describeTarget } from './plan.ts';
import { ALERT_NOT_READ } from './routing/failure-history.ts';
import { stay, type RemediationStatus } from './status.ts';
import { verificationDeadline } from './timeouts.ts';

/** Waits for the assessment and says what it means. From here there is only one way: Completed, with an outcome. */
export function decideVerifying(seen: RemediationSeen, now: Instant): Decision {
  const { object, assessment } = seen;
  const child = childOf(assessment, { owner: object, recordedUid: object.status?.effectivenessAssessmentRef?.uid ?? '' });
  switch (child.kind) {
    case 'unknown':
      return stay(object, { now });
    case 'none':
    case 'lost':
      return end(seen, inconclusive(seen, 'its assessment was deleted'), now);
    case 'leftOver':
    case 'foreign':
      return end(seen, inconclusive(seen, 'its assessment was replaced by another'), now);
    case 'ours':
      return followAssessment(child.object, seen, now);
    default:
      return assertNever(child);
  }
}

function followAssessment(assessment: EffectivenessAssessment, seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  if (isTerminal(assessmentPhases, assessment.status?.phase)) return end(seen, endingOf(assessment, seen, now), now);
  const deadline = verificationDeadline(object, settings, assessment);
  if (now >= deadline) return end(seen, tooLate(seen), now);
  return stay(object, { now, deadline }, { status: { verificationDeadline: toTime(deadline) } });
}

function endingOf({ status = {} }: EffectivenessAssessment, seen: RemediationSeen, now: Instant): Ending {
  const judgement = judge(status);
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
