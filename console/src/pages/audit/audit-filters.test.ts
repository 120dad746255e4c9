import { expect, test } from 'vitest';
import { auditFiltersIn } from './audit-filters.ts';

test.each([
  { search: {}, want: {} },
  { search: { remediation: 'rr-1', type: 'a.b,c.d' }, want: { remediation: 'rr-1', type: 'a.b,c.d' } },
  { search: { remediation: '', type: ['a'] }, want: {} },
])('$search', ({ search, want }) => {
  expect(auditFiltersIn(search)).toEqual(want);
});
