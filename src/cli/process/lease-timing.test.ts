import { describe, expect, test } from 'vitest';
import { LEASE_TIMING } from '../../runtime/index.ts';
import { leaseTiming } from './lease-timing.ts';

describe('the timing of the lease', () => {
  test('is the usual one when nothing is asked for', () => {
    expect(leaseTiming(undefined)).toEqual(LEASE_TIMING);
    expect(leaseTiming(15)).toEqual(LEASE_TIMING);
  });

  test.each([1, 3, 60, 86_400])('keeps its proportions: %i s', (seconds) => {
    const { leaseMs, renewWithinMs, retryMs } = leaseTiming(seconds);
    expect(leaseMs).toBeCloseTo(seconds * 1_000);
    expect(renewWithinMs / leaseMs).toBeCloseTo(LEASE_TIMING.renewWithinMs / LEASE_TIMING.leaseMs);
    expect(retryMs / leaseMs).toBeCloseTo(LEASE_TIMING.retryMs / LEASE_TIMING.leaseMs);
  });
});
