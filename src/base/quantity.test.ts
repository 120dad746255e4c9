import { expect, test } from 'vitest';
import { cpuText, memoryText, thousandths, times } from './quantity.ts';

test.each<[string | number, bigint | undefined]>([
  ['500m', 500n],
  ['2', 2000n],
  [2, 2000n],
  ['0.5', 500n],
  ['1.0005', 1001n],
  ['1k', 1_000_000n],
  ['1Ki', 1_024_000n],
  ['1.5Gi', 1_610_612_736_000n],
  ['', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['1 Gi', undefined],
  ['Gi', undefined],
  ['9'.repeat(16), undefined],
])('%s is %s thousandths', (text, amount) => expect(thousandths(text)).toBe(amount));

test('a missing text is not a quantity', () => expect(thousandths(undefined)).toBeUndefined());

test.each<[string, number, string, string]>([
  ['256Mi', 2, '512Mi', 'whole mebibytes'],
  ['512Mi', 2, '1Gi', 'the largest unit that fits'],
  ['100Mi', 1.5, '150Mi', 'a fraction'],
  ['1M', 1.1, '2Mi', 'rounded up'],
  ['1100Mi', 1, '1100Mi', 'no whole gibibytes'],
])('%s of memory times %s is %s: %s', (text, factor, wanted) => expect(memoryText(times(thousandths(text) ?? 0n, factor))).toBe(wanted));

test.each<[string, number, string]>([
  ['500m', 2, '1'],
  ['500m', 1.5, '750m'],
  ['1', 1.333, '1333m'],
  ['1m', 1.1, '2m'],
])('%s of CPU times %s is %s', (text, factor, wanted) => expect(cpuText(times(thousandths(text) ?? 0n, factor))).toBe(wanted));
