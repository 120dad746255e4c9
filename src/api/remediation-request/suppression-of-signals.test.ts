import { describe, expect, test } from 'vitest';
import { after, HOUR, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { RemediationRequest } from './remediation-request.ts';
import { longestSuppression, type Arrival } from './suppression.ts';

const NOW = new ManualClock().now();
type Status = NonNullable<RemediationRequest['status']>;

const CRASHES = { name: 'KubePodCrashLooping', severity: 'warning' };
const TARGET = { uid: 'u1', generation: 3, specHash: `sha256:${'a'.repeat(64)}` };

const judged = (status: Partial<Status> = {}): RemediationRequest =>
  anObject('RemediationRequest', {
    metadata: { uid: 'uid-1' },
    spec: { signalName: CRASHES.name, severity: CRASHES.severity },
    status: {
      overallPhase: 'Completed',
      outcome: 'NoActionRequired',
      nextAllowedExecution: toTime(after(NOW, HOUR)),
      suppression: { signals: [CRASHES], target: TARGET },
      ...status,
    },
  });

const isHeldBack = (request: RemediationRequest, arrival: Arrival): boolean => longestSuppression([request], arrival) !== undefined;

describe.each(['NoActionRequired', 'ManualReviewRequired'] as const)('after %s', (outcome) => {
  test.each([
    ['the same alert', { signals: [CRASHES] }, true],
    ['the same alert, less severe', { signals: [{ ...CRASHES, severity: 'info' }] }, true],
    ['the same alert in other words', { signals: [{ ...CRASHES, severity: 'medium' }] }, true],
    ['the same alert, more severe', { signals: [{ ...CRASHES, severity: 'critical' }] }, false],
    ['another alert on the same target', { signals: [{ name: 'HighErrorRate', severity: 'info' }] }, false],
    ['the same alert together with another', { signals: [CRASHES, { name: 'HighErrorRate', severity: 'info' }] }, false],
    ['the same alert, the target as it was', { signals: [CRASHES], target: { ...TARGET } }, true],
    ['the same alert, the target not read', { signals: [CRASHES], target: {} }, true],
    ['the same alert, the target changed or scaled', { signals: [CRASHES], target: { uid: 'u1', generation: 4 } }, false],
    [
      'the same alert, a ConfigMap of the target changed',
      { signals: [CRASHES], target: { uid: 'u1', generation: 3, specHash: 'b' } },
      false,
    ],
    ['the same alert, the target replaced', { signals: [CRASHES], target: { uid: 'u2', generation: 3 } }, false],
  ])('%s', (_, arrival, want) => expect(isHeldBack(judged({ outcome }), arrival)).toBe(want));

  test('and every alert is suppressed where none is given', () => expect(longestSuppression([judged({ outcome })])).toBeDefined());

  test('and what no status records is judged by the signal that opened the request', () => {
    const { suppression: _, ...status } = judged({ outcome }).status ?? {};
    const old = { ...judged(), status };
    expect(isHeldBack(old, { signals: [CRASHES] })).toBe(true);
    expect(isHeldBack(old, { signals: [{ name: 'HighErrorRate', severity: 'info' }] })).toBe(false);
  });
});

test.each([
  { overallPhase: 'Failed', outcome: 'ManualReviewRequired' },
  { overallPhase: 'Failed' },
  { overallPhase: 'Skipped' },
  { overallPhase: 'Completed', outcome: 'Inconclusive' },
] as const)('after $overallPhase $outcome the whole fingerprint is suppressed', (status) =>
  expect(isHeldBack(judged(status), { signals: [{ name: 'HighErrorRate', severity: 'critical' }], target: { generation: 9 } })).toBe(true),
);
