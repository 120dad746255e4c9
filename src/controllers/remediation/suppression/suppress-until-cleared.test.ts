import { describe, expect, test } from 'vitest';
import type { SkipReason } from '../../../api/parts/skip-reasons.ts';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { RECHECK_INTERVAL_MS } from '../../retry-times.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { isSuppressedByBlock, mayBeSuppressedByBlock, liftSuppressionOnceCleared } from './suppress-until-cleared.ts';
import { onlyRequest } from '../observe.ts';
import type { TargetBlockRead } from './read-target-block.ts';
import type { RemediationStatus } from '../status.ts';
import { ago, aRequest, at, NOW, TARGET, UNREADABLE } from '../testing/builders.ts';

const { routing } = DEFAULT_SETTINGS;
const ended: RemediationStatus = {
  message: 'it was said',
  completedAt: ago(HOUR),
  requiresManualReview: true,
  nextAllowedExecution: toTime(at(23 * HOUR)),
  remediationTarget: TARGET,
};
const skippedFor = (skipReason: SkipReason): RemediationStatus => ({ ...ended, overallPhase: 'Skipped', skipReason });
const skipped = skippedFor('PreviousExecutionFailed');
const failed: RemediationStatus = { ...ended, overallPhase: 'Failed', failurePhase: 'WorkflowExecution', consecutiveFailureCount: 2 };
const timedOut: RemediationStatus = { ...ended, overallPhase: 'TimedOut', timeoutPhase: 'Executing', consecutiveFailureCount: 1 };
const without = (field: keyof RemediationStatus, status: RemediationStatus): RemediationStatus =>
  Object.fromEntries(Object.entries(status).filter(([name]) => name !== field));

interface Row {
  readonly name: string;
  readonly status: RemediationStatus | undefined;
  readonly held: boolean;
}

const rows: readonly Row[] = [
  { name: 'skipped for a run that failed', status: skipped, held: true },
  { name: 'skipped for retries that ran out', status: skippedFor('ExhaustedRetries'), held: true },
  { name: 'skipped because others were at work', status: skippedFor('ResourceBusy'), held: false },
  { name: 'its own run failed', status: failed, held: true },
  { name: 'its own run was too late', status: timedOut, held: true },
  { name: 'failed before there was a run', status: { ...failed, failurePhase: 'AIAnalysis' }, held: false },
  { name: 'too late before there was a run', status: { ...timedOut, timeoutPhase: 'Analyzing' }, held: false },
  { name: 'no manual review is required', status: { ...failed, requiresManualReview: false }, held: false },
  { name: 'blocked for its failures as well', status: { ...failed, overallPhase: 'Blocked' }, held: false },
  { name: 'it names no time', status: without('nextAllowedExecution', skipped), held: false },
  { name: 'its time is over', status: { ...skipped, nextAllowedExecution: toTime(NOW) }, held: false },
  { name: 'its time is nearly over', status: { ...skipped, nextAllowedExecution: toTime(at(SECOND)) }, held: true },
  {
    name: 'only its failures hold it back',
    status: { ...failed, completedAt: ago(0), nextAllowedExecution: toTime(at(2 * MINUTE)) },
    held: false,
  },
  { name: 'not over', status: without('completedAt', skipped), held: false },
  { name: 'remediated', status: { ...ended, overallPhase: 'Completed', outcome: 'Remediated' }, held: false },
  { name: 'a person had to look', status: { ...ended, overallPhase: 'Completed', outcome: 'Inconclusive' }, held: false },
  { name: 'new', status: undefined, held: false },
];

describe('whether a signal waits for a person to clear its target', () => {
  test.each(rows)('$name: $held', ({ status, held }) => {
    const request = aRequest(status);
    expect(isSuppressedByBlock(request, NOW, routing)).toBe(held);
    if (held) expect(mayBeSuppressedByBlock(request), 'and then it is found by its target').toBe(true);
  });
});

const BLOCK = {
  reason: 'PreviousExecutionFailed',
  name: 'we-bad',
  workflowId: 'w',
  completedAt: ago(HOUR),
  failures: 0,
  why: 'it failed',
} as const;
const seen = (value: Extract<TargetBlockRead, { kind: 'value' }>['value']): TargetBlockRead => ({ kind: 'value', value });
const BLOCKED = seen({ block: BLOCK, isOwnCleared: false });
const FREE = seen({ isOwnCleared: false });
const SIGNED = seen({ isOwnCleared: true });

interface Lift {
  readonly name: string;
  readonly status: RemediationStatus;
  readonly block: TargetBlockRead | undefined;
  /** Until when its signal is held back then. */
  readonly until: string | undefined;
}

const SAME = ended.nextAllowedExecution;
const lifts: readonly Lift[] = [
  { name: 'skipped, and the block stands', status: skipped, block: BLOCKED, until: SAME },
  { name: 'skipped, and the block cannot be read', status: skipped, block: UNREADABLE, until: SAME },
  { name: 'skipped, and the block was not read', status: skipped, block: undefined, until: SAME },
  { name: 'skipped, and the block is gone', status: skipped, block: FREE, until: undefined },
  {
    name: 'its own failure was cleared: its failures in a row still count',
    status: failed,
    block: SIGNED,
    until: toTime(after(NOW, 2 * MINUTE - HOUR)),
  },
  {
    name: 'its own failure was cleared, but another stands',
    status: failed,
    block: seen({ block: BLOCK, isOwnCleared: true }),
    until: SAME,
  },
  { name: 'its own execution is gone, and no clearance is recorded', status: failed, block: FREE, until: SAME },
  { name: 'its own failure cannot be read', status: failed, block: UNREADABLE, until: SAME },
  { name: 'its own late run was cleared', status: timedOut, block: SIGNED, until: toTime(after(NOW, MINUTE - HOUR)) },
  { name: 'its own late run was not', status: timedOut, block: FREE, until: SAME },
];

describe('the hold of a request that is over', () => {
  const decided = (status: RemediationStatus, block: TargetBlockRead | undefined, decision: Partial<Decision> = {}): Decision =>
    liftSuppressionOnceCleared(
      { ...onlyRequest(aRequest(status), DEFAULT_SETTINGS), ...(block && { block }) },
      { status, effects: [], ...decision },
      NOW,
    );

  test.each(lifts)('$name: $until', ({ status, block, until }) => {
    const { status: after, wakeAt } = decided(status, block);
    const isLifted = until !== SAME;
    expect((after as RemediationStatus).nextAllowedExecution).toBe(until);
    expect((after as RemediationStatus).requiresManualReview, 'stays recorded').toBe(true);
    expect((after as RemediationStatus).message).toBe(
      isLifted ? 'it was said; since then the block on its target was cleared, and its signal may open a new request' : 'it was said',
    );
    expect(wakeAt, 'events may be lost').toBe(isLifted ? undefined : at(RECHECK_INTERVAL_MS));
  });

  test('is lifted once', () => {
    for (const [status, block] of [
      [skipped, FREE],
      [failed, SIGNED],
    ] as const) {
      const once = decided(status, block).status as RemediationStatus;
      expect(decided(once, block).status).toEqual(once);
    }
  });

  test('changes nothing else that is to be done, and puts nothing off', () => {
    const effects: Decision['effects'] = [{ kind: 'Event', type: 'Normal', reason: 'R', message: 'm' }];
    expect(decided(skipped, FREE, { effects, wakeAt: at(SECOND) })).toMatchObject({ effects, wakeAt: at(SECOND) });
    expect(decided(skipped, BLOCKED, { effects, wakeAt: at(SECOND) })).toMatchObject({ effects, wakeAt: at(SECOND) });
    expect(decided(skipped, BLOCKED, { wakeAt: at(HOUR) }).wakeAt).toBe(at(RECHECK_INTERVAL_MS));
    const other: RemediationStatus = { overallPhase: 'Completed', completedAt: ago(0) };
    expect(decided(other, undefined)).toEqual({ status: other, effects: [] });
  });
});
