import { expect, test } from 'vitest';
import { signalFiltersIn } from './signal-filters.ts';

test.each([
  { search: {}, want: {} },
  { search: { verdict: 'duplicate', search: 'Kube' }, want: { verdict: 'duplicate', search: 'Kube' } },
  { search: { verdict: 'lost', search: '', page: 2 }, want: {} },
])('$search', ({ search, want }) => {
  expect(signalFiltersIn(search)).toEqual(want);
});
