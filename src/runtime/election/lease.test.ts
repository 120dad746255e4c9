import { describe, expect, test } from 'vitest';
import { instant } from '../../base/index.ts';
import { heldLease, judgeLease, releasedLease, type LeaseSpec } from './lease.ts';

const NOW = instant(1_794_711_600_000);
const us = { identity: 'us', durationMs: 15_000 };

describe('whose the lease is', () => {
  const held: LeaseSpec = { holderIdentity: 'them', leaseDurationSeconds: 15, renewTime: '2026-11-15T03:00:00.000000Z' };
  const cases: readonly { spec: LeaseSpec; seenMsAgo: number; want: string; reason: string }[] = [
    { spec: {}, seenMsAgo: 0, want: 'free', reason: 'it has no holder' },
    { spec: { ...held, holderIdentity: '' }, seenMsAgo: 0, want: 'free', reason: 'given back' },
    { spec: held, seenMsAgo: 0, want: 'held', reason: 'just seen' },
    { spec: held, seenMsAgo: 14_999, want: 'held', reason: 'not run out yet' },
    { spec: held, seenMsAgo: 15_000, want: 'free', reason: 'unchanged for its whole duration' },
    {
      spec: { ...held, renewTime: '1999-01-01T00:00:00.000000Z' },
      seenMsAgo: 0,
      want: 'held',
      reason: 'their clock is behind: proves nothing',
    },
    {
      spec: { ...held, renewTime: '2099-01-01T00:00:00.000000Z' },
      seenMsAgo: 15_000,
      want: 'free',
      reason: 'their clock is ahead: proves nothing',
    },
    { spec: { ...held, leaseDurationSeconds: 60 }, seenMsAgo: 59_999, want: 'held', reason: 'their duration counts, not ours' },
    { spec: { holderIdentity: 'them' }, seenMsAgo: 0, want: 'free', reason: 'held for no time at all' },
    { spec: { ...held, holderIdentity: 'us' }, seenMsAgo: 1e9, want: 'ours', reason: 'our own name' },
  ];
  test.each(cases)('$reason', ({ spec, seenMsAgo, want }) => {
    expect(judgeLease({ spec, since: instant(1_000) }, 'us', instant(1_000 + seenMsAgo))).toBe(want);
  });
});

describe('what is written', () => {
  const NOW_TEXT = '2026-11-15T03:00:00.000000Z';
  const before = { holderIdentity: 'us', leaseDurationSeconds: 15, acquireTime: 'earlier', renewTime: 'earlier', leaseTransitions: 4 };

  const cases: readonly { before: LeaseSpec | undefined; want: LeaseSpec; reason: string }[] = [
    { before: undefined, want: { acquireTime: NOW_TEXT, leaseTransitions: 0 }, reason: 'a new lease' },
    { before, want: { acquireTime: 'earlier', leaseTransitions: 4 }, reason: 'a renewal keeps when it was acquired' },
    {
      before: { ...before, holderIdentity: 'them' },
      want: { acquireTime: NOW_TEXT, leaseTransitions: 5 },
      reason: 'taking over is a transition',
    },
    {
      before: { ...before, holderIdentity: '' },
      want: { acquireTime: NOW_TEXT, leaseTransitions: 5 },
      reason: 'so is taking what was given back',
    },
    { before: {}, want: { acquireTime: NOW_TEXT, leaseTransitions: 1 }, reason: 'an empty lease' },
  ];
  test.each(cases)('$reason', ({ before: spec, want }) => {
    expect(heldLease(spec, us, NOW)).toEqual({ holderIdentity: 'us', leaseDurationSeconds: 15, renewTime: NOW_TEXT, ...want });
  });

  test('given back, it is free at once', () => {
    expect(releasedLease(before, NOW)).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: NOW_TEXT,
      renewTime: NOW_TEXT,
      leaseTransitions: 4,
    });
  });
});
