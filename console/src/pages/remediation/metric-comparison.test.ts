import { expect, test } from 'vitest';
import { comparisonText } from './metric-comparison.ts';

const span = { faultFrom: '2026-01-01T10:00:00Z', ranAt: '2026-01-01T10:05:00Z', checkedFrom: '2026-01-01T10:10:00Z' };
const at = (minute: string, value: number) => ({ at: `2026-01-01T10:${minute}:00Z`, value });

test.each([
  {
    samples: [at('01', 4), at('03', 2), at('07', 100), at('10', 0), at('12', 0)],
    want: '3 during the fault, 0 after; lower is better',
    reason: 'both were measured; what is between counts for neither',
  },
  { samples: [at('01', 1 / 3)], want: '0.333 during the fault, not measured after; lower is better', reason: 'nothing was measured since' },
  { samples: [], want: 'not measured during the fault, not measured after; lower is better', reason: 'there is nothing' },
])('$want: $reason', ({ samples, want }) => expect(comparisonText({ samples, better: 'lower' }, span)).toBe(want));

test('without a start of the fault all from before the run counts', () => {
  const { faultFrom: _faultFrom, ...rest } = span;
  expect(comparisonText({ samples: [{ at: '2026-01-01T09:00:00Z', value: 8 }, at('04', 4)], better: 'higher' }, rest)).toBe(
    '6 during the fault, not measured after; higher is better',
  );
});
