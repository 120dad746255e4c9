import { expect, test } from 'vitest';
import { lazy } from './lazy.ts';

test('makes once, when asked', () => {
  let made = 0;
  const value = lazy(() => ++made);
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
  expect(made).toBe(1);
});

test('undefined counts as made', () => {
  let made = 0;
  const value = lazy(() => void made++);
  value();
  value();
  expect(made).toBe(1);
});

test('what could not be made is tried again', () => {
  let tries = 0;
  const value = lazy(() => {
    if (++tries === 1) throw new Error('not yet');
    return tries;
  });
  expect(value).toThrow('not yet');
  expect(value()).toBe(2);
});
