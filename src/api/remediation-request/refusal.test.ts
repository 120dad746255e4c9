import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { fingerprintStateOf } from './fingerprint-state.ts';
import type { RemediationRequest } from './remediation-request.ts';

const NOW = new ManualClock().now();
const IN_4H = toTime(after(NOW, 4 * HOUR));
const SOON = toTime(after(NOW, MINUTE));
const CRASHES = 'KubePodCrashLooping';

const refused = (until: string, more: RemediationRequest['status'] = {}): RemediationRequest =>
  anObject('RemediationRequest', {
    metadata: { uid: 'uid-1' },
    spec: { signalName: CRASHES },
    status: { overallPhase: 'Failed', refusal: { by: 'alex', until }, ...more },
  });

const stateFor = (signalName: string | undefined, ...requests: readonly RemediationRequest[]) =>
  fingerprintStateOf('a'.repeat(64), requests, {
    now: NOW,
    chainIntervalMs: 4 * HOUR,
    ...(signalName !== undefined && { signal: { name: signalName, severity: 'critical' } }),
  });

describe('a request that a person refused', () => {
  test('suppresses its alert until then, and names the person', () => {
    const request = refused(IN_4H);
    expect(stateFor(CRASHES, request)).toEqual({ kind: 'suppressing', request, until: IN_4H, refusedBy: 'alex' });
  });

  test('counts before a shorter back-off after the same failure', () => {
    const request = refused(IN_4H, { nextAllowedExecution: SOON });
    expect(stateFor(CRASHES, request)).toMatchObject({ until: IN_4H, refusedBy: 'alex' });
  });

  test('suppresses every alert that it stands for', () => {
    const alerts = [{ name: 'KubePodNotReady', instance: '1', lastSeenAt: toTime(NOW) }];
    expect(stateFor('KubePodNotReady', refused(IN_4H, { deduplication: { alerts } })).kind).toBe('suppressing');
  });

  test('does not suppress another alert on the same target, which may lead to another plan', () =>
    expect(stateFor('KubePodNotReady', refused(IN_4H)).kind).toBe('free'));

  test('does not suppress what is no alert', () => expect(stateFor(undefined, refused(IN_4H)).kind).toBe('free'));

  test.each([toTime(NOW), toTime(after(NOW, -MINUTE)), 'never'])('suppresses nothing once it has ended: %s', (until) =>
    expect(stateFor(CRASHES, refused(until)).kind).toBe('free'),
  );

  test('that is the longest of several counts', () => {
    const longest = refused(IN_4H);
    expect(stateFor(CRASHES, refused(SOON), longest, refused(SOON))).toMatchObject({ request: longest });
  });

  test('an open request comes first', () => {
    const open = anObject<RemediationRequest>('RemediationRequest', { metadata: { uid: 'uid-2' }, status: { overallPhase: 'Pending' } });
    expect(stateFor(CRASHES, refused(IN_4H), open).kind).toBe('active');
  });
});
