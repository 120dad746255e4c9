import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../base/index.ts';
import { allowed, limits, readValue, shortDuration, shown, writeValue, type ValueForm } from './value-forms.ts';

const duration: ValueForm = { kind: 'duration', min: SECOND, max: HOUR };
const orZero: ValueForm = { kind: 'duration', min: MINUTE, max: HOUR, zero: 'for ever' };
const hours: ValueForm = { kind: 'hours', min: MINUTE, max: 48 * HOUR, zero: 'not at all' };
const integer: ValueForm = { kind: 'integer', min: 1, max: 10 };
const flag: ValueForm = { kind: 'flag' };
const choice: ValueForm = { kind: 'choice', options: ['Requeue', 'Inherit'] };
const text: ValueForm = { kind: 'text', pattern: /^[a-z]{1,3}$/, wants: 'up to three letters' };
const reason: ValueForm = { kind: 'text', pattern: /^.*$/, wants: 'a reason', none: true };

const REFUSED = { kind: 'refused' };
const REFUSALS: Readonly<Record<string, { readonly form: ValueForm; readonly raws: readonly unknown[] }>> = {
  duration: {
    form: duration,
    raws: ['0', '0s', 0, '-1s', '999ms', '1h1ms', '5', 5, '5 m', '5minutes', '', 'PT5M', true, null, [], {}, NaN, Infinity],
  },
  'duration or 0': { form: orZero, raws: ['1s', 1, '-0.5s', false] },
  hours: { form: hours, raws: [-1, 1.5, 49, '49h', '30s', '2', true, null, Infinity] },
  integer: { form: integer, raws: [0, 11, -1, 1.5, '3', true, null, NaN, Infinity, 1e300, [3]] },
  flag: { form: flag, raws: ['true', 'yes', 1, 0, null, {}] },
  choice: { form: choice, raws: ['requeue', '', 'Requeue ', 1, null, true] },
  text: { form: text, raws: ['', 'abcd', 'A', 1, true, null, ['a']] },
};

describe('a value', () => {
  test.each<{ form: ValueForm; raw: unknown; want: unknown }>([
    { form: duration, raw: '1s', want: SECOND },
    { form: duration, raw: '1h', want: HOUR },
    { form: duration, raw: '1m30s', want: 90 * SECOND },
    { form: duration, raw: '1.5m', want: 90 * SECOND },
    { form: duration, raw: '1.0000004s', want: SECOND },
    { form: orZero, raw: 0, want: 0 },
    { form: orZero, raw: '0', want: 0 },
    { form: orZero, raw: '0s', want: 0 },
    { form: orZero, raw: '1m', want: MINUTE },
    { form: hours, raw: 2, want: 2 * HOUR },
    { form: hours, raw: 48, want: 48 * HOUR },
    { form: hours, raw: '90m', want: 90 * MINUTE },
    { form: hours, raw: 0, want: 0 },
    { form: integer, raw: 1, want: 1 },
    { form: integer, raw: 10, want: 10 },
    { form: flag, raw: true, want: true },
    { form: flag, raw: false, want: false },
    { form: choice, raw: 'Inherit', want: 'Inherit' },
    { form: text, raw: 'abc', want: 'abc' },
    { form: reason, raw: 'freeze', want: 'freeze' },
    { form: reason, raw: '', want: undefined },
  ])('$form.kind $raw is $want', ({ form, raw, want }) => expect(readValue(form, raw)).toEqual({ kind: 'value', value: want }));

  const refusals = Object.entries(REFUSALS).flatMap(([name, { form, raws }]) => raws.map((raw) => ({ name, form, raw })));
  test.each(refusals)('$name: $raw is refused', ({ form, raw }) => expect(readValue(form, raw)).toEqual(REFUSED));
});

describe('what is allowed', () => {
  test.each<{ form: ValueForm; want: string; short: string }>([
    { form: duration, want: 'a duration such as 5m or 1h30m, from 1s to 1h', short: '1s to 1h' },
    { form: orZero, want: 'a duration such as 5m or 1h30m, from 1m to 1h, or 0 (for ever)', short: '1m to 1h, or 0 (for ever)' },
    {
      form: hours,
      want: 'a whole number of hours or a duration such as 1h30m, from 1m to 48h, or 0 (not at all)',
      short: '1m to 48h, or 0 (not at all)',
    },
    { form: integer, want: 'a whole number from 1 to 10', short: '1 to 10' },
    { form: flag, want: 'true or false', short: 'true or false' },
    { form: choice, want: 'Requeue or Inherit', short: 'Requeue or Inherit' },
    { form: text, want: 'up to three letters', short: 'up to three letters' },
  ])('$form.kind: $want', ({ form, want, short }) => expect([allowed(form), limits(form)]).toEqual([want, short]));
});

describe('writing', () => {
  test.each<{ form: ValueForm; setting: string | number | boolean | undefined; want: string | undefined }>([
    { form: duration, setting: 90 * SECOND, want: '1m30s' },
    { form: orZero, setting: 0, want: '0s' },
    { form: hours, setting: 24 * HOUR, want: '24' },
    { form: hours, setting: 90 * MINUTE, want: '1h30m' },
    { form: integer, setting: 3, want: '3' },
    { form: flag, setting: false, want: 'false' },
    { form: choice, setting: 'Inherit', want: 'Inherit' },
    { form: text, setting: 'a', want: '"a"' },
    { form: reason, setting: undefined, want: undefined },
  ])('$form.kind $setting as $want', ({ form, setting, want }) => expect(writeValue(form, setting)).toBe(want));

  test.each([
    [30 * SECOND, '30s'],
    [10 * MINUTE, '10m'],
    [HOUR, '1h'],
    [HOUR + 10 * MINUTE, '1h10m'],
    [HOUR + SECOND, '1h0m1s'],
    [0, '0s'],
  ])('%i ms are %s', (ms, want) => expect(shortDuration(ms)).toBe(want));

  test.each([
    ['a "b"', '"a \\"b\\""'],
    [3, '3'],
    [true, 'true'],
    [null, 'empty'],
    [undefined, 'empty'],
    [{}, 'a map'],
    [[], 'a list'],
    ['x'.repeat(100), `"${'x'.repeat(58)}…`],
  ])('%j is shown as %s', (raw, want) => expect(shown(raw)).toBe(want));
});
