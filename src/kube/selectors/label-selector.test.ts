import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatLabelSelector, labelRequirements, matchesLabels, parseLabelSelector, type Labels } from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

const selects = (selector: string, labels: Labels | undefined): boolean => matchesLabels(parseLabelSelector(selector), labels);

describe('label selectors', () => {
  test.each([
    { selector: '', labels: {}, want: true, reason: 'an empty selector selects everything' },
    { selector: 'a=b', labels: { a: 'b' }, want: true, reason: 'equality' },
    { selector: 'a==b', labels: { a: 'c' }, want: false, reason: 'equality, written twice' },
    { selector: 'a=b', labels: undefined, want: false, reason: 'no labels at all' },
    { selector: 'a!=b', labels: {}, want: true, reason: 'what is absent is unequal' },
    { selector: 'a!=b', labels: { a: 'b' }, want: false, reason: 'inequality' },
    { selector: 'a in (b, c)', labels: { a: 'c' }, want: true, reason: 'one of several' },
    { selector: 'a in (b,c)', labels: {}, want: false, reason: 'absence is none of several' },
    { selector: 'a notin (b,c)', labels: {}, want: true, reason: 'absence is not in any set' },
    { selector: 'a notin (b,c)', labels: { a: 'b' }, want: false, reason: 'excluded' },
    { selector: 'a in (b,)', labels: { a: '' }, want: true, reason: 'the empty value may be listed' },
    { selector: 'a', labels: { a: '' }, want: true, reason: 'existence' },
    { selector: '!a', labels: { a: '' }, want: false, reason: 'absence' },
    { selector: 'a=', labels: { a: '' }, want: true, reason: 'the empty value' },
    { selector: 'a>3', labels: { a: '4' }, want: true, reason: 'numbers are compared as such' },
    { selector: 'a<10', labels: { a: '9' }, want: true, reason: 'not as text' },
    { selector: 'a>3', labels: { a: 'x' }, want: false, reason: 'what is no number is neither more nor less' },
    { selector: 'a=b,c,!d,e in (f)', labels: { a: 'b', c: '', e: 'f' }, want: true, reason: 'all terms hold' },
    { selector: ' a = b , c = d ', labels: { a: 'b', c: 'd' }, want: true, reason: 'blanks do not matter' },
    { selector: 'x/y=z', labels: { 'x/y': 'z' }, want: true, reason: 'keys may have a prefix' },
  ])('$selector: $reason', ({ selector, labels, want }) => {
    expect(selects(selector, labels)).toBe(want);
  });

  test.each([
    { selector: 'a==b==c', says: "found '==', expected: ',' or 'end of string'" },
    { selector: 'a in (b', says: "unable to parse requirement: found '', expected: ',' or ')'" },
    { selector: 'a in b', says: "expected: '('" },
    { selector: 'a=b,', says: "expected: identifier after ','" },
    { selector: '=b', says: 'expected: identifier' },
    { selector: 'a b', says: 'expected: in, notin, =, ==, !=, gt, lt' },
    { selector: 'a>b', says: 'must be an integer' },
    { selector: 'a=b c', says: "expected: ',' or 'end of string'" },
    { selector: '-a=b', says: 'name part must consist of' },
    { selector: 'a=-b', says: 'a valid label must be' },
    { selector: `${'a'.repeat(64)}=b`, says: 'must be no more than 63' },
    { selector: 'a/b/c=d', says: 'a qualified name' },
  ])('$selector is refused', ({ selector, says }) => {
    expect(() => parseLabelSelector(selector)).toThrow(SelectorError);
    expect(() => parseLabelSelector(selector)).toThrow(says);
  });

  test('matchLabels and matchExpressions become requirements', () => {
    const requirements = labelRequirements({
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: 'c', operator: 'In', values: ['d', 'e'] },
        { key: 'f', operator: 'DoesNotExist' },
      ],
    });
    expect(formatLabelSelector(requirements)).toBe('a=b,c in (d,e),!f');
    expect(matchesLabels(requirements, { a: 'b', c: 'e' })).toBe(true);
    expect(matchesLabels(requirements, { a: 'b', c: 'e', f: '' })).toBe(false);
    expect(matchesLabels(labelRequirements({}), undefined)).toBe(true);
    expect(() => labelRequirements({ matchExpressions: [{ key: 'a', operator: 'In', values: [] }] })).toThrow("can't be empty");
    const within = { key: 'a', operator: 'Within' as 'In', values: ['b'] };
    expect(() => labelRequirements({ matchExpressions: [within] })).toThrow('"Within" is not a valid label selector operator');
  });

  test('what is written is read back the same', () => {
    const word = fc.stringMatching(/^[a-z0-9]([a-z0-9._-]{0,8}[a-z0-9])?$/);
    const requirement = fc.oneof(
      fc.record({ key: word, operator: fc.constantFrom('=' as const, '!=' as const), values: fc.tuple(word) }),
      fc.record({ key: word, operator: fc.constantFrom('in' as const, 'notin' as const), values: fc.array(word, { minLength: 1 }) }),
      fc.record({ key: word, operator: fc.constantFrom('exists' as const, '!' as const), values: fc.constant([]) }),
      fc.record({ key: word, operator: fc.constantFrom('>' as const, '<' as const), values: fc.tuple(fc.nat().map(String)) }),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const keys = requirements.map(({ key }) => key);
        fc.pre(!keys.includes('in') && !keys.includes('notin'));
        expect(parseLabelSelector(formatLabelSelector(requirements))).toEqual(requirements);
      }),
    );
  });

  test('a term and its opposite never hold together', () => {
    const labels = fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'));
    const pair = fc.constantFrom(['a=x', 'a!=x'], ['a in (x,y)', 'a notin (x,y)'], ['a', '!a']);
    fc.assert(
      fc.property(labels, pair, (have, [one, other]) => {
        expect(selects(one!, have)).toBe(!selects(other!, have));
      }),
    );
  });
});
