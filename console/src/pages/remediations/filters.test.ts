import { expect, test } from 'vitest';
import { filtersIn } from './filters.ts';

test.each([
  { search: {}, want: {} },
  { search: { state: 'attention', sort: '-severity', search: 'shop' }, want: { state: 'attention', sort: '-severity', search: 'shop' } },
  { search: { state: 'everything', sort: 'colour', page: 7 }, want: {} },
  { search: { search: 503, severity: '' }, want: { search: '503' } },
  { search: { search: { text: 'x' }, outcome: ['Remediated'] }, want: {} },
  { search: { search: 'x'.repeat(300) }, want: { search: 'x'.repeat(253) } },
])('$search', ({ search, want }) => {
  expect(filtersIn(search)).toEqual(want);
});
