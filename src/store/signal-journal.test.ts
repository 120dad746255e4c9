import { describe, expect, test } from 'vitest';
import { SignalJournal } from './signal-journal.ts';

const AT = '2026-01-01T00:00:00Z';
const filled = (most: number, count: number): SignalJournal => {
  const journal = new SignalJournal({ most });
  for (let i = 0; i < count; i++) journal.add({ at: AT, name: `alert-${i}`, verdict: i % 2 === 0 ? 'created' : 'duplicate', message: '' });
  return journal;
};

describe('the signal journal', () => {
  test('lists the newest first, and numbers them', () =>
    expect(
      filled(10, 3)
        .newestFirst()
        .map(({ number, name }) => [number, name]),
    ).toEqual([
      [3, 'alert-2'],
      [2, 'alert-1'],
      [1, 'alert-0'],
    ]));

  test('keeps the last ones, and counts all', () => {
    const journal = filled(10, 1_000);
    expect(journal.newestFirst()).toHaveLength(10);
    expect(journal.newestFirst()[0]?.name).toBe('alert-999');
    expect(journal.counts()).toEqual({ created: 500, duplicate: 500 });
  });

  test('calls its listeners until they stop', () => {
    const journal = new SignalJournal();
    const heard: number[] = [];
    const stop = journal.onAdd(({ number }) => heard.push(number));
    journal.add({ at: AT, verdict: 'created', message: '' });
    stop();
    journal.add({ at: AT, verdict: 'created', message: '' });
    expect(heard).toEqual([1]);
  });
});
