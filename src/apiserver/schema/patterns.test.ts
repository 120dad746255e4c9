import { describe, expect, test } from 'vitest';
import { compilePattern, matchesIn } from './patterns.ts';

describe('a pattern', () => {
  test.each([
    { reason: 'matches anywhere unless it is anchored', pattern: 'b', text: 'abc', want: true },
    { reason: 'ignores case where it says so', pattern: '(?i)^AB$', text: 'aB', want: true },
    { reason: 'counts a character outside the basic plane as one', pattern: '^.$', text: '😀', want: true },
    { reason: 'knows classes of Unicode', pattern: '^\\p{L}+$', text: 'é', want: true },
    { reason: 'ends at the end of the text, not before a line break', pattern: '^a$', text: 'a\n', want: false },
  ])('$reason: $pattern', ({ pattern, text, want }) => {
    expect(compilePattern(pattern).test(text)).toBe(want);
  });

  test.each(['(a', '(?=a)', '(a)\\1', 'a{1,2000}'])('that Go does not know is refused: %s', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(/error parsing regexp/);
  });

  test('with nested repetition is matched in time linear in the text', () => {
    expect(compilePattern('^(a+)+$').test(`${'a'.repeat(10_000)}!`)).toBe(false);
  });

  test('finds every match from left to right', () => {
    expect(matchesIn('a1b22', '[0-9]+')).toEqual(['1', '22']);
    expect(matchesIn('abc', '[0-9]+')).toEqual([]);
  });
});
