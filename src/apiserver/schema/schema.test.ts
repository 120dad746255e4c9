import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deepFreeze } from '../../base/index.ts';
import type { FieldError } from '../field-error.ts';
import { applyDefaults } from './apply-defaults.ts';
import { celName } from './cel-names.ts';
import { hasFormat } from './formats.ts';
import type { JsonSchema } from '../../kube/builtin/index.ts';
import { prune } from './prune.ts';
import { compileSchema } from './schema-node.ts';
import { validate } from './validate.ts';
import { validateRules } from './validate-rules.ts';

const pruned = (schema: JsonSchema, value: unknown): { readonly value: unknown; readonly dropped: readonly string[] } => {
  const dropped: string[] = [];
  return { value: prune(compileSchema(schema), deepFreeze(value), '', dropped), dropped };
};

const object = (properties: Readonly<Record<string, JsonSchema>>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const text: JsonSchema = { type: 'string' };

describe('pruning', () => {
  test.each([
    { reason: 'unknown members go', schema: object({ a: text }), value: { a: 'x', b: 1 }, want: { a: 'x' }, dropped: ['b'] },
    {
      reason: 'in lists too',
      schema: object({ l: { type: 'array', items: object({ a: text }) } }),
      value: { l: [{ a: '1', b: 2 }] },
      want: { l: [{ a: '1' }] },
      dropped: ['l[0].b'],
    },
    {
      reason: 'in maps too',
      schema: object({ m: { type: 'object', additionalProperties: object({}) } }),
      value: { m: { k: { x: 1 } } },
      want: { m: { k: {} } },
      dropped: ['m.k.x'],
    },
    {
      reason: 'preserved ones stay',
      schema: object({ a: object({ k: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }) }),
      value: { a: { b: { c: 1 }, k: { d: 1 } } },
      want: { a: { b: { c: 1 }, k: {} } },
      dropped: ['a.k.d'],
    },
    {
      reason: 'an embedded resource keeps its envelope',
      schema: object({ t: object({}, { 'x-kubernetes-embedded-resource': true }) }),
      value: { t: { apiVersion: 'v1', kind: 'K', metadata: { a: 1 }, x: 1 } },
      want: { t: { apiVersion: 'v1', kind: 'K', metadata: { a: 1 } } },
      dropped: ['t.x'],
    },
    {
      reason: 'what has the wrong type is left for validation',
      schema: object({ a: object({}) }),
      value: { a: 'x' },
      want: { a: 'x' },
      dropped: [],
    },
  ])('$reason', ({ schema, value, want, dropped }) => {
    expect(pruned(schema, value)).toEqual({ value: want, dropped });
  });

  test('shares the value when nothing goes', () => {
    const value = deepFreeze({ a: 'x' });
    expect(pruned(object({ a: text }), value).value).toBe(value);
  });
});

describe('defaults', () => {
  const size: JsonSchema = { type: 'integer', default: 3 };
  test.each([
    { reason: 'fill what is absent', schema: object({ size }), value: {}, want: { size: 3 } },
    { reason: 'leave what is there', schema: object({ size }), value: { size: 0 }, want: { size: 0 } },
    { reason: 'fill nulls that may not be', schema: object({ size }), value: { size: null }, want: { size: 3 } },
    {
      reason: 'leave nulls that may be',
      schema: object({ size: { ...size, nullable: true } }),
      value: { size: null },
      want: { size: null },
    },
    { reason: 'drop nulls that may not be', schema: object({ a: text }), value: { a: null }, want: {} },
    { reason: 'make no parents', schema: object({ deep: object({ size }) }), value: {}, want: {} },
    {
      reason: 'but fill parents that have a default',
      schema: object({ deep: object({ size }, { default: {} }) }),
      value: {},
      want: { deep: { size: 3 } },
    },
    {
      reason: 'reach items',
      schema: object({ l: { type: 'array', items: object({ size }) } }),
      value: { l: [{}] },
      want: { l: [{ size: 3 }] },
    },
    {
      reason: 'reach map values',
      schema: object({ m: { type: 'object', additionalProperties: object({ size }) } }),
      value: { m: { k: {} } },
      want: { m: { k: { size: 3 } } },
    },
    {
      reason: 'leave nulls in lists for validation',
      schema: object({ l: { type: 'array', items: text } }),
      value: { l: [null] },
      want: { l: [null] },
    },
  ])('$reason', ({ schema, value, want }) => {
    const node = compileSchema(schema);
    const once = applyDefaults(node, deepFreeze(value));
    expect(once).toEqual(want);
    expect(applyDefaults(node, once)).toBe(once);
  });
});

describe('ratcheting', () => {
  const node = compileSchema(
    object({
      a: { type: 'string', maxLength: 1 },
      l: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: object({ k: text, v: { type: 'string', maxLength: 1 } }),
      },
    }),
  );
  const faults = (value: unknown, old: unknown): readonly string[] => {
    const errors: FieldError[] = [];
    validate(node, { value, old, path: '', nameless: '<nil>' }, errors);
    return errors.map(({ field }) => field);
  };
  test.each([
    { reason: 'what is new is judged', value: { a: 'xx' }, old: undefined, want: ['a'] },
    { reason: 'what has not changed is not', value: { a: 'xx', l: [] }, old: { a: 'xx' }, want: [] },
    { reason: 'what has changed is', value: { a: 'xy' }, old: { a: 'xx' }, want: ['a'] },
    {
      reason: 'items are followed by their key',
      value: { l: [{ k: 'n' }, { k: 'o', v: 'xx' }] },
      old: { l: [{ k: 'o', v: 'xx' }] },
      want: [],
    },
    { reason: 'under another key they are new', value: { l: [{ k: 'p', v: 'xx' }] }, old: { l: [{ k: 'o', v: 'xx' }] }, want: ['l[0].v'] },
  ])('$reason', ({ value, old, want }) => {
    expect(faults(value, old)).toEqual(want);
  });
});

describe('rules', () => {
  const broken = (schema: JsonSchema, value: unknown, old?: unknown): readonly string[] => {
    const errors: FieldError[] = [];
    validateRules(compileSchema(schema), { value, old, path: 'spec', nameless: '<nil>' }, errors);
    return errors.map(({ field, message }) => `${field}: ${message}`);
  };
  const withRule = (schema: JsonSchema, rule: NonNullable<JsonSchema['x-kubernetes-validations']>[number]): JsonSchema => ({
    ...schema,
    'x-kubernetes-validations': [rule],
  });

  test.each([
    { reason: 'a message', rule: { rule: 'self > 5', message: 'too few' }, says: 'spec: Invalid value: 3: too few' },
    { reason: 'no message', rule: { rule: 'self > 5' }, says: 'spec: Invalid value: 3: failed rule: self > 5' },
    {
      reason: 'a computed message',
      rule: { rule: 'self > 5', messageExpression: '"got " + string(self)', message: 'x' },
      says: 'spec: Invalid value: 3: got 3',
    },
    {
      reason: 'a computed message that fails',
      rule: { rule: 'self > 5', messageExpression: 'string(self / 0)', message: 'too few' },
      says: 'spec: Invalid value: 3: too few',
    },
    {
      reason: 'a computed message that is empty',
      rule: { rule: 'self > 5', messageExpression: '" "' },
      says: 'spec: Invalid value: 3: failed rule: self > 5',
    },
    {
      reason: 'the reason Forbidden',
      rule: { rule: 'self > 5', reason: 'FieldValueForbidden' as const, message: 'no' },
      says: 'spec: Forbidden: no',
    },
    {
      reason: 'the reason Duplicate',
      rule: { rule: 'self > 5', reason: 'FieldValueDuplicate' as const, message: 'no' },
      says: 'spec: Duplicate value: 3',
    },
    {
      reason: 'a rule that stumbles',
      rule: { rule: 'self / 0 > 1', message: 'm' },
      says: 'spec: Invalid value: 3: division by zero evaluating rule: m',
    },
  ])('with $reason', ({ rule, says }) => {
    expect(broken(withRule({ type: 'integer' }, rule), 3)).toEqual([says]);
  });

  test('about changes are silent where nothing was', () => {
    const schema = withRule({ type: 'integer' }, { rule: 'self >= oldSelf', message: 'only up' });
    expect(broken(schema, 3)).toEqual([]);
    expect(broken(schema, 3, 4)).toEqual(['spec: Invalid value: 3: only up']);
    expect(broken(withRule({ type: 'integer' }, { rule: 'self > oldSelf', message: 'must rise' }), 3, 3)).toEqual([
      'spec: Invalid value: 3: must rise',
    ]);
  });

  test('about the value are silent while it does not change', () => {
    expect(broken(withRule({ type: 'integer' }, { rule: 'self > 5' }), 3, 3)).toEqual([]);
  });

  test('with an optional past run on creation too', () => {
    const schema = withRule(text, {
      rule: 'oldSelf.orValue("first") == "first" || self == oldSelf.value()',
      optionalOldSelf: true,
      message: 'm',
    });
    expect(broken(schema, 'a')).toEqual([]);
    expect(broken(schema, 'b', 'a')).toHaveLength(1);
  });

  test('oldSelf in a text is no use of it', () => {
    expect(broken(withRule(text, { rule: 'self != "oldSelf"', message: 'm' }), 'oldSelf')).toHaveLength(1);
  });

  test.each([
    { reason: 'that look at it', rule: 'self == oldSelf', wants: 1 },
    { reason: 'that do not', rule: 'self.n == oldSelf.n', wants: 0 },
  ])('a list where a time belongs fails rules $reason: $wants', ({ rule, wants }) => {
    const schema = withRule(object({ at: { type: 'string', format: 'date-time' }, n: { type: 'integer' } }), { rule });
    const found = broken(schema, { at: [], n: 1 }, { at: [], n: 1 });
    expect(found).toHaveLength(wants);
    expect(found.every((line) => line.includes('expected string'))).toBe(true);
  });

  test('see dates, durations and whole numbers as such', () => {
    const schema = withRule(
      object({
        at: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        long: { type: 'string', format: 'duration' },
        n: { type: 'integer' },
        b: { type: 'string', format: 'byte' },
      }),
      {
        rule: 'self.at > timestamp("2020-01-01T00:00:00Z") && self.day < self.at && self.long == duration("90m") && self.n / 2 == 1 && self.b == b"x"',
      },
    );
    expect(broken(schema, { at: '2026-01-02T00:00:00Z', day: '2026-01-01', long: '1h30m', n: 3, b: 'eA==' })).toEqual([]);
  });

  test('reach into maps and name the place', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: withRule({ type: 'integer' }, { rule: 'self > 1', message: 'm' }) };
    expect(broken(schema, { a: 2, b: 1 })).toEqual(['spec.b: Invalid value: 1: m']);
  });
});

describe('names in rules', () => {
  test.each([
    ['plain', 'plain'],
    ['b-c', 'b__dash__c'],
    ['a.b', 'a__dot__b'],
    ['a/b', 'a__slash__b'],
    ['a__b', 'a__underscores__b'],
    ['namespace', '__namespace__'],
    ['in', '__in__'],
    ['0a', undefined],
    ['a b', undefined],
  ])('%s', (name, want) => {
    expect(celName(name)).toBe(want);
  });

  test('two names are never written alike', () => {
    const name = fc.stringMatching(/^[a-z][a-z_./-]{0,6}$/);
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other && celName(one) !== undefined);
        expect(celName(one)).not.toBe(celName(other));
      }),
    );
  });
});

describe('formats', () => {
  test.each([
    [
      'date-time',
      ['2026-11-15T03:00:00Z', '2026-11-15t03:00:00.123+01:00'],
      ['2026-11-15', '2026-11-15T03:00:00', 'x', '2026-13-15T03:00:00Z'],
    ],
    ['date', ['2026-11-15'], ['2026-11-45', 'x']],
    ['duration', ['5m', '1h30m', '3 days', '0'], ['5q', '', 'five']],
    ['byte', ['eA==', ''], ['eA=', '*']],
    ['uuid', ['1f6cb97c-b593-4728-8545-4b3e334c6cfe'], ['1f6c']],
    ['ipv4', ['1.2.3.4'], ['1.2.3', '::1']],
    ['ipv6', ['::1'], ['1.2.3.4']],
    ['cidr', ['10.0.0.0/8', '::/0'], ['10.0.0.0', '10.0.0.0/33']],
    ['email', ['a@b.c'], ['a']],
    ['hostname', ['a.example.com', 'localhost'], ['-a', 'a b']],
    ['uri', ['https://a/b', '/a'], ['a b']],
    ['mac', ['00:11:22:33:44:55'], ['00:11']],
    ['of-nobody', ['anything'], []],
  ])('%s', (format, good, bad) => {
    expect(good.filter((value) => !hasFormat(format, value))).toEqual([]);
    expect(bad.filter((value) => hasFormat(format, value))).toEqual([]);
  });
});
