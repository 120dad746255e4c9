import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAssessment,
  anExecution,
  aRequest,
  at,
  LEFT_OVER,
  NOW,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  untouched,
  value,
  verifying,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const stays = { overallPhase: 'Verifying' } as const;
const inconclusive = {
  overallPhase: 'Completed',
  outcome: 'Inconclusive',
  requiresManualReview: true,
  nextAllowedExecution: ago(-MINUTE),
} as const;
const tooLate = { overallPhase: 'Completed', outcome: 'VerificationTimedOut' } as const;
const rolledBack = anExecution({
  phase: 'Completed',
  executionStatus: { status: 'Completed', message: 'rolled back Deployment shop/checkout to revision 1' },
});
const well: EffectivenessAssessment['status'] = {
  phase: 'Completed',
  assessmentReason: 'Full',
  message: '2 of 2 pods ready',
  components: { healthAssessed: true, healthScore: 1, alertAssessed: true, metricsAssessed: true, hashComputed: true },
};
const { effectivenessAssessmentRef: _, ...withoutAssessment } = verifying;
const judged = (status: EffectivenessAssessment['status']) => ({ assessment: value(anAssessment(status)), execution: value(rolledBack) });

const ends: readonly DecisionCase[] = [
  { name: 'unreadable', reason: 'not known is not absent', seen: { assessment: UNREADABLE }, atMs: HOUR, want: stays },
  {
    name: 'foreign',
    reason: 'this phase has only one next phase',
    status: withoutAssessment,
    seen: { assessment: value(anAssessment(well, SOMEBODY_ELSES)) },
    want: inconclusive,
    says: 'EffectivenessAssessment ea-rr does not belong to this request, so that no assessment was made',
  },
  {
    name: 'none recorded',
    reason: 'it could not be had when verification began: it is tried again',
    status: withoutAssessment,
    seen: { assessment: ABSENT, target: value(aDeployment()) },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'left over from an earlier request',
    reason: 'the garbage collector is about to take it away: it is tried again',
    status: withoutAssessment,
    seen: { assessment: value(anAssessment(well, LEFT_OVER)), target: value(aDeployment()) },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'it has no status yet',
    reason: 'it is awaited',
    seen: { assessment: value(untouched(anAssessment())) },
    want: stays,
  },
  {
    name: 'none recorded, the target unreadable',
    reason: 'the spec as the workflow left it is what drift is measured from',
    status: withoutAssessment,
    seen: { assessment: ABSENT, target: UNREADABLE },
    want: stays,
  },
  {
    name: 'none recorded, at the deadline',
    reason: 'no wait is unlimited',
    status: withoutAssessment,
    seen: { assessment: ABSENT, target: UNREADABLE },
    atMs: 30 * MINUTE,
    want: tooLate,
  },
  {
    name: 'none recorded, and it exists',
    reason: 'its UID is recorded',
    status: withoutAssessment,
    seen: { assessment: value(anAssessment()) },
    want: { ...stays, effectivenessAssessmentRef: { name: 'ea-rr', uid: 'ea-rr-uid' } },
  },
  {
    name: '[RR-100] at work',
    reason: 'the assessment says until when it may take, and is given a moment to be seen',
    seen: judged({ phase: 'Stabilizing', validityDeadline: toTime(at(40 * MINUTE)) }),
    atMs: 35 * MINUTE,
    want: { ...stays, verificationDeadline: toTime(at(40 * MINUTE + 30 * SECOND)) },
  },
  {
    name: '[RR-190] at work, due before the limit',
    reason: 'the later of the two counts',
    seen: judged({ phase: 'Assessing', validityDeadline: toTime(at(10 * MINUTE)) }),
    want: { ...stays, verificationDeadline: toTime(at(30 * MINUTE)) },
  },
  {
    name: '[RR-101] healthy',
    reason: 'the message says what was done and what was found',
    seen: judged(well),
    want: { overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(0) },
    says: 'rolled back Deployment shop/checkout to revision 1; 2 of 2 pods ready; score 1.00 from health only',
  },
  {
    name: 'the assessment failed without a message',
    reason: 'there is nothing more to say',
    seen: judged({ phase: 'Failed', assessmentReason: 'Unrecoverable' }),
    want: inconclusive,
    says: 'the assessment could not be made; not verified: nothing could be measured, so look whether Deployment shop/checkout works. Check',
  },
  {
    name: 'unhealthy, where another object was worked on than the signal named',
    reason: 'that is where to look',
    status: { ...verifying, remediationTarget: { ...TARGET, name: 'cart' } },
    seen: { assessment: ABSENT },
    want: inconclusive,
    says: 'Check Deployment shop/cart',
  },
  {
    name: 'healthy, and read late',
    reason: 'an end in time counts, whenever it is seen',
    seen: judged(well),
    atMs: 3 * HOUR,
    want: { overallPhase: 'Completed', outcome: 'Remediated' },
  },
  {
    name: 'unhealthy',
    reason: 'a target that is known to be unhealthy is never Remediated',
    seen: judged({ ...well, message: '0 of 2 pods ready', components: { ...well.components, healthScore: 0 } }),
    want: inconclusive,
    says: 'it is unknown whether it helped: the target is unhealthy; 0 of 2 pods ready; score 0.00 from health only. Check Deployment shop/checkout',
  },
  {
    name: '[RR-102, EM-233] the assessment failed',
    reason: 'missing data is no success',
    seen: judged({ phase: 'Failed', assessmentReason: 'Unrecoverable', message: 'the target is gone' }),
    want: inconclusive,
    says: 'the assessment could not be made; the target is gone',
  },
  {
    name: 'the assessment is gone',
    reason: 'its result is unknown',
    seen: { assessment: ABSENT },
    want: inconclusive,
    says: 'its assessment was deleted',
  },
  {
    name: 'the assessment was replaced',
    reason: 'another of the same name is not the one that was begun',
    seen: { assessment: value(anAssessment(well, { uid: 'another' })) },
    want: inconclusive,
  },
  {
    name: 'one moment before the deadline',
    reason: 'what the assessment may take, and a moment to be seen, is not over',
    seen: judged({ phase: 'Assessing' }),
    atMs: 30 * MINUTE + 30 * SECOND - 1,
    want: stays,
  },
  {
    name: '[RR-027, RR-103] at the deadline',
    reason: 'never TimedOut: something was done, and it is only not known whether it helped',
    seen: judged({ phase: 'Assessing', validityDeadline: toTime(at(30 * MINUTE)) }),
    atMs: 30 * MINUTE + 30 * SECOND,
    want: tooLate,
    says: 'rolled back Deployment shop/checkout to revision 1, but the verification did not finish in time',
  },
  {
    name: '[RR-184] long after the global limit',
    reason: 'the clock of the whole stands still here',
    status: { ...verifying, startTime: ago(2 * HOUR) },
    seen: judged({ phase: 'Assessing' }),
    atMs: 29 * MINUTE,
    want: stays,
  },
];

describe('Verifying', () => {
  test.each(ends)('$name: $reason', (row) => expectDecision({ status: verifying, ...row }));

  test('[RR-195] running out of time leaves timeoutPhase empty', () => {
    const seen = { ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), assessment: value(anAssessment({ phase: 'Assessing' })) };
    expect(decide(seen, at(HOUR)).status).not.toHaveProperty('timeoutPhase');
  });

  test('it is ordered as one of Verifying', () => {
    const seen = { ...onlyRequest(aRequest(withoutAssessment), DEFAULT_SETTINGS), assessment: ABSENT, target: value(aDeployment()) };
    expect(decide(seen, NOW).effects).toMatchObject([{ object: { spec: { remediationRequestPhase: 'Verifying' } } }]);
  });

  test('a failed assessment is reported as failed', () => {
    const seen = {
      ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS),
      ...judged({ phase: 'Failed', components: { alertAssessed: true } }),
    };
    const { conditions } = decide(seen, NOW).status as RemediationStatus;
    expect(getCondition(conditions, 'EffectivenessAssessed')).toMatchObject({ status: 'False', reason: 'AssessmentFailed', message: '' });
  });

  test.each([
    ['TargetGone', { healthAssessed: true, healthScore: 0 }],
    ['AssessmentFailed', {}],
  ])('an assessment that failed is %s with the components %j: what could not be read may exist', (reason, components) => {
    const assessed = judged({ phase: 'Failed', assessmentReason: 'Unrecoverable', components });
    const { conditions } = decide({ ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), ...assessed }, NOW).status as RemediationStatus;
    expect(getCondition(conditions, 'EffectivenessAssessed')).toMatchObject({ status: 'False', reason });
  });

  test('[EM-239] where nothing could be measured it is Remediated, and says in message and condition that it is not verified (ruling 113)', () => {
    const components = { hashComputed: true, healthAssessed: true, alertAssessed: true, metricsAssessed: true };
    const message = 'the target has no pods of its own';
    const seen = { ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), ...judged({ ...well, message, components }) };
    const { outcome, message: says, conditions, nextAllowedExecution } = decide(seen, NOW).status as RemediationStatus;
    expect({ outcome, says, nextAllowedExecution }).toEqual({
      outcome: 'Remediated',
      says: `rolled back Deployment shop/checkout to revision 1; ${message}; not verified: nothing could be measured, so look whether Deployment shop/checkout works`,
      nextAllowedExecution: undefined,
    });
    expect(getCondition(conditions, 'Verified')).toMatchObject({ status: 'False', reason: 'NothingMeasured' });
  });

  test('where something was measured the condition says what', () => {
    const seen = { ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), ...judged(well) };
    const { conditions } = decide(seen, NOW).status as RemediationStatus;
    expect(getCondition(conditions, 'Verified')).toMatchObject({
      status: 'True',
      reason: 'Measured',
      message: 'verified from health only',
    });
  });

  test.each([
    ['read', true, 'AssessmentCompleted'],
    ['never read', false, 'AlertNotRead'],
  ])('an alert that was %s is told apart', (_, alertAssessed, reason) => {
    const components = { ...well.components, alertAssessed };
    const seen = { ...onlyRequest(aRequest(verifying), DEFAULT_SETTINGS), ...judged({ ...well, assessmentReason: 'Partial', components }) };
    const { conditions } = decide(seen, NOW).status as RemediationStatus;
    expect(getCondition(conditions, 'EffectivenessAssessed')).toMatchObject({ status: 'True', reason });
  });
});
