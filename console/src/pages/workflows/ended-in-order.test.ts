import { expect, test } from 'vitest';
import { endedInOrder, wordsOf, type Ended } from './ended-in-order.ts';

const row = (name: string, more: Partial<Ended> = {}) => ({ name, ...more }) as Ended;

test('only what has ended counts, in the order of the ends', () => {
  const rows = [row('c', { completedAt: '2026-01-03T00:00:00Z' }), row('open'), row('a', { completedAt: '2026-01-01T00:00:00Z' })];
  expect(endedInOrder(rows).map(({ name }) => name)).toEqual(['a', 'c']);
});

test.each([
  { rows: [], want: '0 ended, 0 of them Remediated; average score unknown' },
  {
    rows: [row('a', { outcome: 'Remediated', score: 1 }), row('b', { outcome: 'Inconclusive', score: 0.5 }), row('c')],
    want: '3 ended, 1 of them Remediated; average score 0.75',
  },
])('$want', ({ rows, want }) => expect(wordsOf(rows)).toBe(want));
