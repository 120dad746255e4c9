import { expect, test } from 'vitest';
import { comparisonText } from './metric-comparison.ts';

test.each([
  { during: 3, after: 0, want: '3 during the fault, 0 after; lower is better' },
  { during: 1 / 3, want: '0.333 during the fault, not measured after; lower is better' },
  { after: 123_456, want: 'not measured during the fault, 123000 after; lower is better' },
])('$want', ({ want, ...averages }) => expect(comparisonText({ ...averages, better: 'lower' })).toBe(want));
