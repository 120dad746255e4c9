import { describe, expect, test } from 'vitest';
import { canonicalQuantity } from './quantity.ts';

/** Each as kube-apiserver 1.36 gave it back. */
const QUANTITIES: Readonly<Record<string, string>> = {
  '0': '0',
  '1': '1',
  '-1': '-1',
  '1.5': '1500m',
  '.5': '500m',
  '0.0': '0',
  '1000m': '1',
  '100m': '100m',
  '1500m': '1500m',
  '1000': '1k',
  '1500': '1500',
  '1024': '1024',
  '1024Mi': '1Gi',
  '1536Mi': '1536Mi',
  '1.5Gi': '1536Mi',
  '0.5Ki': '512',
  '1000Ki': '1000Ki',
  '2048': '2048',
  '1e3': '1e3',
  '12e2': '1200',
  '1e-3': '1e-3',
  '0.1n': '1n',
  '1000000': '1M',
  '1k': '1k',
  '1Ei': '1Ei',
  '.': '0',
  Ki: '0',
};

describe('quantities', () => {
  test.each(Object.entries(QUANTITIES))('%s is kept as %s', (given, kept) => expect(canonicalQuantity(given)).toBe(kept));

  test.each([
    ['+1', '1'],
    ['1.', '1'],
    ['1E3', '1e3'],
  ])('%s, which a server may give back as it came, is kept as %s', (given, kept) => expect(canonicalQuantity(given)).toBe(kept));

  test.each(['', 'abc', '1x', '1.2.3', '1 Gi', '1ki', '1e', '--1'])('%j is none', (given) =>
    expect(canonicalQuantity(given)).toBeUndefined(),
  );
});
