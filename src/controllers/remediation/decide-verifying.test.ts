import { describe, expect, test } from 'vitest';
import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { specHash } from '../target/index.ts';
import { decide } from './decide.ts';
import { onlyRequest, type RemediationSeen } from './observe.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAssessment,
  anExecution,
  aRequest,
  assessed,
  at,
  NOW,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
  verifying,
} from './testing/builders.ts';
import { judgeCase, type Case } from './testing/judge-case.ts';

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
const judged = (status: EffectivenessAssessment['status']) => ({ assessment: value(anAssessment(status)), execution: value(rolledBack) });

const begins: readonly Case[] = [
  {
    name: '[RR-092, RR-204] no child, and none on record',
    reason: 'it is created',
    seen: { assessment: ABSENT, target: value(aDeployment({ replicas: 3 })) },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'the target is gone',
    reason: 'that is for the assessment to find',
    seen: { assessment: ABSENT, target: ABSENT },
    want: stays,
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: 'the target unreadable',
    reason: 'the spec as the workflow left it is what drift is measured from',
    seen: { assessment: ABSENT, target: UNREADABLE },
    want: stays,
  },
  {
    name: 'the target unreadable to the end',
    reason: 'nobody waits for ever',
    seen: { assessment: ABSENT, target: UNREADABLE },
    atMs: 30 * MINUTE,
    want: tooLate,
  },
  { name: 'unreadable', reason: 'not known is not absent', seen: { assessment: UNREADABLE }, atMs: HOUR, want: stays },
  {
    name: 'the child is seen',
    reason: 'its UID goes on record',
    seen: { assessment: value(anAssessment()) },
    want: { ...stays, effectivenessAssessmentRef: { name: 'ea-rr', uid: 'ea-rr-uid' }, verificationDeadline: toTime(at(30 * MINUTE)) },
  },
  {
    name: "somebody else's",
    reason: 'there is only one way out of here',
    seen: { assessment: value(anAssessment(well, SOMEBODY_ELSES)) },
    want: inconclusive,
    says: 'EffectivenessAssessment ea-rr is not of this request',
  },
];

const ends: readonly Case[] = [
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
    name: '[RR-101] well',
    reason: 'the message says what was done and what was found',
    seen: judged(well),
    want: { overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(0) },
    says: 'rolled back Deployment shop/checkout to revision 1; 2 of 2 pods ready; score 1.00',
  },
  {
    name: 'well, and seen late',
    reason: 'an end in time counts, whenever it is seen',
    seen: judged(well),
    atMs: 3 * HOUR,
    want: { overallPhase: 'Completed', outcome: 'Remediated' },
  },
  {
    name: 'ill',
    reason: 'a target that is known to be ill is never called remediated',
    seen: judged({ ...well, message: '0 of 2 pods ready', components: { ...well.components, healthScore: 0 } }),
    want: inconclusive,
    says: 'whether it helped is open: the target is not well; 0 of 2 pods ready; score 0.00. Look at Deployment shop/checkout',
  },
  {
    name: '[RR-102] the assessment failed',
    reason: 'missing data is no success',
    seen: judged({ phase: 'Failed', assessmentReason: 'Unrecoverable', message: 'the target is gone' }),
    want: inconclusive,
    says: 'the assessment could not be made; the target is gone',
  },
  {
    name: 'the assessment is gone',
    reason: 'what it found nobody knows',
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
    reason: 'half an hour is not over',
    seen: judged({ phase: 'Assessing' }),
    atMs: 30 * MINUTE - 1,
    want: stays,
  },
  {
    name: '[RR-027, RR-103] at the deadline',
    reason: 'never TimedOut: something was done, and it is only not known whether it helped',
    seen: judged({ phase: 'Assessing' }),
    atMs: 30 * MINUTE,
    want: tooLate,
    says: 'rolled back Deployment shop/checkout to revision 1, but whether it helped was not known in time',
  },
  {
    name: '[RR-184] long after the global limit',
    reason: 'the clock of the whole stands still here',
    status: { ...assessed, startTime: ago(2 * HOUR) },
    seen: judged({ phase: 'Assessing' }),
    atMs: 29 * MINUTE,
    want: stays,
  },
];

const draftFrom = (target: RemediationSeen['target']) => {
  const { effects } = decide({ ...onlyRequest(aRequest(verifying)), assessment: ABSENT, target }, NOW, DEFAULT_SETTINGS);
  return (effects[0] as { readonly object?: { readonly spec: EffectivenessAssessment['spec'] } } | undefined)?.object?.spec;
};

describe('Verifying', () => {
  test.each(begins)('$name: $reason', (row) => judgeCase({ status: verifying, ...row }));
  test.each(ends)('on record, $name: $reason', (row) => judgeCase({ status: assessed, ...row }));

  test('[RR-195] running out of time leaves timeoutPhase empty', () => {
    const seen = { ...onlyRequest(aRequest(assessed)), assessment: value(anAssessment({ phase: 'Assessing' })) };
    expect(decide(seen, at(HOUR), DEFAULT_SETTINGS).status).not.toHaveProperty('timeoutPhase');
  });

  test('drift is measured from the spec as the workflow left it', () => {
    const left = aDeployment({ replicas: 3 });
    expect(draftFrom(value(left))?.appliedSpecHash).toBe(specHash(left));
  });

  test.each([
    ['gone', ABSENT],
    ['replaced by another of the same name', value(aDeployment({ replicas: 2 }, { uid: 'another' }))],
  ])('a target that is %s has left nothing to measure from', (_, target) =>
    expect(draftFrom(target as RemediationSeen['target'])).not.toHaveProperty('appliedSpecHash'),
  );

  test('the assessment is about the resource that was changed', () => {
    const { kind, name, namespace, apiVersion } = TARGET;
    expect(draftFrom(ABSENT)?.remediationTarget).toEqual({ kind, name, namespace, apiVersion });
  });
});
