import { expect, test } from 'vitest';
import { after, instant } from '../base/index.ts';
import { createJournal, journalLogger } from './journal.ts';

test('lines say when, who and what, in columns, counted from the start', () => {
  let now = instant(5_000);
  const journal = createJournal(() => now);
  journal.note('r1', () => 'starts');
  now = after(now, 61_234);
  journal.note('world', () => '✗ Outage ms=1000 at beat 3');
  expect(journal.lines()).toEqual(['  0:00.000  r1      starts', '  1:01.234  world   ✗ Outage ms=1000 at beat 3']);
});

test('no line is formatted before it is read', () => {
  const journal = createJournal(() => instant(0));
  let asked = 0;
  journal.note('r1', () => `asked ${++asked} times`);
  expect(asked).toBe(0);
  expect(journal.lines()).toHaveLength(1);
  expect(asked).toBe(1);
});

test('a process logs into it, with the fields of the logger and of the line', () => {
  const journal = createJournal(() => instant(0));
  const log = journalLogger(journal, 'r1').with({ controller: 'errand' });
  log.warn('pass not finished', { key: 'default/one', error: new Error('the connection broke') });
  log.info('leading');
  expect(journal.lines()).toEqual([
    '  0:00.000  r1      warn: pass not finished controller=errand key=default/one error=the connection broke',
    '  0:00.000  r1      info: leading controller=errand',
  ]);
});
