import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { RemediationRequest } from './remediation-request.ts';
import { isSuppressed, longestSuppression } from './suppression.ts';

const NOW = new ManualClock().now();
const endedWith = (nextAllowedExecution?: string): RemediationRequest =>
  anObject('RemediationRequest', {
    metadata: { uid: 'uid-1' },
    status: { overallPhase: 'Failed', ...(nextAllowedExecution !== undefined && { nextAllowedExecution }) },
  });
const until = (ms: number) => toTime(after(NOW, ms));

describe('the suppression of a fingerprint', () => {
  test('is absent where no request names a moment', () => {
    expect(longestSuppression([])).toBeUndefined();
    expect(longestSuppression([endedWith(), endedWith('never')])).toBeUndefined();
    expect(isSuppressed(undefined, NOW)).toBe(false);
  });

  test('is the latest moment that any request names', () => {
    const longest = endedWith(until(2 * MINUTE));
    expect(longestSuppression([endedWith(until(MINUTE)), longest, endedWith()])).toEqual({
      request: longest,
      until: after(NOW, 2 * MINUTE),
    });
  });

  test('is by the first of two requests that name the same moment', () => {
    const first = endedWith(until(MINUTE));
    expect(longestSuppression([first, endedWith(until(MINUTE))])?.request).toBe(first);
  });

  test.each([
    [SECOND, true],
    [0, false],
    [-SECOND, false],
  ])('ends at the moment itself: %d ms before it new requests are suppressed: %s', (ms, want) =>
    expect(isSuppressed(longestSuppression([endedWith(until(ms))]), NOW)).toBe(want),
  );
});
