import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { decide } from './decide.ts';
import { onlyRequest } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import { ago, aRequest, at, NOW, pending } from './testing/builders.ts';
import { judgeCase, type Case } from './testing/judge-case.ts';

const cases: readonly Case[] = [
  {
    name: '[RR-006] a new request',
    reason: 'every request starts in Pending, with its clock and its limits on record',
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
    reason: 'somebody wants this one to be given more time',
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
    name: '[RR-065, RR-066] pending',
    reason: 'nothing speaks against it; the child is named before it exists',
    status: pending,
    want: {
      overallPhase: 'Processing',
      processingStartTime: ago(0),
      signalProcessingRef: { kind: 'SignalProcessing', name: 'sp-rr', namespace: 'sickbay-system' },
    },
  },
  {
    name: 'pending, one moment before the global limit',
    reason: 'an hour is not over',
    status: pending,
    atMs: HOUR - SECOND,
    want: { overallPhase: 'Processing' },
  },
  {
    name: '[RR-058] pending, at the global limit',
    reason: 'the clock of the whole request runs where no phase has one',
    status: pending,
    atMs: HOUR,
    want: { overallPhase: 'TimedOut', timeoutPhase: 'Pending', timeoutTime: ago(-HOUR), nextAllowedExecution: ago(-HOUR - MINUTE) },
    says: 'not over after 1h0m0s in all',
  },
  {
    name: 'all alerts resolved',
    reason: 'what healed by itself is left alone, and nothing holds the next one off',
    status: {
      ...pending,
      deduplication: {
        alerts: [
          { name: 'A', instance: '1', lastSeenAt: ago(0), resolvedAt: ago(0) },
          { name: 'B', instance: '1', lastSeenAt: ago(0), resolvedAt: ago(0) },
        ],
      },
    },
    want: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
    says: 'A, B resolved before anything was done',
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
    want: { overallPhase: 'Processing' },
  },
];

describe('Pending', () => {
  test.each(cases)('$name: $reason', (row) => judgeCase(row));

  test('what healed by itself holds nothing off', () => {
    const alerts = [{ name: 'A', instance: '1', lastSeenAt: ago(0), resolvedAt: ago(0) }];
    const { status } = decide(onlyRequest(aRequest({ ...pending, deduplication: { alerts } })), NOW, DEFAULT_SETTINGS);
    expect((status as RemediationStatus).nextAllowedExecution).toBeUndefined();
  });

  test('a request that is being deleted gets no more children', () => {
    const object = aRequest({ ...pending, overallPhase: 'Processing' });
    const going = { ...object, metadata: { ...object.metadata, deletionTimestamp: ago(0) } };
    const decision = decide({ ...onlyRequest(going), processing: { kind: 'absent' } }, NOW, DEFAULT_SETTINGS);
    expect(decision).toEqual({ status: going.status, effects: [], wakeAt: at(10 * SECOND) });
  });

  test.each(['AwaitingApproval', 'Blocked'] as const)('%s is waited in, though nothing leads there yet', (overallPhase) => {
    const object = aRequest({ ...pending, overallPhase });
    expect(decide(onlyRequest(object), NOW, DEFAULT_SETTINGS)).toEqual({ status: object.status, effects: [], wakeAt: at(10 * SECOND) });
  });
});
