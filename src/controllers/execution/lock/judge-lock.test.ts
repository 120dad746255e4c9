import { describe, expect, test } from 'vitest';
import { after, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { Lease } from '../../../api/builtin/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import { judgeLock, otherOccupant, type LockHolder, type LockedRun, type LockVerdict } from './judge-lock.ts';
import { ABSENT, aLock, found, NOW, UNREADABLE } from '../testing/builders.ts';

const OTHER = 'wfe-2';
const run = (state: LockedRun['state'], execution: string | undefined = OTHER, endedAt?: Instant): Read<LockedRun> =>
  found({ uid: 'job-2', state, ours: execution === 'wfe-1', execution, ...(endedAt === undefined ? {} : { endedAt }) });
const unmarked = (state: LockedRun['state']): Read<LockedRun> => found({ uid: 'job-2', state, ours: false, execution: undefined });
const live: LockHolder = { kind: 'live', name: 'we-other' };
const ended = (agoMs: number): LockHolder => ({ kind: 'ended', name: 'we-other', at: after(NOW, -agoMs) });
const gone: LockHolder = { kind: 'gone' };
const unknown: LockHolder = { kind: 'unknown', reason: 'forbidden' };

interface Case {
  readonly reason: string;
  readonly lock?: Read<Lease>;
  readonly run?: Read<LockedRun>;
  readonly holder?: LockHolder;
  readonly want: LockVerdict['kind'];
}

const judge = ({ lock = found(aLock(OTHER)), run: seen = ABSENT, holder = unknown }: Case): LockVerdict =>
  judgeLock({ uid: 'wfe-1', lock, run: seen, holder, cooldownMs: MINUTE, now: NOW });

const ours: readonly Case[] = [
  { reason: 'no execution holds the target', lock: ABSENT, want: 'Acquire' },
  { reason: 'ours, nothing started yet', lock: found(aLock()), want: 'Held' },
  { reason: 'ours, and so is the run', lock: found(aLock()), run: run('held', 'wfe-1'), want: 'Held' },
  { reason: 'our lock was deleted from outside, our run is there', lock: ABSENT, run: run('held', 'wfe-1'), want: 'Acquire' },
  {
    reason: 'a lock that is being deleted does not protect the target',
    lock: found(aLock('wfe-1', { deletionTimestamp: '2026-11-15T03:00:00Z' })),
    want: 'Wait',
  },
  { reason: 'a lock that cannot be read does not mean that the target is free', lock: UNREADABLE, want: 'Wait' },
  { reason: 'nor is not seeing the run', lock: found(aLock()), run: UNREADABLE, want: 'Wait' },
];

const foreign: readonly Case[] = [
  { reason: 'a Lease of our name without our mark', lock: found(aLock('', { labels: {} })), want: 'Foreign' },
  {
    reason: 'a Lease that another controller took over',
    lock: found({ ...aLock('wfe-1'), spec: { holderIdentity: 'robot' } }),
    want: 'Foreign',
  },
  { reason: 'a Lease with our mark and no holder', lock: found({ ...aLock('wfe-1'), spec: {} }), want: 'Foreign' },
  { reason: 'a Job of our name without our mark', lock: ABSENT, run: unmarked('running'), want: 'Foreign' },
  { reason: 'the same, though the lock is ours', lock: found(aLock()), run: unmarked('finished'), want: 'Foreign' },
];

const others: readonly Case[] = [
  { reason: 'it has just taken the lock', holder: live, want: 'Busy' },
  { reason: 'its run is about to start', holder: live, run: run('held'), want: 'Busy' },
  { reason: 'its run is at work', holder: live, run: run('running'), want: 'Busy' },
  { reason: 'its run is over, but it has not taken the result', holder: live, run: run('finished'), want: 'Wait' },
  { reason: 'it ended, its run was never created, cooldown', holder: ended(30 * SECOND), want: 'WaitForCooldown' },
  { reason: 'it ended, and its held run has still to go', holder: ended(2 * MINUTE), run: run('held'), want: 'Wait' },
  { reason: 'it ended, but its run continues', holder: ended(2 * MINUTE), run: run('running'), want: 'Wait' },
  { reason: 'it ended and its run too, cooldown', holder: ended(30 * SECOND), run: run('finished'), want: 'WaitForCooldown' },
  { reason: 'a moment before the cooldown is over', holder: ended(MINUTE - 1), run: run('finished'), want: 'WaitForCooldown' },
  { reason: '[WE-057] the cooldown is over to the moment', holder: ended(MINUTE), run: run('finished'), want: 'CleanUpStale' },
  { reason: 'the cooldown is over and only the lock is left', holder: ended(MINUTE), want: 'CleanUpStale' },
  { reason: 'it is gone and left its lock', holder: gone, want: 'CleanUpStale' },
  { reason: 'it is gone, and its run will never be released', holder: gone, run: run('held'), want: 'CleanUpStale' },
  { reason: 'it is gone, its run is at work', holder: gone, run: run('running'), want: 'Busy' },
  { reason: 'it is gone, its run ended just now', holder: gone, run: run('finished', OTHER, after(NOW, -SECOND)), want: 'WaitForCooldown' },
  { reason: 'it is gone, its run ended long ago', holder: gone, run: run('finished', OTHER, after(NOW, -MINUTE)), want: 'CleanUpStale' },
  { reason: 'it is gone, its run ended at an unknown time', holder: gone, run: run('finished'), want: 'CleanUpStale' },
  ...(['held', 'running', 'finished'] as const).map((state) => ({
    reason: `unknown holder, run ${state}`,
    run: run(state),
    want: 'Wait' as const,
  })),
  { reason: 'unknown holder, no run', want: 'Wait' },
  { reason: 'its lock was deleted from outside, but its run is at work', lock: ABSENT, holder: live, run: run('running'), want: 'Busy' },
  { reason: 'its run is at work under our lock', lock: found(aLock()), holder: gone, run: run('running'), want: 'Busy' },
  { reason: 'its run is orphaned under our lock', lock: found(aLock()), holder: gone, run: run('finished'), want: 'CleanUpStale' },
];

describe('the lock', () => {
  test.each(ours)('$want: $reason', (row) => expect(judge(row).kind).toBe(row.want));
  test.each(foreign)('$want: $reason', (row) => expect(judge({ ...row, holder: gone }).kind).toBe(row.want));
  describe('is another’s', () => test.each(others)('$want: $reason', (row) => expect(judge(row).kind).toBe(row.want)));

  test('says until when and after whom the target rests', () =>
    expect(judge({ reason: '', holder: ended(20 * SECOND), want: 'WaitForCooldown' })).toEqual({
      kind: 'WaitForCooldown',
      until: after(NOW, 40 * SECOND),
      after: 'we-other',
    }));

  test.each<{ row: Omit<Case, 'want' | 'reason'>; want: LockVerdict }>([
    { row: { lock: UNREADABLE }, want: { kind: 'Wait', reason: 'the lock cannot be read: forbidden' } },
    { row: { lock: found(aLock()), run: UNREADABLE }, want: { kind: 'Wait', reason: 'the run cannot be read: forbidden' } },
    {
      row: { lock: found(aLock('wfe-1', { deletionTimestamp: '2026-11-15T03:00:00Z' })) },
      want: { kind: 'Wait', reason: 'the lock is being deleted' },
    },
    {
      row: { holder: live, run: run('finished') },
      want: { kind: 'Wait', reason: 'the run of we-other has not finished yet' },
    },
    { row: { holder: live }, want: { kind: 'Busy', by: 'we-other' } },
    { row: { holder: gone, run: run('running') }, want: { kind: 'Busy', by: 'execution wfe-2' } },
    { row: { lock: ABSENT, run: unmarked('running') }, want: { kind: 'Foreign', what: 'run' } },
    { row: { lock: found(aLock('', { labels: {} })) }, want: { kind: 'Foreign', what: 'lock' } },
    {
      row: { lock: found(aLock('', { annotations: { [ANNOTATIONS.block]: '{"name":"we-bad"}' } })) },
      want: { kind: 'Wait', reason: 'we-bad blocks the target' },
    },
  ])('reports $want', ({ row, want }) => expect(judge({ reason: '', want: want.kind, ...row })).toEqual(want));

  test('a lock without a spec is foreign', () => {
    const { spec: _, ...lock } = aLock();
    expect(judge({ reason: '', lock: found(lock as Lease), want: 'Foreign' }).kind).toBe('Foreign');
    expect(otherOccupant('wfe-1', found(lock as Lease), undefined)).toBeUndefined();
  });

  test('never is ours while another execution has lock or run', () => {
    for (const row of others) expect(['Held', 'Acquire']).not.toContain(judge(row).kind);
  });
});

describe('which other execution holds the target', () => {
  test.each([
    { reason: 'the holder of the lock', lock: found(aLock(OTHER)), owner: undefined, want: OTHER },
    { reason: 'none, when there is no lock and no run', lock: ABSENT, owner: undefined, want: undefined },
    { reason: 'we', lock: found(aLock()), owner: 'wfe-1', want: undefined },
    { reason: 'whose run it is, when the lock is ours', lock: found(aLock()), owner: OTHER, want: OTHER },
    { reason: 'whose run it is, when there is no lock', lock: ABSENT, owner: OTHER, want: OTHER },
    { reason: 'the holder before the owner of the run', lock: found(aLock('wfe-3')), owner: OTHER, want: 'wfe-3' },
    { reason: 'none, when the lock names no holder', lock: found(aLock('')), owner: undefined, want: undefined },
    { reason: 'none, when it cannot be read', lock: UNREADABLE, owner: undefined, want: undefined },
  ])('$reason', ({ lock, owner, want }) => expect(otherOccupant('wfe-1', lock, owner)).toBe(want));
});
