import { describe, expect, test } from 'vitest';
import { phaseNames } from '../phases.ts';
import { remediationPhases } from './phases.ts';
import type { RemediationRequest } from './remediation-request.ts';
import { BLOCK_REASONS, OUTCOMES } from './status.ts';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { FIRST, requestName } from './request-name.ts';
import { fingerprintStateOf } from './fingerprint-state.ts';

const NOW = new ManualClock().now();
const NOW_4H = { now: NOW, chainIntervalMs: 4 * HOUR };
const PRINT = 'a'.repeat(64);
const LATER = toTime(after(NOW, MINUTE));
const EARLIER = toTime(after(NOW, -MINUTE));

const aRequest = (status: RemediationRequest['status'], metadata: object = {}): RemediationRequest =>
  anObject('RemediationRequest', { metadata: { uid: 'uid-1', ...metadata }, status });

const terminal = phaseNames(remediationPhases).filter((phase) => remediationPhases.terminal.includes(phase));
const active = phaseNames(remediationPhases).filter((phase) => !terminal.includes(phase));

describe('a request that is at work', () => {
  test.each([undefined, {}, ...active.map((overallPhase) => ({ overallPhase }))])('[CO-017] stands in the way: %j', (status) => {
    const request = aRequest(status);
    expect(fingerprintStateOf(PRINT, [request], NOW_4H)).toEqual({ kind: 'active', request });
  });

  test.each(BLOCK_REASONS)('[CO-016, RR-119] is one that is Blocked by %s', (blockReason) =>
    expect(fingerprintStateOf(PRINT, [aRequest({ overallPhase: 'Blocked', blockReason })], NOW_4H).kind).toBe('active'),
  );

  describe('that an ineffective chain holds back', () => {
    const since = (ms: number) =>
      aRequest({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain', blockedStartTime: toTime(after(NOW, -ms)) });

    test.each([0, MINUTE, 4 * HOUR - SECOND])('[CO-027, RR-113, RR-119] stands in the way for 4 h: %d ms', (ms) =>
      expect(fingerprintStateOf(PRINT, [since(ms)], NOW_4H).kind).toBe('active'),
    );

    test.each([4 * HOUR, 5 * HOUR])('[CO-028, RR-119] and no longer: the next signal opens a request, after %d ms', (ms) => {
      const request = since(ms);
      expect(fingerprintStateOf(PRINT, [request], NOW_4H)).toEqual({ kind: 'free', name: requestName(PRINT, request.metadata.uid) });
    });

    test('[RR-119] for as long as the setting says', () =>
      expect(fingerprintStateOf(PRINT, [since(4 * HOUR)], { now: NOW, chainIntervalMs: 5 * HOUR }).kind).toBe('active'));

    test('and no other reason loses its hold with time', () =>
      expect(
        fingerprintStateOf(
          PRINT,
          [aRequest({ overallPhase: 'Blocked', blockReason: 'UnmanagedResource', blockedStartTime: toTime(after(NOW, -9 * HOUR)) })],
          NOW_4H,
        ).kind,
      ).toBe('active'));
  });

  test('is the oldest of several, so that all signals join the same one', () => {
    const older = aRequest({}, { uid: 'z', creationTimestamp: '2026-11-15T02:00:00Z' });
    const younger = aRequest({}, { uid: 'a', creationTimestamp: '2026-11-15T02:30:00Z' });
    expect(fingerprintStateOf(PRINT, [younger, older], NOW_4H)).toEqual({ kind: 'active', request: older });
  });

  test('counts for more than a finished one that suppresses', () => {
    const request = aRequest({ overallPhase: 'Pending' }, { uid: 'uid-2' });
    const done = aRequest({ overallPhase: 'Failed', nextAllowedExecution: LATER });
    expect(fingerprintStateOf(PRINT, [done, request], NOW_4H)).toEqual({ kind: 'active', request });
  });
});

describe('a finished request', () => {
  test.each(terminal)('[CO-018] does not by itself stand in the way: %s', (overallPhase) =>
    expect(fingerprintStateOf(PRINT, [aRequest({ overallPhase })], NOW_4H).kind).toBe('free'),
  );

  test.each(terminal)('[CO-021, CO-024] suppresses until the moment it names: %s', (overallPhase) => {
    const request = aRequest({ overallPhase, nextAllowedExecution: LATER });
    expect(fingerprintStateOf(PRINT, [request], NOW_4H)).toEqual({ kind: 'suppressing', request, until: LATER });
  });

  test.each([EARLIER, toTime(NOW), 'never'])('does not suppress any more, or by what is no time: %s', (nextAllowedExecution) =>
    expect(fingerprintStateOf(PRINT, [aRequest({ overallPhase: 'Completed', nextAllowedExecution })], NOW_4H).kind).toBe('free'),
  );

  test.each(OUTCOMES.flatMap((outcome) => [true, false].map((requiresManualReview) => ({ outcome, requiresManualReview }))))(
    '[CO-026] suppresses by nothing else: %j',
    (more) =>
      expect(
        fingerprintStateOf(
          PRINT,
          [aRequest({ overallPhase: 'Completed', blockReason: 'ConsecutiveFailures', blockedUntil: LATER, ...more })],
          NOW_4H,
        ).kind,
      ).toBe('free'),
  );

  test('is the one that suppresses longest', () => {
    const short = aRequest({ overallPhase: 'Failed', nextAllowedExecution: LATER });
    const long = aRequest({ overallPhase: 'Failed', nextAllowedExecution: toTime(after(NOW, 2 * MINUTE)) });
    expect(fingerprintStateOf(PRINT, [short, long, aRequest({ overallPhase: 'Completed' })], NOW_4H)).toMatchObject({ request: long });
  });
});

describe('the name of the next request', () => {
  const done = { overallPhase: 'Completed' } as const;
  const nameAfter = (uid: string) => ({ kind: 'free', name: requestName(PRINT, uid) });

  test('of a new problem is the first', () => expect(fingerprintStateOf(PRINT, [], NOW_4H)).toEqual(nameAfter(FIRST)));

  test('follows the youngest, also when older ones have been deleted', () => {
    const older = aRequest(done, { uid: 'z', name: 'rr-1', creationTimestamp: '2026-11-15T02:00:00Z' });
    const younger = aRequest(done, { uid: 'a', name: 'rr-2', creationTimestamp: '2026-11-15T02:30:00Z' });
    expect(fingerprintStateOf(PRINT, [younger, older], NOW_4H)).toEqual(nameAfter('a'));
    expect(fingerprintStateOf(PRINT, [younger], NOW_4H)).toEqual(nameAfter('a'));
  });

  test.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('is not one that is taken, when both came in the same second: %s before %s', (first, second) => {
    const one = aRequest(done, { uid: first, name: requestName(PRINT, FIRST) });
    const other = aRequest(done, { uid: second, name: requestName(PRINT, first) });
    expect(fingerprintStateOf(PRINT, [one, other], NOW_4H)).toEqual(nameAfter(second));
    expect(fingerprintStateOf(PRINT, [other, one], NOW_4H)).toEqual(nameAfter(second));
  });
});
