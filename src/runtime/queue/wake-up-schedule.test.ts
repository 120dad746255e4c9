import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, instant } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { Timetable } from './wake-up-schedule.ts';

function started(): { clock: ManualClock; table: Timetable; fired: string[]; stop: () => Promise<void> } {
  const clock = new ManualClock(0);
  const fired: string[] = [];
  const table = new Timetable(clock, (key) => fired.push(`${key}@${clock.now()}`));
  const end = new AbortController();
  const run = table.run(end.signal);
  const stop = (): Promise<void> => {
    end.abort();
    return run;
  };
  return { clock, table, fired, stop };
}

describe('a timetable', () => {
  test('fires each key once, at its moment', async () => {
    const { clock, table, fired, stop } = started();
    table.plan('b', instant(20));
    table.plan('a', instant(10));
    await clock.advance(15);
    expect(fired).toEqual(['a@10']);
    await clock.advance(100);
    expect(fired).toEqual(['a@10', 'b@20']);
    expect(table.size).toBe(0);
    await stop();
    expect(clock.waiting).toBe(0);
  });

  test('a new moment takes the place of the old one, earlier or later', async () => {
    const { clock, table, fired, stop } = started();
    table.plan('a', instant(50));
    table.plan('b', instant(10));
    await clock.advance(5);
    table.plan('a', instant(7));
    table.plan('b', instant(60));
    expect(table.size).toBe(2);
    await clock.advance(100);
    expect(fired).toEqual(['a@7', 'b@60']);
    await stop();
  });

  test('a cancelled key does not fire, and one planned earlier while others wait does so in time', async () => {
    const { clock, table, fired, stop } = started();
    table.plan('late', instant(1_000));
    await clock.advance(1);
    table.plan('soon', instant(3));
    table.plan('never', instant(4));
    table.cancel('never');
    table.cancel('unknown');
    await clock.advance(10);
    expect(fired).toEqual(['soon@3']);
    expect(table.when('late')).toBe(1_000);
    await stop();
  });

  test('what is due already fires at once; what is due together fires in the order of planning', async () => {
    const { clock, table, fired, stop } = started();
    await clock.advance(10);
    for (const key of ['c', 'a', 'b']) table.plan(key, instant(5));
    await clock.advance(0);
    expect(fired).toEqual(['c@10', 'a@10', 'b@10']);
    await stop();
  });

  test('a key that plans ahead again and again takes one place', () => {
    const clock = new ManualClock(0);
    const table = new Timetable(clock, () => {});
    for (let i = 0; i < 1_000; i++) table.plan('a', after(clock.now(), 3_600_000 + i));
    expect(table.size).toBe(1);
  });

  test('for any plans and cancellations, keys fire in the order of their last moment', async () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), at: fc.option(fc.integer({ min: 1, max: 30 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { clock, table, fired, stop } = started();
        const want = new Map<string, { at: number; order: number }>();
        steps.forEach(({ key, at }, order) => {
          if (at === null) {
            table.cancel(key);
            want.delete(key);
          } else {
            table.plan(key, instant(at));
            want.set(key, { at, order });
          }
        });
        await clock.advance(50);
        await stop();
        const sorted = [...want].toSorted(([, a], [, b]) => a.at - b.at || a.order - b.order).map(([key, { at }]) => `${key}@${at}`);
        expect(fired).toEqual(sorted);
      }),
      { numRuns: 100 },
    );
  });
});
