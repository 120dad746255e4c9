import { expect, test } from 'vitest';
import { given } from './given.ts';

test('members without a value are left out; everything else stays, also what is empty or null', () =>
  expect(Object.entries(given({ a: undefined, b: 0, c: '', d: null, e: false }))).toEqual([
    ['b', 0],
    ['c', ''],
    ['d', null],
    ['e', false],
  ]));
