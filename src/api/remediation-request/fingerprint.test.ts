import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';
import { FIRST, requestName } from './request-name.ts';

const checkout = { namespace: 'shop', kind: 'Deployment', name: 'checkout' };
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('a fingerprint', () => {
  test('[CO-006] is the SHA-256 of namespace:Kind:name', () => expect(fingerprintOf(checkout)).toBe(sha('shop:Deployment:checkout')));

  test('[CO-009] of a cluster-scoped resource has an empty namespace part', () =>
    expect(fingerprintOf({ namespace: '', kind: 'Node', name: 'worker-1' })).toBe(sha(':Node:worker-1')));

  test('[CO-008] has the cluster before it where one is named, so that equal names in two clusters differ', () => {
    expect(fingerprintOf(checkout, 'eu-1')).toBe(sha('eu-1:shop:Deployment:checkout'));
    expect(fingerprintOf(checkout, 'eu-2')).not.toBe(fingerprintOf(checkout, 'eu-1'));
    expect(fingerprintOf(checkout, '')).toBe(fingerprintOf(checkout));
  });
});

describe('the name of a request', () => {
  const print = fingerprintOf(checkout);

  test('comes from the fingerprint and the request before it', () => {
    expect(requestName(print, FIRST)).toBe(`rr-${print.slice(0, 12)}-${sha(`${print}first`).slice(0, 8)}`);
    expect(requestName(print, 'uid-1')).toBe(`rr-${print.slice(0, 12)}-${sha(`${print}uid-1`).slice(0, 8)}`);
  });

  test('leaves room for the prefixes of children in a label', () =>
    expect(`nr-manual-review-${requestName(print, FIRST)}`.length).toBeLessThanOrEqual(63));
});
