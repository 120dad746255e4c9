import { describe, expect, onTestFinished, test } from 'vitest';
import { SECOND, silent, turn } from '../../../base/index.ts';
import { memoryAuditLog, type AuditEvent, type AuditLog } from '../../../store/index.ts';
import { anEvent } from '../../../store/testing/an-event.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import { AuditOutbox } from './audit-outbox.ts';

const some = (count: number, from = 0): readonly AuditEvent[] => Array.from({ length: count }, (_, i) => anEvent(`${from + i}`));

/** An outbox at work, on a store that fails as often as the test says. */
function anOutbox({ most, failures = 0 }: { readonly most?: number; readonly failures?: number } = {}) {
  const clock = new ManualClock();
  const trail = memoryAuditLog();
  const batches: number[] = [];
  let left = failures;
  const audit: AuditLog = {
    ...trail,
    append: (events) => {
      batches.push(events.length);
      return left-- > 0 ? Promise.reject(new Error(`down (${left} left)`)) : trail.append(events);
    },
  };
  const outbox = new AuditOutbox({ audit, steady: clock, log: silent, ...(most !== undefined && { most }) });
  const stop = new AbortController();
  let rooms = 0;
  const begin = (): Promise<void> => {
    const running = outbox.run(stop.signal, () => void rooms++);
    onTestFinished(() => (stop.abort(), running));
    return running;
  };
  return { outbox, clock, trail, batches, begin, stop: () => stop.abort(), rooms: () => rooms };
}

describe('an outbox', () => {
  test('appends in batches, all that waits at once', async () => {
    const { outbox, batches, begin } = anOutbox();
    outbox.add('u', some(1_200));
    void begin();
    await turn();
    expect(batches).toEqual([500, 500, 200]);
    expect(outbox.isClear('u')).toBe(true);
  });

  test('an event that waits already is not taken twice', () => {
    const { outbox } = anOutbox();
    outbox.add('u', some(3));
    outbox.add('u', some(4));
    expect(outbox.size).toBe(4);
  });

  test('an object is clear when all of its events are durable, whatever waits of others', async () => {
    const { outbox, begin } = anOutbox();
    outbox.add('a', some(500));
    outbox.add('b', some(10, 500));
    expect([outbox.isClear('a'), outbox.isClear('b'), outbox.isClear('c')]).toEqual([false, false, true]);
    void begin();
    await turn();
    expect([outbox.isClear('a'), outbox.isClear('b')]).toEqual([true, true]);
  });

  test('takes all events of an object or none, and says when there is room again', async () => {
    const { outbox, begin, rooms } = anOutbox({ most: 5 });
    expect(outbox.add('a', some(4))).toBe(true);
    expect(outbox.add('b', some(2, 10))).toBe(false);
    expect(outbox.isClear('b')).toBe(true);
    expect(outbox.add('a', some(4))).toBe(true);
    void begin();
    await turn();
    expect(rooms()).toBe(1);
    expect(outbox.add('b', some(2, 10))).toBe(true);
  });

  test('waits longer after every failure, at most half a minute, and starts again at the shortest delay after a success', async () => {
    const { outbox, clock, batches, begin } = anOutbox({ failures: 8 });
    void begin();
    outbox.add('u', some(1));
    const attempts: number[] = [];
    for (let second = 0; second < 140; second++) {
      const before = batches.length;
      await clock.advance(SECOND);
      if (batches.length > before) attempts.push(second + 1);
    }
    expect(attempts).toEqual([1, 3, 7, 15, 31, 61, 91, 121]);
    expect(outbox.problem).toBeUndefined();
    expect(outbox.size).toBe(0);
  });

  test('tries once more when it is told to stop, and no more than that where it fails', async () => {
    const { outbox, trail, batches, begin, stop } = anOutbox({ failures: 2 });
    const running = begin();
    outbox.add('u', some(700));
    await turn();
    stop();
    await running;
    expect(batches).toEqual([0, 500]);
    expect(await trail.find({})).toEqual([]);
    expect(outbox.size).toBe(700);
  });

  test('appends everything that is left when it is told to stop and the store answers', async () => {
    const { outbox, batches, begin, stop } = anOutbox({ failures: 1 });
    const running = begin();
    outbox.add('u', some(1_200));
    await turn();
    stop();
    await running;
    expect(batches).toEqual([0, 500, 500, 200]);
  });
});
