import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { after, instant } from '../base/index.ts';
import { createVirtualTime } from './virtual-time.ts';

const START = instant(1_000);

describe('virtual time', () => {
  test('runs tasks by their moment, and those of one moment in the order they were planned', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (delays) => {
        const time = createVirtualTime(START);
        const ran: { at: number; order: number }[] = [];
        delays.forEach((delay, order) => time.at(after(START, delay), () => ran.push({ at: time.now() - START, order })));
        while (time.step());
        const want = delays.map((at, order) => ({ at, order })).sort((a, b) => a.at - b.at || a.order - b.order);
        expect(ran).toEqual(want);
      }),
    );
  });

  test('does not run what was called off', () => {
    const time = createVirtualTime(START);
    const ran: string[] = [];
    const callOff = time.at(after(START, 1), () => ran.push('no'));
    time.at(after(START, 2), () => ran.push('yes'));
    callOff();
    expect(time.next()).toBe(after(START, 2));
    while (time.step());
    expect(ran).toEqual(['yes']);
  });

  test('never goes back: a task planned for the past runs now', () => {
    const time = createVirtualTime(START);
    const at: number[] = [];
    time.at(after(START, 10), () => time.at(START, () => at.push(time.now())));
    while (time.step());
    expect(at).toEqual([after(START, 10)]);
  });

  test('stands still when nothing is planned', () => {
    const time = createVirtualTime(START);
    expect([time.step(), time.next(), time.now()]).toEqual([false, undefined, START]);
  });
});
