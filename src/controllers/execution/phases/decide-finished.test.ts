import { describe, expect, test } from 'vitest';
import { after, HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { decide } from '../decide.ts';
import type { Everything } from '../testing/builders.ts';
import {
  ABSENT,
  aJob,
  aLock,
  anExecution,
  aPod,
  effectText,
  found,
  inState,
  listed,
  NOW,
  seenWith,
  UNREADABLE,
} from '../testing/builders.ts';

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly seen: Partial<Everything>;
  readonly effects?: readonly string[];
  readonly wakes: boolean;
}

const alive = listed(inState({ running: { startedAt: toTime(NOW) } }));
const hasEnded = (phase: 'Completed' | 'Failed' | 'Skipped', agoMs = 0) => ({
  object: anExecution({ status: { phase, ...(phase === 'Skipped' ? {} : { completionTime: toTime(after(NOW, -agoMs)) }) } }),
});
const finished = found(aJob({ ended: { type: 'Complete' } }));

const ends: readonly Case[] = [
  {
    name: '[WE-094] cooldown',
    reason: 'run and lock are kept',
    seen: { ...hasEnded('Completed', 30 * SECOND), run: finished },

    wakes: true,
  },
  {
    name: '[WE-095] cooldown after a failure',
    reason: 'the same',
    seen: { ...hasEnded('Failed', MINUTE - SECOND), run: finished },

    wakes: true,
  },
  {
    name: '[WE-097] cooldown over',
    reason: 'the run goes first',
    seen: { ...hasEnded('Completed', MINUTE), run: finished },

    effects: ['Delete Job'],
    wakes: true,
  },
  {
    name: 'run not ended',
    reason: 'it is stopped at once, cooldown or not',
    seen: { ...hasEnded('Failed'), run: found(aJob()) },

    effects: ['Delete Job'],
    wakes: true,
  },
  {
    name: 'run held',
    reason: 'it will never be released',
    seen: { ...hasEnded('Failed'), run: found(aJob({ held: true })) },

    effects: ['Delete Job'],
    wakes: true,
  },
  {
    name: '[WE-102] run on its way out',
    reason: 'once is enough',
    seen: { ...hasEnded('Completed', MINUTE), run: found(aJob({ ended: { type: 'Complete' }, deleted: true })) },

    wakes: true,
  },
  {
    name: '[WE-101] [WE-102] run gone',
    reason: 'then the lock',
    seen: hasEnded('Completed', MINUTE),

    effects: ['Delete Lease', 'Event LockReleased'],
    wakes: true,
  },
  {
    name: '[WE-102] run gone, pod at work',
    reason: 'the lock holds until it has really stopped',
    seen: { ...hasEnded('Completed', MINUTE), pods: alive },

    wakes: true,
  },
  {
    name: '[WE-102] run gone, pods unknown',
    reason: 'not known is not stopped',
    seen: { ...hasEnded('Completed', MINUTE), pods: UNREADABLE },

    wakes: true,
  },
  {
    name: '[WE-102] run unknown',
    reason: 'not known is not gone',
    seen: { ...hasEnded('Completed', MINUTE), run: UNREADABLE },

    wakes: true,
  },
  {
    name: 'all cleared',
    reason: 'final: nothing is left to do when it is deleted',
    seen: { ...hasEnded('Completed', MINUTE), lock: ABSENT },
    effects: ['Patch WorkflowExecution'],
    wakes: false,
  },
  {
    name: 'nothing to clear up',
    reason: 'it never had anything',
    seen: { ...hasEnded('Failed'), lock: ABSENT },

    wakes: false,
  },
  { name: 'run unknown, no lock', reason: 'it may be ours', seen: { ...hasEnded('Failed'), lock: ABSENT, run: UNREADABLE }, wakes: true },
  { name: 'lock unknown', reason: 'it may be ours', seen: { ...hasEnded('Failed'), lock: UNREADABLE }, wakes: true },
  {
    name: '[WE-166] [WE-168] [WE-169] another’s run',
    reason: 'left alone, and clearing up is done',
    seen: { ...hasEnded('Completed', MINUTE), lock: found(aLock('wfe-2')), run: found(aJob({ of: 'wfe-2' })) },

    effects: ['Patch WorkflowExecution'],
    wakes: false,
  },
  {
    name: 'another’s pod',
    reason: 'is no reason to keep our lock',
    seen: {
      ...hasEnded('Completed', MINUTE),
      run: found(aJob({ of: 'wfe-2' })),
      pods: listed(aPod({ phase: 'Running' }, { of: 'wfe-2' })),
    },

    effects: ['Delete Lease', 'Event LockReleased'],
    wakes: true,
  },
  {
    name: 'run still there, five minutes after the cooldown',
    reason: 'the report comes first: a deletion that is refused ends the pass',
    seen: { ...hasEnded('Completed', 6 * MINUTE), run: finished },
    effects: ['Event CleanupFailed', 'Delete Job'],
    wakes: true,
  },
  {
    name: 'run still there, a second before that',
    reason: 'it may take its time',
    seen: { ...hasEnded('Completed', 6 * MINUTE - SECOND), run: finished },
    effects: ['Delete Job'],
    wakes: true,
  },
  {
    name: 'run not ended, long after',
    reason: 'the same',
    seen: { ...hasEnded('Failed', 6 * MINUTE), run: found(aJob({ deleted: true })) },
    effects: ['Event CleanupFailed'],
    wakes: true,
  },
  {
    name: 'pod at work, long after',
    reason: 'the target is locked for that',
    seen: { ...hasEnded('Completed', 6 * MINUTE), pods: alive },
    effects: ['Event CleanupFailed'],
    wakes: true,
  },
  {
    name: 'lock still there, long after',
    reason: 'it goes all the same',
    seen: hasEnded('Completed', 6 * MINUTE),
    effects: ['Event CleanupFailed', 'Delete Lease', 'Event LockReleased'],
    wakes: true,
  },
  {
    name: 'skipped with a lock',
    reason: 'nothing ran, so nothing has to cool down',
    seen: hasEnded('Skipped'),

    effects: ['Delete Lease', 'Event LockReleased'],
    wakes: true,
  },
];

describe('an execution that is over', () => {
  test.each(ends)('$name: $reason', ({ seen, effects = [], wakes }) => {
    const observed = seenWith(seen);
    const decision = decide(observed, NOW);
    expect({ effects: decision.effects.map(effectText), wakes: decision.wakeAt !== undefined }).toEqual({ effects, wakes });
    expect(decision.status).toEqual(observed.object.status);
    if (decision.wakeAt !== undefined) expect(decision.wakeAt).toBeGreaterThan(NOW);
  });

  test('deletes its run by the recorded UID, also where the mark was removed from outside', () => {
    const object = anExecution({ status: { ...hasEnded('Completed', MINUTE).object.status, executionRef: { uid: 'job-1' } } });
    const unmarked = found(aJob({ of: '', ended: { type: 'Complete' } }));
    expect(decide(seenWith({ object, run: unmarked }), NOW).effects.map(effectText)).toEqual(['Delete Job']);
    expect(decide(seenWith({ ...hasEnded('Completed', MINUTE), run: unmarked }), NOW).effects.map(effectText)).not.toContain('Delete Job');
  });

  test.each([
    { what: { run: finished }, says: /stays locked: Job kubernaut-workflows\/wfe-\w+ still exists$/ },
    { what: { run: found(aJob({ ended: { type: 'Complete' }, deleted: true })) }, says: /still exists, although it was deleted$/ },
    { what: { run: UNREADABLE }, says: /its run cannot be read: forbidden$/ },
    { what: { pods: alive }, says: /pod \S+ of an earlier run has not ended yet$/ },
    { what: { pods: UNREADABLE }, says: /pods of an earlier run cannot be read: forbidden$/ },
    { what: {}, says: /Lease kubernaut-workflows\/wfe-\w+ still exists$/ },
  ])('what keeps the target locked for long is reported: $says', ({ what, says }) =>
    expect(decide(seenWith({ ...hasEnded('Completed', HOUR), ...what }), NOW).effects[0]).toMatchObject({
      kind: 'Event',
      type: 'Warning',
      reason: 'CleanupFailed',
      message: expect.stringMatching(says) as string,
    }),
  );

  test('is checked again when the cooldown is over', () => {
    const seen = seenWith({ ...hasEnded('Completed', 20 * SECOND), run: finished });
    expect(decide(seen, NOW).wakeAt).toBe(after(NOW, 40 * SECOND));
  });

  test('deletes exactly what was seen', () => {
    const [job] = decide(seenWith({ ...hasEnded('Completed', MINUTE), run: finished }), NOW).effects;
    expect(job).toMatchObject({ kind: 'Delete', uid: 'job-1' });
    const [lock] = decide(seenWith(hasEnded('Completed', MINUTE)), NOW).effects;
    expect(lock).toMatchObject({ kind: 'Delete', uid: 'lock-of-wfe-1' });
  });
});
