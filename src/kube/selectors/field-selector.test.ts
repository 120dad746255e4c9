import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFieldSelector, matchesFields, parseFieldSelector } from './field-selector.ts';
import { SelectorError } from './selector-error.ts';

const selects = (selector: string, fields: Readonly<Record<string, string>>): boolean =>
  matchesFields(parseFieldSelector(selector), (field) => fields[field] ?? '');

describe('field selectors', () => {
  test.each([
    { selector: '', fields: {}, want: true, reason: 'an empty selector selects everything' },
    { selector: 'metadata.name=a', fields: { 'metadata.name': 'a' }, want: true, reason: 'equality' },
    { selector: 'metadata.name==a', fields: { 'metadata.name': 'b' }, want: false, reason: 'equality, written twice' },
    { selector: 'a!=b', fields: { a: 'b' }, want: false, reason: 'inequality' },
    { selector: 'a=b,c!=d,', fields: { a: 'b' }, want: true, reason: 'all terms hold, empty ones do not count' },
    { selector: 'a=', fields: {}, want: true, reason: 'what is absent is empty' },
    { selector: 'a=b\\,c\\=d\\\\e', fields: { a: 'b,c=d\\e' }, want: true, reason: 'escaped commas, equals signs and backslashes' },
  ])('$selector: $reason', ({ selector, fields, want }) => {
    expect(selects(selector, fields)).toBe(want);
  });

  test.each([
    { selector: 'foo', says: "invalid selector: 'foo'; can't understand 'foo'" },
    { selector: 'a=b=c', says: 'unescaped character in value' },
    { selector: 'a=b\\c', says: 'invalid escape sequence' },
  ])('$selector is refused', ({ selector, says }) => {
    expect(() => parseFieldSelector(selector)).toThrow(SelectorError);
    expect(() => parseFieldSelector(selector)).toThrow(says);
  });

  test('what is written is read back the same', () => {
    const requirement = fc.record({
      field: fc.stringMatching(/^[a-z]+(\.[a-z]+)*$/),
      operator: fc.constantFrom('=' as const, '!=' as const),
      value: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(requirement), (all) => {
        expect(parseFieldSelector(formatFieldSelector(all))).toEqual(all);
      }),
    );
  });
});
