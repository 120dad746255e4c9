import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phaseNames } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { ALERT_NOT_READ, recordFailure, consecutiveFailures, failureMarkOf, suppressionSinceSuccess } from './failure-history.ts';
import { NOTHING_MEASURED, VERIFIED } from '../verification/verified-condition.ts';
import { ago, aRequest, at, ended, failed, NOW, remediated, ROUTING } from './testing/builders.ts';

const failOpen = (name: string, agoMs: number): RemediationRequest =>
  remediated(name, agoMs, {
    conditions: [{ type: 'EffectivenessAssessed', status: 'True', reason: ALERT_NOT_READ, message: '', lastTransitionTime: ago(agoMs) }],
  });

/** Remediated, and a condition says of something that it was not read. */
const unread = (type: string): RemediationRequest =>
  remediated('a', 0, {
    conditions: ['Ready', type].map((one) => ({
      type: one,
      status: 'True',
      reason: one === 'Ready' ? 'Remediated' : ALERT_NOT_READ,
      message: '',
      lastTransitionTime: ago(0),
    })),
  });

/** It ended with this outcome, and neither health nor the alert nor metrics could be measured. */
const unmeasured = (name: string, agoMs: number, outcome: 'Remediated' | 'Inconclusive' = 'Remediated'): RemediationRequest =>
  ended(name, agoMs, {
    overallPhase: 'Completed',
    outcome,
    conditions: [{ type: VERIFIED, status: 'False', reason: NOTHING_MEASURED, message: '', lastTransitionTime: ago(agoMs) }],
  });

describe('how an end counts', () => {
  const cases: readonly { readonly row: string; readonly request: RemediationRequest; readonly want: string }[] = [
    { row: '[RR-231] Failed', request: failed('a', 0), want: 'failure' },
    { row: '[RR-231] Failed, the approval was rejected', request: failed('a', 0, { failurePhase: 'Approval' }), want: 'failure' },
    { row: '[RR-231] Failed, without saying where', request: ended('a', 0, { overallPhase: 'Failed' }), want: 'failure' },
    { row: '[RR-110, RR-232] Failed because its block expired', request: failed('a', 0, { failurePhase: 'Blocked' }), want: 'neither' },
    { row: '[RR-233] Failed as a duplicate', request: failed('a', 0, { failurePhase: 'Deduplicated' }), want: 'neither' },
    { row: '[RR-238] TimedOut', request: ended('a', 0, { overallPhase: 'TimedOut' }), want: 'failure' },
    { row: '[RR-238] Skipped', request: ended('a', 0, { overallPhase: 'Skipped' }), want: 'neither' },
    { row: '[RR-238] Cancelled', request: ended('a', 0, { overallPhase: 'Cancelled' }), want: 'neither' },
    {
      row: '[RR-238] VerificationTimedOut',
      request: ended('a', 0, { overallPhase: 'Completed', outcome: 'VerificationTimedOut' }),
      want: 'neither',
    },
    { row: '[RR-234] Inconclusive', request: ended('a', 0, { overallPhase: 'Completed', outcome: 'Inconclusive' }), want: 'failure' },
    { row: '[RR-235] Remediated', request: remediated('a', 0), want: 'reset' },
    { row: 'Remediated, and nothing was measured (ruling 113)', request: unmeasured('a', 0), want: 'neither' },
    {
      row: '[RR-234] Inconclusive, since the alert was never asked about, and nothing was measured',
      request: unmeasured('a', 0, 'Inconclusive'),
      want: 'failure',
    },
    { row: 'Remediated, although the alert was not read', request: failOpen('a', 0), want: 'neither' },
    {
      row: 'Remediated, although the alert was not read, among other conditions',
      request: unread('EffectivenessAssessed'),
      want: 'neither',
    },
    { row: 'Remediated, and something else was not read', request: unread('SomethingElse'), want: 'reset' },
    {
      row: '[RR-236] NoActionRequired',
      request: ended('a', 0, { overallPhase: 'Completed', outcome: 'NoActionRequired' }),
      want: 'neither',
    },
    {
      row: '[RR-174, RR-237] ManualReviewRequired',
      request: ended('a', 0, { overallPhase: 'Completed', outcome: 'ManualReviewRequired' }),
      want: 'neither',
    },
    { row: 'DryRun', request: ended('a', 0, { overallPhase: 'Completed', outcome: 'DryRun' }), want: 'neither' },
    { row: 'Completed, without an outcome', request: ended('a', 0, { overallPhase: 'Completed' }), want: 'neither' },
    {
      row: 'taken over from the original, which stands in the history itself',
      request: ended('a', 0, { overallPhase: 'Completed', outcome: 'Inconclusive', duplicateOf: 'b' }),
      want: 'neither',
    },
    {
      row: 'Blocked after its own failure',
      request: failed('a', 0, { overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures' }),
      want: 'failure',
    },
    { row: 'Blocked before anything was tried', request: aRequest('a', { overallPhase: 'Blocked' }), want: 'neither' },
    { row: 'new', request: aRequest('a'), want: 'neither' },
  ];
  test.each(cases)('$row: $want', ({ request, want }) => expect(failureMarkOf(request)).toBe(want));

  test.each(phaseNames(remediationPhases).filter((phase) => !remediationPhases.terminal.includes(phase)))(
    'one that is at work does not: %s',
    (overallPhase) => expect(failureMarkOf(aRequest('a', { overallPhase }))).toBe('neither'),
  );
});

describe('failures in a row', () => {
  const count = (...requests: readonly RemediationRequest[]): number => consecutiveFailures(requests, NOW);
  const reviewed = ended('m', 15 * MINUTE, { overallPhase: 'Completed', outcome: 'ManualReviewRequired' });
  const nothingDone = ended('n', 15 * MINUTE, { overallPhase: 'Completed', outcome: 'NoActionRequired' });

  test('of a fingerprint without a history are none', () => expect(count()).toBe(0));

  test('[RR-240] are counted over all requests of the fingerprint', () =>
    expect(count(failed('a', 3 * MINUTE), failed('b', 2 * MINUTE), aRequest('new'))).toBe(2));

  test('[RR-235] start again after Remediated', () => {
    expect(count(failed('a', 30 * MINUTE), failed('b', 20 * MINUTE), remediated('c', 15 * MINUTE))).toBe(0);
    expect(count(failed('a', 30 * MINUTE), remediated('c', 15 * MINUTE), failed('b', 10 * MINUTE))).toBe(1);
  });

  test('continue after a Remediated whose alert was not read', () =>
    expect(count(failed('a', 30 * MINUTE), failOpen('c', 15 * MINUTE), failed('b', 10 * MINUTE))).toBe(2));

  test('continue after one that nothing was measured of (ruling 113)', () =>
    expect(count(failed('a', 30 * MINUTE), unmeasured('c', 15 * MINUTE), failed('b', 10 * MINUTE))).toBe(2));

  test('[RR-236] go on after NoActionRequired', () =>
    expect(count(failed('a', 30 * MINUTE), failed('b', 20 * MINUTE), nothingDone, failed('c', MINUTE))).toBe(3));

  test('[RR-237] go on after ManualReviewRequired, which does not count itself', () => {
    expect(count(failed('a', 30 * MINUTE), failed('b', 20 * MINUTE), reviewed)).toBe(2);
    expect(count(failed('a', 30 * MINUTE), failed('b', 20 * MINUTE), reviewed, failed('c', MINUTE))).toBe(3);
  });

  test('[RR-238] go on after what neither counts nor resets', () => {
    const between = (['Skipped', 'Cancelled'] as const).map((overallPhase) => ended(overallPhase, 15 * MINUTE, { overallPhase }));
    expect(count(failed('a', 30 * MINUTE), ...between, ended('b', MINUTE, { overallPhase: 'TimedOut' }))).toBe(2);
  });

  test('are ordered by when they ended, not by that of the list; of one second, by age', () => {
    const both = [remediated('a', 0), failed('b', 0)];
    expect(consecutiveFailures(both, NOW)).toBe(consecutiveFailures(both.toReversed(), NOW));
    expect(count(...both), 'of one second and one age, by name').toBe(1);
    const older = { ...failed('z', 0), metadata: { ...failed('z', 0).metadata, creationTimestamp: ago(HOUR) } };
    expect(count(older, remediated('a', 0))).toBe(0);
    const younger = { ...failed('a', 0), metadata: { ...failed('a', 0).metadata, creationTimestamp: ago(0) } };
    expect(count(younger, remediated('z', 0))).toBe(1);
  });

  test('that say nothing about when they ended go by when they timed out, or were created', () => {
    const timedOut = aRequest('t', { overallPhase: 'TimedOut', timeoutTime: ago(MINUTE) });
    expect(count(timedOut, remediated('a', 2 * MINUTE))).toBe(1);
    expect(count(timedOut, remediated('a', 30 * SECOND))).toBe(0);
    expect(count(aRequest('f', { overallPhase: 'Failed' }), remediated('a', 2 * HOUR))).toBe(1);
  });

  test('do not depend on the order of the list', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray([failed('a', 1e6), reviewed, failOpen('f', 2e6), remediated('r', 3e6), failed('b', 4e6)]), (some) => {
        expect(consecutiveFailures(some, NOW)).toBe(consecutiveFailures(some.toReversed(), NOW));
        expect(suppressionSinceSuccess(some)?.until).toBe(suppressionSinceSuccess(some.toReversed())?.until);
      }),
    ));
});

describe('after the cooldown', () => {
  const three = [failed('a', 90 * MINUTE), failed('b', 80 * MINUTE)];
  const third = (untilMs: number, more: RemediationRequest['status'] = {}): RemediationRequest =>
    failed('c', 70 * MINUTE, {
      blockReason: 'ConsecutiveFailures',
      blockedStartTime: ago(70 * MINUTE),
      blockedUntil: toTime(at(untilMs)),
      ...more,
    });

  test('[RR-239] earlier failures no longer count, later ones do', () => {
    expect(consecutiveFailures([...three, third(-10 * MINUTE)], NOW)).toBe(0);
    expect(consecutiveFailures([...three, third(-10 * MINUTE), failed('d', MINUTE)], NOW)).toBe(1);
  });

  test('[RR-239] nor does the one that caused it, whenever its end was recorded', () =>
    expect(consecutiveFailures([...three, third(-10 * MINUTE, { completedAt: ago(5 * MINUTE) })], NOW)).toBe(0));

  test('while it lasts they count, up to its very last moment', () => {
    expect(consecutiveFailures([...three, third(MINUTE, { overallPhase: 'Blocked' })], NOW)).toBe(3);
    expect(consecutiveFailures([...three, third(0)], at(-SECOND))).toBe(3);
    expect(consecutiveFailures([...three, third(0)], NOW)).toBe(0);
  });

  test('a failure at the moment of its end counts', () =>
    expect(consecutiveFailures([...three, third(-10 * MINUTE), failed('d', 10 * MINUTE)], NOW)).toBe(1));

  test('of another reason nothing is forgiven', () =>
    expect(consecutiveFailures([...three, third(-10 * MINUTE, { blockReason: 'ExponentialBackoff' })], NOW)).toBe(3));

  test('the last of several counts', () => {
    const early = failed('z', 9 * HOUR, { failurePhase: 'Blocked', blockReason: 'ConsecutiveFailures', blockedUntil: ago(8 * HOUR) });
    expect(consecutiveFailures([early, ...three, third(-10 * MINUTE)], NOW)).toBe(0);
    expect(consecutiveFailures([early, ...three], NOW)).toBe(2);
  });
});

describe('until when a fingerprint is held back', () => {
  test('is the latest moment that an end named', () => {
    const short = failed('a', MINUTE, { nextAllowedExecution: toTime(at(MINUTE)) });
    const long = ended('b', 2 * MINUTE, {
      overallPhase: 'Completed',
      outcome: 'NoActionRequired',
      nextAllowedExecution: toTime(at(HOUR)),
    });
    expect(suppressionSinceSuccess([short, long])?.until).toBe(at(HOUR));
    expect(suppressionSinceSuccess([failed('c', 0), remediated('d', 0)])?.until).toBeUndefined();
    expect(suppressionSinceSuccess([])?.until).toBeUndefined();
  });

  test('[RR-235] what was named before a success no longer holds; after one whose alert was not read it does', () => {
    const before = failed('a', 10 * MINUTE, { nextAllowedExecution: toTime(at(MINUTE)) });
    expect(suppressionSinceSuccess([before, remediated('b', 5 * MINUTE)])?.until).toBeUndefined();
    expect(suppressionSinceSuccess([before, failOpen('b', 5 * MINUTE)])?.until).toBe(at(MINUTE));
  });

  test('one at work names nothing, but for the request itself', () => {
    const own = aRequest('a', { overallPhase: 'Pending', nextAllowedExecution: toTime(at(MINUTE)) });
    expect(suppressionSinceSuccess([own])?.until).toBeUndefined();
    expect(suppressionSinceSuccess([], own)?.until).toBe(at(MINUTE));
  });

  test('what is no time names nothing', () =>
    expect(suppressionSinceSuccess([failed('a', 0, { nextAllowedExecution: 'never' })])?.until).toBeUndefined());
});

describe('the failure of now', () => {
  test('[RR-230] is booked with the wait that its number brings', () => {
    expect(recordFailure([], NOW, ROUTING)).toEqual({ consecutiveFailureCount: 1, nextAllowedExecution: at(MINUTE) });
    expect(recordFailure([failed('a', HOUR)], NOW, ROUTING)).toEqual({ consecutiveFailureCount: 2, nextAllowedExecution: at(2 * MINUTE) });
  });

  test('[RR-145, RR-146] reaches the threshold with the third in a row, for an hour', () =>
    expect(recordFailure([failed('a', 2 * HOUR), failed('b', HOUR)], NOW, ROUTING)).toEqual({
      consecutiveFailureCount: 3,
      nextAllowedExecution: at(4 * MINUTE),
      blockedUntil: at(HOUR),
    }));
});

describe('a remediation that again does not convince', () => {
  const inconclusive = (name: string, agoMs: number): RemediationRequest =>
    ended(name, agoMs, { overallPhase: 'Completed', outcome: 'Inconclusive' });
  const before = (count: number): readonly RemediationRequest[] =>
    Array.from({ length: count }, (_, index) => inconclusive(`i${index}`, (count - index) * HOUR));
  /** With a threshold that lets a fourth one come about. */
  const patient = { ...ROUTING, consecutiveFailureThreshold: 100 };

  const waits: readonly { readonly row: string; readonly nth: number; readonly minutes: number }[] = [
    { row: '[EM-242] the 1st', nth: 1, minutes: 1 },
    { row: '[EM-243] the 2nd', nth: 2, minutes: 2 },
    { row: '[EM-244] the 3rd', nth: 3, minutes: 4 },
    { row: '[EM-245] the 4th', nth: 4, minutes: 8 },
    { row: '[EM-246] the 5th', nth: 5, minutes: 10 },
    { row: '[EM-246] the 6th', nth: 6, minutes: 10 },
    { row: '[EM-246] the 60th', nth: 60, minutes: 10 },
  ];
  test.each(waits)('$row in a row waits $minutes min', ({ nth, minutes }) =>
    expect(recordFailure(before(nth - 1), NOW, patient)).toEqual({
      consecutiveFailureCount: nth,
      nextAllowedExecution: at(minutes * MINUTE),
    }),
  );

  test('[EM-247] two of them do not hold the signal back, three do', () => {
    expect(recordFailure(before(1), NOW, ROUTING).blockedUntil).toBeUndefined();
    expect(recordFailure(before(2), NOW, ROUTING).blockedUntil).toBe(at(HOUR));
  });

  test('counts together with failures of other kinds', () =>
    expect(consecutiveFailures([failed('f', 3 * HOUR), ...before(2)], NOW)).toBe(3));

  const between: readonly { readonly row: string; readonly end: RemediationRequest; readonly count: number }[] = [
    { row: '[EM-248] Remediated resets the count', end: remediated('r', 30 * MINUTE), count: 1 },
    { row: '[EM-248] Remediated without a read alert does not reset it', end: failOpen('r', 30 * MINUTE), count: 3 },
    {
      row: 'VerificationTimedOut does not',
      end: ended('r', 30 * MINUTE, { overallPhase: 'Completed', outcome: 'VerificationTimedOut' }),
      count: 3,
    },
  ];
  test.each(between)('$row', ({ end, count }) =>
    expect(recordFailure([...before(2), end], NOW, patient).consecutiveFailureCount).toBe(count),
  );
});
