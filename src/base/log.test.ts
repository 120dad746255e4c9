import { expect, test } from 'vitest';
import { silent } from './log.ts';

test('the silent log stays silent, with fields too', () => {
  expect(silent.with({ kind: 'Job' })).toBe(silent);
  expect([silent.debug('a'), silent.info('a'), silent.warn('a'), silent.error('a', { b: 1 })]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
