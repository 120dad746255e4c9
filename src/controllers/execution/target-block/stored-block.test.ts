import { describe, expect, test } from 'vitest';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Lease } from '../../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, toTime } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { judgeLock } from '../lock/judge-lock.ts';
import { ABSENT, aLock, anExecution, found, NOW, TARGET } from '../testing/builders.ts';
import { aFailedRun, aFailedStart } from '../testing/finished-executions.ts';
import { judgeHistory } from '../history/judge-history.ts';
import { blockFrom, storeBlockOn, storedBlock, storedBlockDraft, type TargetBlock } from './stored-block.ts';

const bad = aFailedRun({ name: 'we-bad' });
const block = blockFrom(bad, 'PreviousExecutionFailed');
const kept = (text: string, more: Readonly<Record<string, string>> = {}): Lease => ({
  ...aLock('wfe-2', { annotations: { [ANNOTATIONS.block]: text, ...more } }),
  spec: { holderIdentity: 'blocked by we-bad' },
});
const CLEARANCE = {
  [ANNOTATIONS.blockClearedBy]: 'anna',
  [ANNOTATIONS.blockClearReason]: 'looked',
  [ANNOTATIONS.blockClearedAt]: toTime(NOW),
};
const written = JSON.stringify(block);

describe('a block that a lock keeps', () => {
  test('is read as it was written', () => {
    const draft = storedBlockDraft(bad, block, { namespace: 'kubernaut-workflows', now: NOW });
    expect(storedBlock(draft as Lease)).toEqual(block);
    expect(draft.spec?.holderIdentity).toBe(`blocked by we-bad: PreviousExecutionFailed ${block.completedAt}`);
    expect(draft.metadata.labels?.['kubernaut.ai/workflow-execution-uid']).toBe('we-bad');
  });

  test('comes on the lock that the execution still has, under the version that was seen', () => {
    const lock = aLock('wfe-1', { annotations: { others: 'x' } });
    expect(storeBlockOn(lock, block)).toMatchObject({
      kind: 'Patch',
      uid: 'lock-of-wfe-1',
      resourceVersion: '7',
      operations: [
        { op: 'add', path: '/metadata/annotations', value: { others: 'x', [ANNOTATIONS.block]: written } },
        { op: 'add', path: '/spec/holderIdentity', value: `blocked by we-bad: PreviousExecutionFailed ${block.completedAt}` },
      ],
    });
  });

  test.each<{ name: string; reason: TargetBlock['reason']; execution: WorkflowExecution; want: TargetBlock }>([
    {
      name: 'retries that ran out',
      reason: 'ExhaustedRetries',
      execution: aFailedStart(5, { name: 'we-five' }),
      want: {
        reason: 'ExhaustedRetries',
        name: 'we-five',
        workflowId: 'rollback',
        completedAt: toTime(after(NOW, -MINUTE)),
        failures: 5,
        why: 's',
      },
    },
    {
      name: 'a failure that says no more than when it came to be',
      reason: 'PreviousExecutionFailed',
      execution: anExecution({ name: 'we-bare', status: { phase: 'Failed' } }),
      want: {
        reason: 'PreviousExecutionFailed',
        name: 'we-bare',
        workflowId: 'rollback',
        completedAt: toTime(NOW),
        failures: 0,
        why: 'nothing more is known',
      },
    },
  ])('describes $name, and is read as it was written', ({ reason, execution, want }) => {
    const told = blockFrom(execution, reason);
    expect(told).toEqual(want);
    expect(storedBlock(kept(JSON.stringify(told)))).toEqual(want);
  });

  test('came when the failure did, where nothing says when the execution ended', () => {
    const failedAt = toTime(after(NOW, -2 * MINUTE));
    const { completionTime: _, ...status } = aFailedRun({ minutesAgo: 2 }).status ?? {};
    expect(blockFrom(anExecution({ status }), 'PreviousExecutionFailed').completedAt).toBe(failedAt);
    const { status: __, ...bare } = anExecution();
    expect(blockFrom(bare, 'PreviousExecutionFailed').completedAt).toBe(toTime(NOW));
  });

  test('has nothing but the lock to go by where its record says nothing', () => {
    expect(storedBlock(kept('{}'))).toEqual({
      reason: 'PreviousExecutionFailed',
      name: 'an execution',
      workflowId: '',
      completedAt: toTime(NOW),
      failures: 0,
      why: 'nothing more is known',
    });
  });

  test('says who cleared it, why and when, as far as that is recorded', () => {
    expect(storedBlock(kept(written, CLEARANCE))?.clearance).toEqual({ by: 'anna', reason: 'looked', at: toTime(NOW) });
    const { [ANNOTATIONS.blockClearedAt]: _, ...undated } = CLEARANCE;
    expect(storedBlock(kept(written, undated))?.clearance).toEqual({ by: 'anna', reason: 'looked', at: '' });
    const { [ANNOTATIONS.blockClearedBy]: __, ...unsigned } = CLEARANCE;
    expect(storedBlock(kept(written, unsigned))).not.toHaveProperty('clearance');
    const { [ANNOTATIONS.blockClearReason]: ___, ...unreasoned } = CLEARANCE;
    expect(storedBlock(kept(written, unreasoned))).not.toHaveProperty('clearance');
  });

  test.each<{ reason: string; text: string; want: Partial<TargetBlock> }>([
    { reason: 'no JSON', text: '{', want: { reason: 'PreviousExecutionFailed', name: 'an execution' } },
    { reason: 'no object', text: '[1]', want: { reason: 'PreviousExecutionFailed' } },
    { reason: 'an unknown reason', text: '{"reason":"x","name":"we-x"}', want: { reason: 'PreviousExecutionFailed', name: 'we-x' } },
    { reason: 'odd members', text: '{"failures":"5","why":7}', want: { failures: 0, why: 'nothing more is known' } },
  ])('blocks also where its record is $reason', ({ text, want }) => expect(storedBlock(kept(text))).toMatchObject(want));

  test('is none on a lock that just locks', () => expect(storedBlock(aLock())).toBeUndefined());

  test.each([
    { reason: 'signed', more: CLEARANCE, want: true },
    { reason: 'without a name', more: { ...CLEARANCE, [ANNOTATIONS.blockClearedBy]: '' }, want: false },
    { reason: 'without a reason', more: { ...CLEARANCE, [ANNOTATIONS.blockClearReason]: '' }, want: false },
    { reason: 'not there', more: {}, want: false },
  ])('is lifted by a clearance that is $reason: $want', ({ more, want }) => {
    const lock = kept(written, more);
    expect(storedBlock(lock)?.clearance !== undefined).toBe(want);
    const judging = { settings: DEFAULT_SETTINGS, now: NOW, kept: storedBlock(lock) };
    expect(judgeHistory(TARGET, [], judging).kind).toBe(want ? 'Free' : 'Skip');
    const verdict = judgeLock({ uid: 'wfe-1', lock: found(lock), run: ABSENT, holder: { kind: 'gone' }, cooldownMs: 60_000, now: NOW });
    expect(verdict.kind).toBe(want ? 'CleanUpStale' : 'Wait');
  });

  test.each([
    {
      reason: '[BO-061] a failed run on the lock before retries that ran out',
      kept: block,
      past: [aFailedStart(5)],
      want: 'PreviousExecutionFailed',
    },
    {
      reason: 'a failed run before retries on the lock',
      kept: blockFrom(aFailedStart(5), 'ExhaustedRetries'),
      past: [bad],
      want: 'PreviousExecutionFailed',
    },
    {
      reason: 'retries on the lock before any back-off',
      kept: blockFrom(aFailedStart(5), 'ExhaustedRetries'),
      past: [aFailedStart(1)],
      want: 'ExhaustedRetries',
    },
  ])('has its place in the order: $reason', ({ kept: onLock, past, want }) => {
    const hold = judgeHistory(TARGET, past, { settings: DEFAULT_SETTINGS, now: NOW, kept: onLock });
    expect(hold.kind === 'Skip' ? hold.skip.reason : hold.kind).toBe(want);
  });
});
