import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { assertNever, toTime, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/controller.ts';
import { overallScore } from '../effectiveness/overall-score.ts';
import type { Settings } from '../settings.ts';
import { specHash } from '../target/index.ts';
import { childOf } from './child.ts';
import { assessmentFor } from './children.ts';
import { whatWasDone } from './decide-executing.ts';
import type { RemediationSeen } from './observe.ts';
import { judge } from './outcome.ts';
import { describeTarget } from './plan.ts';
import { end, HOLD_OFF, referenceTo, stay, type Ending } from './status.ts';
import { verificationDeadline } from './timeouts.ts';

/** Waits for the assessment and says what it means. From here there is only one way: Completed, with an outcome. */
export function decideVerifying(seen: RemediationSeen, now: Instant, settings: Settings): Decision {
  const { object, assessment } = seen;
  const child = childOf(assessment, { owner: object, recordedUid: object.status?.effectivenessAssessmentRef?.uid });
  const deadline = verificationDeadline(object, settings);
  switch (child.kind) {
    case 'unknown':
      return stay(object, { now });
    case 'lost':
      return end(object, inconclusive(seen, 'its assessment was deleted'), now);
    case 'foreign':
      return end(object, inconclusive(seen, `${child.text} is not of this request, so that it could not be assessed`), now);
    // What an earlier request left behind makes room; until then its name is taken, and the server creates nothing.
    case 'leftOver':
    case 'none':
      return now >= deadline ? end(object, tooLate(seen), now) : createAssessment(seen, { now, deadline, settings });
    case 'ours':
      return followAssessment(child.object, seen, { now, settings });
    default:
      return assertNever(child);
  }
}

/** The spec as the workflow left it is what drift is measured from; without a target there is nothing to measure. */
function createAssessment(
  { object, target }: RemediationSeen,
  { now, deadline, settings }: { readonly now: Instant; readonly deadline: Instant; readonly settings: Settings },
): Decision {
  if (target.kind === 'unreadable') return stay(object, { now, deadline });
  const isTheOne = target.kind === 'value' && target.value.metadata.uid === object.status?.remediationTarget?.uid;
  const appliedSpecHash = isTheOne ? specHash(target.value) : undefined;
  const draft = assessmentFor(object, { stabilizationMs: settings.stabilizationMs, appliedSpecHash });
  return stay(object, { now, deadline }, { effects: [{ kind: 'Create', resource: EffectivenessAssessment, object: draft }] });
}

function followAssessment(
  assessment: EffectivenessAssessment,
  seen: RemediationSeen,
  { now, settings }: { readonly now: Instant; readonly settings: Settings },
): Decision {
  const effectivenessAssessmentRef = referenceTo(assessment);
  const object = { ...seen.object, status: { ...seen.object.status, effectivenessAssessmentRef } };
  const known = { ...seen, object };
  if (isTerminal(assessmentPhases, assessment.status?.phase)) return end(object, endingOf(assessment, known), now);
  const deadline = verificationDeadline(object, settings, assessment.status?.validityDeadline);
  if (now >= deadline) return end(object, tooLate(known), now);
  return stay(object, { now, deadline }, { status: { verificationDeadline: toTime(deadline) } });
}

function endingOf({ status = {} }: EffectivenessAssessment, seen: RemediationSeen): Ending {
  const judgement = judge(status);
  const score = overallScore(status.components, status.assessmentReason);
  const findings = [status.message, score === undefined ? undefined : `score ${score.toFixed(2)}`].filter((text) => text !== undefined);
  if (judgement.outcome === 'Inconclusive') return inconclusive(seen, [judgement.why, ...findings].join('; '));
  return { phase: 'Completed', message: [done(seen), ...findings].join('; '), status: { outcome: 'Remediated' } };
}

const inconclusive = (seen: RemediationSeen, why: string): Ending => ({
  phase: 'Completed',
  message: `${done(seen)}, but whether it helped is open: ${why}. Look at ${targetOf(seen)}`,
  holdOffMs: HOLD_OFF.afterFailureMs,
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
