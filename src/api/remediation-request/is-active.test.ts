import { describe, expect, test } from 'vitest';
import { after, HOUR, instant, toTime } from '../../base/index.ts';
import { anObject } from '../../testkit/fake-client.ts';
import { phaseNames } from '../phases.ts';
import { isActive } from './is-active.ts';
import { remediationPhases } from './phases.ts';
import type { RemediationRequest } from './remediation-request.ts';
import { BLOCK_REASONS } from './status.ts';

const NOW = instant(1_794_711_600_000);
const active = (status?: RemediationRequest['status'], metadata: object = {}): boolean =>
  isActive(anObject('RemediationRequest', { metadata, ...(status && { status }) }), NOW, 4 * HOUR);
const since = (ms: number): string => toTime(after(NOW, -ms));

test.each(phaseNames(remediationPhases))('a request is active until it is over: %s', (overallPhase) =>
  expect(active({ overallPhase })).toBe(!remediationPhases.terminal.includes(overallPhase)),
);

test('one that has no phase yet is active', () => {
  expect(active()).toBe(true);
  expect(active({})).toBe(true);
});

test('one that is being deleted is active until it is gone', () =>
  expect(active({ overallPhase: 'Executing' }, { deletionTimestamp: since(0) })).toBe(true));

describe('a blocked one', () => {
  test.each(BLOCK_REASONS)('by %s is active for ever, but for an ineffective chain', (blockReason) =>
    expect(active({ overallPhase: 'Blocked', blockReason, blockedStartTime: since(9 * HOUR) })).toBe(blockReason !== 'IneffectiveChain'),
  );

  test.each([
    [0, true],
    [4 * HOUR - 1_000, true],
    [4 * HOUR, false],
  ])('by an ineffective chain is active for the interval: %d ms, %s', (ms, want) =>
    expect(active({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain', blockedStartTime: since(ms) })).toBe(want),
  );

  test('by an ineffective chain without a start time is active', () =>
    expect(active({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain' })).toBe(true));

  test('that was blocked by one once, and is at work now, is active', () =>
    expect(active({ overallPhase: 'Executing', blockReason: 'IneffectiveChain', blockedStartTime: since(9 * HOUR) })).toBe(true));
});
