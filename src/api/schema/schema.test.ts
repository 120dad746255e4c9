import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { parseDuration } from '../../base/index.ts';
import { structural } from '../crd-of.ts';
import {
  any,
  anyObject,
  conditions,
  digest,
  duration,
  enumOf,
  flag,
  fraction,
  immutable,
  int32,
  int64,
  intOrString,
  list,
  map,
  object,
  objectReference,
  optional,
  partial,
  text,
  textMap,
  texts,
  time,
  DURATION_PATTERN,
  type Shape,
} from './index.ts';

describe('a builder gives the schema that a CustomResourceDefinition wants', () => {
  const rule = immutable('it');
  const cases = [
    {
      name: 'text',
      schema: text('D.', { min: 1, max: 9, pattern: '^a' }),
      want: { type: 'string', pattern: '^a', minLength: 1, maxLength: 9 },
    },
    { name: 'text with a rule', schema: text('D.', { rules: [rule] }), want: { type: 'string', 'x-kubernetes-validations': [rule] } },
    { name: 'enumOf', schema: enumOf('D.', ['a', ''], { default: 'a' }), want: { type: 'string', enum: ['a', ''], default: 'a' } },
    { name: 'time', schema: time('D.'), want: { type: 'string', format: 'date-time' } },
    { name: 'digest', schema: digest('D.'), want: { type: 'string', maxLength: 71, pattern: '^sha256:[a-f0-9]{64}$' } },
    {
      name: 'int32',
      schema: int32('D.', { min: 0, max: 5, default: 3 }),
      want: { type: 'integer', format: 'int32', minimum: 0, maximum: 5, default: 3 },
    },
    { name: 'int64', schema: int64('D.'), want: { type: 'integer', format: 'int64' } },
    { name: 'fraction', schema: fraction('D.'), want: { type: 'number', minimum: 0, maximum: 1 } },
    { name: 'flag', schema: flag('D.'), want: { type: 'boolean' } },
    {
      name: 'intOrString',
      schema: intOrString('D.', { min: 0, pattern: '%$' }),
      want: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, minimum: 0, pattern: '%$' },
    },
    {
      name: 'textMap',
      schema: textMap('D.', { max: 4 }),
      want: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 4 },
    },
    {
      name: 'texts',
      schema: texts('D.', { min: 1, maxLength: 3 }),
      want: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1 },
    },
    {
      name: 'list by keys',
      schema: list('D.', object('I.', { k: text('K.') }), { keys: ['k'], max: 2 }),
      want: {
        type: 'array',
        items: { type: 'object', description: 'I.', required: ['k'], properties: { k: { type: 'string', description: 'K.' } } },
        maxItems: 2,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    },
    {
      name: 'atomic list',
      schema: list('D.', flag('F.'), { atomic: true }),
      want: { type: 'array', items: { type: 'boolean', description: 'F.' }, 'x-kubernetes-list-type': 'atomic' },
    },
    { name: 'map', schema: map('D.', flag('F.')), want: { type: 'object', additionalProperties: { type: 'boolean', description: 'F.' } } },
    { name: 'any', schema: any('D.'), want: { 'x-kubernetes-preserve-unknown-fields': true } },
    { name: 'anyObject', schema: anyObject('D.'), want: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    {
      name: 'object with an optional member',
      schema: object('D.', { a: flag('A.'), b: optional(flag('B.')) }, { minProperties: 1, rules: [rule] }),
      want: {
        type: 'object',
        minProperties: 1,
        required: ['a'],
        properties: { a: { type: 'boolean', description: 'A.' }, b: { type: 'boolean', description: 'B.' } },
        'x-kubernetes-validations': [rule],
      },
    },
    {
      name: 'partial',
      schema: partial('D.', { a: flag('A.') }),
      want: { type: 'object', properties: { a: { type: 'boolean', description: 'A.' } } },
    },
  ];
  test.each(cases)('$name', ({ schema, want }) => expect(structural(schema)).toEqual({ description: 'D.', ...want }));
});

test('the schema is plain data: it survives JSON, and nothing of the builder is left in it', () => {
  const schema = structural(object('D.', { refs: list('L.', objectReference('R.')), conditions: optional(conditions(['Ready'])) }));
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(JSON.stringify(schema)).not.toMatch(/~kind|~optional|patternProperties/);
});

test('the same schema gives a readonly TypeScript type', () => {
  const schema = object('D.', {
    phase: enumOf('P.', ['Pending', 'Done']),
    tags: optional(texts('T.')),
    inner: partial('I.', { count: int32('C.'), when: time('W.') }),
    byName: map('M.', flag('F.')),
    whatever: any('A.'),
  });
  expectTypeOf<Shape<typeof schema>>().toEqualTypeOf<{
    readonly phase: 'Pending' | 'Done';
    readonly tags?: readonly string[];
    readonly inner: { readonly count?: number; readonly when?: string };
    readonly byName: { readonly [name: string]: boolean };
    readonly whatever: unknown;
  }>();
});

describe('duration', () => {
  const pattern = new RegExp(DURATION_PATTERN);

  test.each(['5m', '1h30m', '0', '0s', '1.5s', '300ms', '10µs', '2h45m30s'])('takes %s', (value) => expect(pattern.test(value)).toBe(true));

  test.each(['-5m', '5', '5 m', 'm', '', '1d', '1h30', '+5m', '.5s', '5M'])('refuses "%s"', (value) =>
    expect(pattern.test(value)).toBe(false),
  );

  test('takes nothing that cannot be read as a length of time', () => {
    const units = fc.constantFrom('ns', 'us', 'µs', 'ms', 's', 'm', 'h', '', 'd');
    const part = fc
      .tuple(fc.constantFrom('', '-', '+'), fc.constantFrom('0', '5', '12.5', '.5', '5.', ''), units)
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
        const value = parts.join('');
        if (pattern.test(value)) expect(parseDuration(value)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('is no longer than a person would write', () => expect(duration('D.')).toMatchObject({ maxLength: 64 }));
});
