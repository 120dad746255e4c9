import { describe, expect, test } from 'vitest';
import { assertNever, hasCode, messageOf, PlatformError } from './errors.ts';

describe('PlatformError', () => {
  test('carries its code, its message and what caused it', () => {
    const cause = new Error('socket closed');
    const error = new PlatformError('Unavailable', 'reading pods', { cause });
    expect(error).toMatchObject({ name: 'PlatformError', code: 'Unavailable', message: 'reading pods', retry: 'backoff', cause });
  });

  test('can be final', () => {
    expect(new PlatformError('Terminal', 'bad plan', { retry: 'never' }).retry).toBe('never');
  });
});

describe('hasCode', () => {
  const cases = [
    { error: new PlatformError('NotFound', 'a'), want: true, reason: 'its code' },
    { error: new PlatformError('Conflict', 'a'), want: false, reason: 'another code' },
    { error: Object.assign(new Error('a'), { code: 'NotFound' }), want: false, reason: 'another kind of error with the same code' },
    { error: { code: 'NotFound' }, want: false, reason: 'no error at all' },
    { error: undefined, want: false, reason: 'nothing' },
  ];
  test.each(cases)('$reason → $want', ({ error, want }) => {
    expect(hasCode(error, 'NotFound')).toBe(want);
  });
});

describe('messageOf', () => {
  const cases = [
    { error: new Error('a'), want: 'a' },
    { error: new PlatformError('Gone', 'b'), want: 'b' },
    { error: 'c', want: 'c' },
    { error: undefined, want: 'undefined' },
    { error: 7, want: '7' },
  ];
  test.each(cases)('$want', ({ error, want }) => {
    expect(messageOf(error)).toBe(want);
  });
});

test('assertNever names the value that should not be', () => {
  expect(() => assertNever('Sideways' as never)).toThrow(
    expect.objectContaining({ code: 'Internal', retry: 'never', message: 'unexpected value "Sideways"' }),
  );
});
