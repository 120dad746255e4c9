import { describe, expect, test } from 'vitest';
import { steadyClock } from '../../base/index.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import type { FieldError } from '../field-error.ts';
import { expressionProblem } from './cel-rule.ts';
import { compileSchema } from './schema-node.ts';
import { validateRules } from './validate-rules.ts';

const LIST: JsonSchema = { type: 'array', items: { type: 'integer' } };
const TEXTS: JsonSchema = { type: 'array', items: { type: 'string' } };
const ones = (count: number): readonly number[] => Array.from({ length: count }, () => 1);

function faults(properties: Readonly<Record<string, JsonSchema>>, rules: readonly string[], value: unknown): readonly string[] {
  const schema = { type: 'object', properties, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) } as unknown as JsonSchema;
  const errors: FieldError[] = [];
  validateRules(compileSchema(schema), { value, old: undefined, path: 'spec', nameless: '<nil>' }, errors);
  return errors.map(({ message }) => message);
}

const NESTED = 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))';
const CANCELLED = (rule: string): string =>
  `Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
const OUT_OF_BUDGET =
  'Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run';

describe('what the rules of a CRD may cost', () => {
  test.each<{ reason: string; rule: string; value: unknown }>([
    { reason: 'three loops', rule: NESTED, value: { l: ones(400) } },
    { reason: 'three loops whose errors are ignored', rule: `${NESTED} || true`, value: { l: ones(400) } },
    {
      reason: 'a loop that ends with an error each time',
      rule: 'self.l.exists(a, self.l.all(b, self.l.all(c, 1 / 0 == b)))',
      value: { l: ones(400) },
    },
    { reason: 'lists that are made in loops', rule: 'self.l.map(a, self.l.map(b, self.l.map(c, c))).size() > 0', value: { l: ones(400) } },
    { reason: 'a large list compared in a loop', rule: 'self.l.all(a, self.l == self.l)', value: { l: ones(3_000) } },
    { reason: 'a large list searched in a loop', rule: 'self.l.all(a, !(a + 1 in self.l))', value: { l: ones(3_000) } },
    {
      reason: 'a text that doubles',
      rule: `self.l.all(a, (${Array.from({ length: 9 }, () => 's').join('+')}).contains("y") || true)`.replaceAll(/\bs\b/g, 'self.s'),
      value: { l: ones(50), s: 'x'.repeat(100_000) },
    },
    {
      reason: 'a pattern on long texts',
      rule: "self.l.all(a, !self.s.matches('^(a+)+$'))",
      value: { l: ones(1_000), s: `${'a'.repeat(10_000)}!` },
    },
    {
      reason: 'the search for a pattern in long texts',
      rule: "self.l.all(a, self.s.findAll('a').size() > 0)",
      value: { l: ones(1_000), s: 'a'.repeat(10_000) },
    },
  ])('$reason: the rule is cancelled soon', ({ rule, value }) => {
    const begun = steadyClock.now();
    expect(faults({ l: LIST, s: { type: 'string' } }, [rule, 'false'], value)).toEqual([CANCELLED(rule)]);
    expect(steadyClock.now() - begun).toBeLessThan(3_000);
  });

  test('many rules that are each cheap enough end with the budget of the request', () => {
    const rules = Array.from({ length: 50 }, (_, i) => `self.l.all(a, self.l.all(b, a + b > ${-i}))`);
    const found = faults({ l: LIST }, [...rules, 'false'], { l: ones(250) });
    expect(found).toEqual([OUT_OF_BUDGET]);
  });

  test('usual rules cost nearly nothing', () => {
    const value = { l: ones(500), t: Array.from({ length: 500 }, (_, i) => `name-${i}`) };
    const rules = [
      'self.l.all(a, a > 0)',
      "self.t.all(t, t.matches('^[a-z]+-[0-9]+$'))",
      'self.l.sum() == 500',
      "self.t.exists_one(t, t == 'name-3')",
    ];
    expect(faults({ l: LIST, t: TEXTS }, rules, value)).toEqual([]);
  });
});

describe('patterns in rules', () => {
  const holds = (pattern: string, text: string): boolean =>
    faults({ s: { type: 'string' } }, [`self.s.matches(${JSON.stringify(pattern)})`], { s: text }).length === 0;

  test('are those of Go, and none hangs the server', () => {
    expect(holds('^(a+)+$', `${'a'.repeat(40)}!`)).toBe(false);
    expect(holds('(?i)abc', 'xABCx')).toBe(true);
    expect(holds(String.raw`^\pL+$`, 'äöü')).toBe(true);
    expect(holds('b', 'abc')).toBe(true);
  });

  test('that Go does not know are refused with the CRD', () => {
    const use = {
      schema: { type: 'object', properties: { s: { type: 'string' } } } as JsonSchema,
      result: 'bool',
      optionalOldSelf: false,
    } as const;
    expect(expressionProblem("self.s.matches('(?=a)b')", use)).toBe('compilation failed: ERROR: invalid matches argument');
    expect(expressionProblem("self.s.matches('a|b')", use)).toBeUndefined();
  });
});
