import { describe, expect, test } from 'vitest';
import { ChangeLog } from './change-log.ts';

const names = (log: ChangeLog, since: number): readonly string[] | undefined => log.since(since)?.map(({ name }) => name);

describe('the log of changes', () => {
  test('has each object once, in the order of its last change', () => {
    const log = new ChangeLog();
    for (const name of ['a', 'b', 'a', 'c', 'a']) log.add('remediations', name);
    expect(names(log, 0)).toEqual(['b', 'c', 'a']);
    expect(names(log, 2)).toEqual(['c', 'a']);
    expect(names(log, 5)).toEqual([]);
  });

  test('tells topics apart', () => {
    const log = new ChangeLog();
    log.add('remediations', 'a');
    log.add('approvals', 'a');
    expect(log.since(0)).toEqual([
      { number: 1, topic: 'remediations', name: 'a' },
      { number: 2, topic: 'approvals', name: 'a' },
    ]);
  });

  test('does not know what was never so', () => expect(new ChangeLog().since(1)).toBeUndefined());

  test('forgets the oldest changes, and says so', () => {
    const log = new ChangeLog({ most: 10 });
    for (let i = 0; i < 1_000; i++) log.add('machines', `m-${i}`);
    expect(log.since(0)).toBeUndefined();
    expect(names(log, 990)).toEqual(Array.from({ length: 10 }, (_, i) => `m-${990 + i}`));
  });

  test('holds no more than the objects that changed, however often they do', () => {
    const log = new ChangeLog({ most: 10 });
    log.add('machines', 'first');
    for (let i = 0; i < 10_000; i++) log.add('machines', `m-${i % 5}`);
    expect(names(log, 0)).toEqual(['first', 'm-0', 'm-1', 'm-2', 'm-3', 'm-4']);
  });
});
