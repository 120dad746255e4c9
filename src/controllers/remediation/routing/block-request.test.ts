import { describe, expect, test } from 'vitest';
import { BLOCK_REASONS, type BlockReason } from '../../../api/remediation-request/status.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { blockRequest, blockedSeconds, withoutBlock } from './block-request.ts';
import type { CheckObjection } from './check-verdict.ts';
import type { RemediationStatus } from '../status.ts';
import { ago, analyzing, aRequest, at, NOW } from '../testing/builders.ts';

const objection = (check: BlockReason, more: Partial<CheckObjection> = {}): CheckObjection => ({
  kind: 'block',
  check,
  inputs: {},
  message: 'held back',
  lookAgainAt: at(MINUTE),
  ...more,
});
const blocker = { kind: 'Any', name: 'the-other' };
const blockedBy = (check: BlockReason, more: Partial<CheckObjection> = {}, before: RemediationStatus = analyzing): RemediationStatus =>
  blockRequest(aRequest(before), objection(check, more), NOW).status as RemediationStatus;

/** What only some blocks record in status. */
const OWN: Readonly<Partial<Record<BlockReason, Partial<RemediationStatus>>>> = {
  ResourceBusy: { blockingWorkflowExecution: 'the-other' },
  DuplicateInProgress: { duplicateOf: 'the-other' },
  IneffectiveChain: { requiresManualReview: true },
};
const OWN_FIELDS = ['blockingWorkflowExecution', 'duplicateOf', 'requiresManualReview'] as const;

describe('block', () => {
  test.each(BLOCK_REASONS)('%s names who is in the way, and asks for a person, where that is what it is about', (reason) => {
    const status = blockedBy(reason, { blocker });
    expect(status).toMatchObject({ overallPhase: 'Blocked', blockReason: reason, blockMessage: 'held back', blockedStartTime: ago(0) });
    expect(Object.fromEntries(Object.entries(status).filter(([field]) => OWN_FIELDS.some((own) => own === field)))).toEqual(
      OWN[reason] ?? {},
    );
  });

  test.each(['ResourceBusy', 'DuplicateInProgress'] as const)('%s without a blocking object names none', (reason) => {
    const status = blockedBy(reason);
    for (const field of OWN_FIELDS) expect(status).not.toHaveProperty(field);
  });

  test('has an end only where time ends it', () => {
    expect(blockedBy('ExponentialBackoff', { until: at(HOUR) }).blockedUntil).toBe(toTime(at(HOUR)));
    expect(blockedBy('ResourceBusy')).not.toHaveProperty('blockedUntil');
  });

  test('keeps nothing of an earlier block', () => {
    const before = blockedBy('DuplicateInProgress', { blocker, until: at(HOUR) });
    const status = blockedBy('UnmanagedResource', {}, before);
    expect(status).toMatchObject({ overallPhase: 'Blocked', blockReason: 'UnmanagedResource' });
    for (const field of ['duplicateOf', 'blockedUntil']) expect(status).not.toHaveProperty(field);
  });
});

describe('the time in Blocked', () => {
  const held: RemediationStatus = { ...analyzing, overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockedStartTime: ago(0) };

  test.each([
    ['the first time', held, 90 * SECOND, 90],
    ['once more', { ...held, blockedSeconds: 10 }, 90 * SECOND, 100],
    ['in part, which counts as whole', held, 90 * SECOND + 1, 91],
    ['by a clock that went back', held, -MINUTE, 0],
  ])('is added up: %s', (_, status, ms, seconds) => expect(blockedSeconds(aRequest(status), at(ms))).toEqual({ blockedSeconds: seconds }));

  test.each<[string, RemediationStatus | undefined]>([
    ['in another phase', { ...held, overallPhase: 'Analyzing' }],
    ['without a start', { overallPhase: 'Blocked' }],
    ['without a status', undefined],
  ])('is not there %s', (_, status) => expect(blockedSeconds(aRequest(status), at(HOUR))).toEqual({}));

  test('stays recorded when the block ends, and nothing else of it does', () => {
    const { status } = withoutBlock(aRequest({ ...held, duplicateOf: 'rr-0', blockMessage: 'held back' }), at(MINUTE));
    expect(status).toEqual({ ...analyzing, overallPhase: 'Blocked', blockedSeconds: 60 });
  });
});
