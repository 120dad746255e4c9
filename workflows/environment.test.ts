import { describe, expect, test } from 'vitest';
import { given, numberWithin, required, shaped, wholeNumberWithin, yesOrNo } from './environment.ts';

const RANGE = { least: 1, most: 50 };

describe('a variable', () => {
  test('that is blank is absent', () => expect(given({ A: '  ' }, 'A')).toBeUndefined());
  test('is taken without the space around it', () => expect(given({ A: ' x ' }, 'A')).toBe('x'));
  test.each([
    ['true', true],
    ['false', false],
    ['', false],
  ])('%s is %s', (text, value) => expect(yesOrNo({ A: text }, 'A')).toBe(value));
  test.each(['1', '50', ' 7 '])('%s is within', (text) => expect(wholeNumberWithin({ A: text }, 'A', RANGE)).toBe(Number(text)));
  test('that is absent has no number and no form', () =>
    expect([wholeNumberWithin({}, 'A', RANGE), shaped({}, 'A', /x/)]).toEqual([undefined, undefined]));
});

test.each<[string, () => unknown, RegExp]>([
  ['absent', () => required({}, 'A'), /A is not set/],
  ['none of those', () => required({ A: 'z' }, 'A', ['x', 'y']), /A is "z"; it must be x or y/],
  ['of another form', () => shaped({ A: 'z;' }, 'A', /^[a-z]$/), /must match/],
  ['too small', () => numberWithin({ A: '0' }, 'A', RANGE), /from 1 to 50/],
  ['too large', () => numberWithin({ A: '51' }, 'A', RANGE), /from 1 to 50/],
  ['no number', () => numberWithin({ A: '1e1' }, 'A', RANGE), /from 1 to 50/],
  ['negative', () => numberWithin({ A: '-1' }, 'A', RANGE), /from 1 to 50/],
  ['a fraction', () => wholeNumberWithin({ A: '1.5' }, 'A', RANGE), /whole number/],
  ['neither yes nor no', () => yesOrNo({ A: 'yes' }, 'A'), /must be true or false/],
])('what is %s is refused with the exit code for it', (_, read, message) => {
  expect(read).toThrow(message);
  expect(read).toThrow(expect.objectContaining({ exitCode: 2 }) as Error);
});
