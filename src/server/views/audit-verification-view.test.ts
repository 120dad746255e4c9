import { expect, test } from 'vitest';
import { verificationView } from './audit-verification-view.ts';

const AT = '2026-03-02T10:00:00Z';
const end = { sequence: 3, hash: 'a'.repeat(64) };

test('a trail that proves nothing, or is not read yet, says no more than that', () => {
  expect(verificationView({ state: 'NotChained' })).toEqual({ state: 'NotChained', findings: [] });
  expect(verificationView({ state: 'Pending' })).toEqual({ state: 'Pending', findings: [] });
});

test('one that cannot be read says why', () => {
  expect(verificationView({ state: 'Unreadable', at: AT, message: 'no key' })).toEqual({
    state: 'Unreadable',
    at: AT,
    message: 'no key',
    findings: [],
  });
});

test('one that fits says how far, and by which checkpoint', () => {
  const checkpoint = { ...end, at: AT };
  const verification = { findings: [], events: 3, adopted: 1, end, checkpoint };
  expect(verificationView({ state: 'Verified', at: AT, verification })).toEqual({ state: 'Verified', at: AT, ...verification });
});

test('one that does not fit lists what was found, but not everything', () => {
  const findings = Array.from({ length: 200 }, (_, i) => ({ kind: 'Changed' as const, from: i, to: i, message: `event ${i}` }));
  const verification = { findings, events: 3, adopted: 0, end: undefined, checkpoint: undefined };
  const view = verificationView({ state: 'Broken', at: AT, verification });
  expect(view).toMatchObject({ state: 'Broken', message: 'event 0' });
  expect(view.findings).toHaveLength(100);
});
