import { describe, expect, test } from 'vitest';
import type { RemediationWorkflow } from '../api/remediation-workflow/remediation-workflow.ts';
import { checkParameters } from './check-parameters.ts';

type Declaration = RemediationWorkflow['spec']['parameters'][number];

const declare = (more: Partial<Declaration> = {}): Declaration => ({
  name: 'REVISION',
  type: 'string',
  required: false,
  description: 'which one',
  ...more,
});

describe('checkParameters', () => {
  test('takes what is declared and leaves out the rest', () =>
    expect(checkParameters([declare()], { REVISION: '2', OTHER: 'x' })).toEqual({ kind: 'fit', parameters: { REVISION: '2' } }));

  test.each([
    ['text', '512Mi', '512Mi'],
    ['number', 3, '3'],
    ['truth', false, 'false'],
    ['list', ['a'], '["a"]'],
  ])('fills in a default that is a %s', (_, value, want) =>
    expect(checkParameters([declare({ default: value })], {})).toEqual({ kind: 'fit', parameters: { REVISION: want } }),
  );

  test('a given value goes before the default', () =>
    expect(checkParameters([declare({ default: '9' })], { REVISION: '2' })).toMatchObject({ parameters: { REVISION: '2' } }));

  test.each(['constructor', '__proto__', 'toString'])('a parameter may be called %s', (name) => {
    expect(checkParameters([declare({ name })], {})).toEqual({ kind: 'fit', parameters: {} });
    expect(checkParameters([declare({ name, required: true })], {})).toMatchObject({ kind: 'unfit' });
    const checked = checkParameters([declare({ name })], JSON.parse(`{"${name}":"x"}`) as Record<string, string>);
    expect(checked.kind === 'fit' && Object.entries(checked.parameters)).toEqual([[name, 'x']]);
  });

  const cases: readonly { name: string; declared: Partial<Declaration>; value: string; want?: string }[] = [
    { name: 'an integer', declared: { type: 'integer' }, value: '-12' },
    { name: 'no integer', declared: { type: 'integer' }, value: '1.5', want: 'is no integer' },
    { name: 'an empty integer', declared: { type: 'integer' }, value: '', want: 'is no integer' },
    { name: 'a float', declared: { type: 'float' }, value: '1.5' },
    { name: 'no float', declared: { type: 'float' }, value: 'much', want: 'is no float' },
    { name: 'an endless float', declared: { type: 'float' }, value: 'Infinity', want: 'is no float' },
    { name: 'an empty float', declared: { type: 'float' }, value: ' ', want: 'is no float' },
    { name: 'a float in another base', declared: { type: 'float' }, value: '0x10', want: 'is no float' },
    { name: 'a float with an exponent', declared: { type: 'float' }, value: '-1.5e3' },
    { name: 'a truth', declared: { type: 'boolean' }, value: 'true' },
    { name: 'no truth', declared: { type: 'boolean' }, value: 'yes', want: 'is no boolean' },
    { name: 'a list', declared: { type: 'array' }, value: '["a"]' },
    { name: 'no list', declared: { type: 'array' }, value: '{}', want: 'is no array' },
    { name: 'no JSON', declared: { type: 'array' }, value: 'a,b', want: 'is no array' },
    { name: 'one of the listed', declared: { enum: ['a', 'b'] }, value: 'b' },
    { name: 'none of the listed', declared: { enum: ['a', 'b'] }, value: 'c', want: 'is none of a, b' },
    { name: 'the least', declared: { type: 'integer', minimum: 1 }, value: '1' },
    { name: 'less than the least', declared: { type: 'integer', minimum: 1 }, value: '0', want: 'is less than 1' },
    { name: 'the most', declared: { type: 'integer', maximum: 5 }, value: '5' },
    { name: 'more than the most', declared: { type: 'integer', maximum: 5 }, value: '6', want: 'is more than 5' },
    { name: 'no number where one is bounded', declared: { maximum: 5 }, value: 'six', want: 'is more than 5' },
    { name: 'what matches', declared: { pattern: '[0-9]+(Mi|Gi)' }, value: '512Mi' },
    { name: 'what does not match', declared: { pattern: '[0-9]+(Mi|Gi)' }, value: '512', want: 'does not match [0-9]+(Mi|Gi)' },
    { name: 'what cannot be matched', declared: { pattern: '(a+)+' }, value: 'a', want: 'cannot be checked: the pattern (a+)+' },
  ];
  test.each(cases)('$name', ({ declared, value, want }) => {
    const checked = checkParameters([declare(declared)], { REVISION: value });
    expect(checked.kind === 'unfit' ? checked.problems.join('; ') : undefined).toEqual(
      want === undefined ? undefined : expect.stringContaining(`REVISION=${value} ${want}`),
    );
  });

  test('a long value is shortened in the message', () => {
    const checked = checkParameters([declare({ type: 'integer' })], { REVISION: 'x'.repeat(10_000) });
    expect(checked.kind === 'unfit' && checked.problems.join('').length).toBeLessThan(200);
  });

  test('what is required must be given', () =>
    expect(checkParameters([declare({ required: true })], {})).toEqual({
      kind: 'unfit',
      problems: ['REVISION is required and has no value'],
    }));

  test('what depends on another is given together with it', () => {
    const declarations = [declare({ dependsOn: ['CONTAINER'] }), declare({ name: 'CONTAINER' })];
    expect(checkParameters(declarations, { REVISION: '1' })).toMatchObject({
      problems: ['REVISION must be given together with CONTAINER'],
    });
    expect(checkParameters(declarations, { REVISION: '1', CONTAINER: 'app' }).kind).toBe('fit');
    expect(checkParameters(declarations, {}).kind).toBe('fit');
  });

  test('defaults are checked like anything else', () =>
    expect(checkParameters([declare({ default: 'x', type: 'integer' })], {}).kind).toBe('unfit'));
});
