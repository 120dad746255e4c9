import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { anEarlyEvidence } from '../routing/testing/builders.ts';
import {
  ABSENT,
  ago,
  aProcessing,
  aRequest,
  at,
  HEALTHY,
  NOW,
  pending,
  RESOLVED,
  SOMEBODY_ELSES,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const cases: readonly DecisionCase[] = [
  {
    name: '[RR-006] a new request',
    reason: 'every request starts in Pending, with its clock and its limits recorded',
    want: {
      overallPhase: 'Pending',
      startTime: ago(0),
      observedGeneration: 1,
      signalTargetDisplay: 'Deployment/checkout',
      timeoutConfig: { global: '1h0m0s', processing: '5m0s', analyzing: '10m0s', executing: '30m0s', verifying: '30m0s' },
    },
    says: 'KubePodCrashLooping on Deployment shop/checkout',
  },
  {
    name: '[RR-197] limits that are there already',
    reason: 'this request has a longer limit of its own',
    status: { timeoutConfig: { analyzing: '20m' } },
    want: { overallPhase: 'Pending', timeoutConfig: { analyzing: '20m', processing: '5m0s' } },
  },
  {
    name: 'what the gateway has written',
    reason: 'the status is not ours alone',
    status: { deduplication: { occurrenceCount: 3 } },
    want: { overallPhase: 'Pending', deduplication: { occurrenceCount: 3 } },
  },
  {
    name: '[RR-008, RR-064, RR-199] no child, all checks pass',
    reason: 'the child is created first; the phase follows when it is there',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence() },
    want: { overallPhase: 'Pending' },
    effects: ['Create SignalProcessing sp-rr'],
  },
  {
    name: '[RR-008, RR-065, RR-066] the child is there',
    reason: 'phase, reference and clock are recorded in the same step',
    status: pending,
    seen: { processing: value(aProcessing()) },
    want: {
      overallPhase: 'Processing',
      processingStartTime: ago(0),
      signalProcessingRef: { kind: 'SignalProcessing', name: 'sp-rr', namespace: 'sickbay-system', uid: 'sp-rr-uid' },
    },
    says: 'reading what Deployment shop/checkout is and how much it matters',
  },
  {
    name: 'the child is there, and a check would object now',
    reason: 'it was created after all of them had passed',
    status: pending,
    seen: { processing: value(aProcessing()), evidence: anEarlyEvidence({ scope: { kind: 'out', message: 'not managed' } }) },
    want: { overallPhase: 'Processing' },
  },
  {
    name: '[RR-007, RR-060, RR-061] a check objects',
    reason: 'nothing is created',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence({ scope: { kind: 'out', message: 'label it' } }) },
    want: {
      overallPhase: 'Blocked',
      blockReason: 'UnmanagedResource',
      blockMessage: expect.stringContaining('label it') as string,
      blockedStartTime: ago(0),
    },
  },
  {
    name: 'a check cannot be made',
    reason: 'not known is not passed',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence({ scope: UNREADABLE }) },
    want: { overallPhase: 'Pending' },
    wakesAtMs: 5 * SECOND,
  },
  {
    name: 'a check cannot be made, right before the global limit',
    reason: 'it is not looked at later than that',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence({ scope: UNREADABLE }) },
    atMs: HOUR - 2 * SECOND,
    want: { overallPhase: 'Pending' },
    wakesAtMs: HOUR,
  },
  {
    name: 'a check objects at the global limit',
    reason: 'its time is over: it does not begin to wait',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence({ scope: { kind: 'out', message: 'label it' } }) },
    atMs: HOUR,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Pending' },
  },
  {
    name: 'what the checks judge was not read',
    reason: 'not known is not passed',
    status: pending,
    seen: { processing: ABSENT },
    want: { overallPhase: 'Pending' },
  },
  {
    name: 'the child unreadable',
    reason: 'not known is not absent',
    status: pending,
    seen: { processing: UNREADABLE },
    atMs: 2 * HOUR,
    want: { overallPhase: 'Pending' },
  },
  {
    name: 'the child is foreign',
    reason: 'Failed cannot follow Pending; it does follow Processing',
    status: pending,
    seen: { processing: value(aProcessing({}, SOMEBODY_ELSES)) },
    want: { overallPhase: 'Processing' },
    says: "SignalProcessing sp-rr has the name of this request's SignalProcessing",
  },
  {
    name: 'one moment before the global limit',
    reason: 'an hour is not over',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence() },
    atMs: HOUR - SECOND,
    want: { overallPhase: 'Pending' },
    effects: ['Create SignalProcessing sp-rr'],
  },
  {
    name: '[RR-058, RR-191] at the global limit',
    reason: 'the clock of the whole request runs where no phase has one',
    status: pending,
    seen: { processing: ABSENT, evidence: anEarlyEvidence() },
    atMs: HOUR,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Pending', timeoutTime: ago(-HOUR), nextAllowedExecution: ago(-HOUR - MINUTE) },
    says: 'the remediation did not finish within 1h0m0s: its SignalProcessing could not be created',
  },
  {
    name: '[RR-183] at the global limit, some of it blocked',
    reason: 'time in Blocked does not count',
    status: { ...pending, blockedSeconds: 3 * 3600 },
    seen: { processing: ABSENT, evidence: anEarlyEvidence() },
    atMs: HOUR,
    want: { overallPhase: 'Pending' },
    effects: ['Create SignalProcessing sp-rr'],
  },
  {
    name: 'all alerts resolved',
    reason: 'what healed by itself is left alone, and nothing holds the next one off',
    status: {
      ...pending,
      deduplication: {
        alerts: [
          { name: 'A', instance: '1', lastSeenAt: ago(HOUR), resolvedAt: ago(HOUR) },
          { name: 'B', instance: '1', lastSeenAt: ago(5 * MINUTE), resolvedAt: ago(5 * MINUTE) },
        ],
      },
    },
    seen: { health: HEALTHY },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
    says: `A, B resolved at ${ago(5 * MINUTE)} before anything was done`,
  },
  {
    name: 'one alert still fires',
    reason: 'not all of it has healed',
    status: {
      ...pending,
      deduplication: {
        alerts: [
          { name: 'A', instance: '1', lastSeenAt: ago(0), resolvedAt: ago(0) },
          { name: 'A', instance: '2', lastSeenAt: ago(0) },
        ],
      },
    },
    seen: { processing: value(aProcessing()) },
    want: { overallPhase: 'Processing' },
  },
];

describe('Pending', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision(row));

  test('what healed by itself holds nothing off', () => {
    const { status } = decide({ ...onlyRequest(aRequest({ ...pending, ...RESOLVED }), DEFAULT_SETTINGS), health: HEALTHY }, NOW);
    expect(status).toMatchObject({ outcome: 'NoActionRequired' });
    expect((status as RemediationStatus).nextAllowedExecution).toBeUndefined();
  });

  test('a request that is being deleted gets no more children', () => {
    const object = aRequest({ ...pending, overallPhase: 'Processing' });
    const going = { ...object, metadata: { ...object.metadata, deletionTimestamp: ago(0) } };
    const decision = decide({ ...onlyRequest(going, DEFAULT_SETTINGS), processing: ABSENT }, NOW);
    expect(decision).toEqual({ status: going.status, effects: [], wakeAt: at(30 * SECOND) });
  });
});
