import { describe, expect, test } from 'vitest';
import { HOUR, instant, MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import type { RemediationStatus } from './status.ts';
import { ago, anAssessment, aRequest, at, NOW } from './testing/builders.ts';
import { deadlineIn, recordedLimits, timedOut, verificationDeadline } from './timeouts.ts';

const deadline = (phase: Parameters<typeof deadlineIn>[0], status: RemediationStatus) =>
  deadlineIn(phase, aRequest(status), DEFAULT_SETTINGS);

describe('deadlines', () => {
  const begun: RemediationStatus = {
    startTime: ago(0),
    processingStartTime: ago(0),
    analyzingStartTime: ago(0),
    executingStartTime: ago(0),
  };

  test.each([
    ['Pending', HOUR, 'global'],
    ['Processing', 5 * MINUTE, 'phase'],
    ['Analyzing', 10 * MINUTE, 'phase'],
    ['Executing', 30 * MINUTE, 'phase'],
  ] as const)('%s has its own limit', (phase, limitMs, scope) =>
    expect(deadline(phase, begun)).toEqual({ at: at(limitMs), limitMs, scope }),
  );

  test.each([
    ['Processing', { processing: '1m' }],
    ['Analyzing', { analyzing: '1m' }],
    ['Executing', { executing: '1m' }],
    ['Pending', { global: '1m' }],
  ] as const)('a limit on the request counts in %s', (phase, timeoutConfig) =>
    expect(deadline(phase, { ...begun, timeoutConfig }).at).toBe(at(MINUTE)),
  );

  test('the earlier of the two clocks counts', () => {
    const late = { ...begun, startTime: ago(HOUR - MINUTE) };
    expect(deadline('Executing', late)).toEqual({ at: at(MINUTE), scope: 'global', limitMs: HOUR });
  });

  test('on a tie it is the phase: it says more', () =>
    expect(deadline('Analyzing', { ...begun, startTime: ago(50 * MINUTE) })).toMatchObject({ at: at(10 * MINUTE), scope: 'phase' }));

  test('without a start the clock runs from the creation', () => expect(deadline('Analyzing', {}).at).toBe(at(10 * MINUTE)));

  test.each(['0s', '-5m', 'soon', ''])('a limit of %j is none', (analyzing) =>
    expect(deadline('Analyzing', { ...begun, timeoutConfig: { analyzing } }).at).toBe(at(10 * MINUTE)),
  );

  test('an object without any time is late, not eternal', () => {
    const request = aRequest({});
    const undated = { ...request, metadata: { ...request.metadata, creationTimestamp: '' } };
    expect(deadlineIn('Pending', undated, DEFAULT_SETTINGS).at).toBe(instant(HOUR));
  });

  test('[RR-196] the limits that hold are put where a reader sees them', () =>
    expect(recordedLimits(undefined, DEFAULT_SETTINGS)).toEqual({
      global: '1h0m0s',
      processing: '5m0s',
      analyzing: '10m0s',
      awaitingApproval: '15m0s',
      executing: '30m0s',
      verifying: '30m0s',
    }));
});

describe('verification', () => {
  const until = (status: RemediationStatus, validityDeadline?: string) =>
    verificationDeadline(
      aRequest(status),
      DEFAULT_SETTINGS,
      validityDeadline === undefined ? undefined : anAssessment({ validityDeadline }),
    );

  test('has its own limit from its start', () => expect(until({ verifyingStartTime: ago(MINUTE) })).toBe(at(29 * MINUTE)));

  test('waits for an assessment that takes longer, and a moment more', () =>
    expect(until({ verifyingStartTime: ago(0) }, ago(-40 * MINUTE))).toBe(at(40 * MINUTE + 30 * SECOND)));

  test('does not end earlier for an assessment that is quick', () =>
    expect(until({ verifyingStartTime: ago(0) }, ago(-MINUTE))).toBe(at(30 * MINUTE)));

  test('a recorded deadline is never shortened', () =>
    expect(until({ verifyingStartTime: ago(0), verificationDeadline: ago(-HOUR) })).toBe(at(HOUR)));

  test('a limit on the request counts', () =>
    expect(until({ verifyingStartTime: ago(0), timeoutConfig: { verifying: '5m' } })).toBe(at(5 * MINUTE)));

  // Three minutes until the change has arrived, five to settle, one and a half until the alert may be looked at, and half an hour for all
  // of it.
  test('what is no time is ignored', () => expect(until({ verifyingStartTime: ago(0) }, 'later')).toBe(at(39.5 * MINUTE + 30 * SECOND)));
});

describe('running out of time', () => {
  test('says whose time it was', () => {
    const phase = timedOut('Executing', { at: NOW, scope: 'phase', limitMs: 30 * MINUTE }, 'it was slow');
    const global = timedOut('Executing', { at: NOW, scope: 'global', limitMs: HOUR }, 'it was slow');
    expect(phase.message).toBe('Executing did not finish within 30m0s: it was slow');
    expect(global.message).toBe('the remediation did not finish within 1h0m0s: it was slow');
    expect(global.status).toEqual({ timeoutPhase: 'Executing', timeoutTime: ago(0) });
  });
});
