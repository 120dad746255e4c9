import { describe, expect, test } from 'vitest';
import { matchesPattern } from './simple-pattern.ts';

describe('matchesPattern', () => {
  test.each([
    ['^[0-9]+(Mi|Gi)$', '512Mi', true],
    ['^[0-9]+(Mi|Gi)$', '512', false],
    ['[0-9]+', 'a1', false],
    ['Mi|Gi', 'Mi and more', false],
    ['[a-z]([-a-z0-9]*[a-z0-9])?', 'checkout-2', true],
    ['\\(\\d+\\)', '(12)', true],
    ['(?:a|b)', 'b', true],
    ['[()*+{]+', '(*{', true],
    ['.+', 'x'.repeat(253), true],
    ['.+', 'x'.repeat(254), false],
    ['', '', true],
    ['a{3,253}', 'a'.repeat(253), true],
    ['ab'.repeat(256), 'ab', false],
    ['\\d+\\.\\d+\\.\\d+', '1.20.3', true],
    ['Ki|Mi|Gi|Ti|Pi|Ei', 'Ti', true],
    ['[a-z]*[a-z]*[a-z]*1?', 'x'.repeat(253), true],
  ])('%j on %j: %s', (pattern, value, want) => expect(matchesPattern(pattern, value)).toBe(want));

  test.each([
    '(a+)+',
    '(a|a)*',
    '(a|aa){2,}',
    '(a)\\1',
    '(?=a)a',
    '(?<!b)a',
    '(?<x>a)\\k<x>',
    'a*a*a*a*b',
    'a?'.repeat(30),
    '(a|aa)'.repeat(30),
    '[',
    'a**',
    'a{1000}',
    'a{1,1000}',
    'ab'.repeat(257),
  ])('%j is wrong or too complicated, and is not tried', (pattern) => expect(matchesPattern(pattern, 'a'.repeat(200))).toBeUndefined());
});
