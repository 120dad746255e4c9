import { expect, test } from 'vitest';
import { thresholdTable } from './threshold-table.ts';

test('[MH-058] both meanings of the threshold stand side by side, with numbers', () => {
  const table = thresholdTable();
  expect(table).toContain('v1alpha3 `maxUnhealthy: "40%"`');
  expect(table).toContain('v1beta1 `maxUnhealthy: "40%"`');
  expect(table).toContain('| 5 | 2 | stopped | remediated | stopped | remediated |');
  expect(table).toContain('| 6 | 2 | remediated | remediated | stopped | remediated |');
});
