import { expect, test } from 'vitest';
import { machineFiltersIn } from './machine-filters.ts';

test.each([
  { search: {}, want: {} },
  { search: { healthy: 'False', search: 'w', check: 'workers' }, want: { healthy: 'False', search: 'w', check: 'workers' } },
  { search: { healthy: 'perhaps', check: '' }, want: {} },
])('$search', ({ search, want }) => {
  expect(machineFiltersIn(search)).toEqual(want);
});
