import { evaluate } from '@marcbachmann/cel-js';
import { describe, expect, test } from 'vitest';
import { frozenSince, immutable, onceSet, type Rule } from './rules.ts';

const allows = ({ rule }: Rule, oldSelf: unknown, self: unknown): unknown => evaluate(rule, { oldSelf, self });

describe('onceSet', () => {
  const cases = [
    { reason: 'nothing was set, nothing is set', from: {}, to: {}, want: true },
    { reason: 'it may be set for the first time', from: {}, to: { run: { uid: 'a' } }, want: true },
    { reason: 'an empty text is not set yet', from: { run: { uid: '' } }, to: { run: { uid: 'a' } }, want: true },
    { reason: 'a parent without the member is not set yet', from: { run: {} }, to: { run: { uid: 'a' } }, want: true },
    { reason: 'it may stay', from: { run: { uid: 'a' } }, to: { run: { uid: 'a' }, other: 1 }, want: true },
    { reason: 'it may not change', from: { run: { uid: 'a' } }, to: { run: { uid: 'b' } }, want: false },
    { reason: 'it may not be emptied', from: { run: { uid: 'a' } }, to: { run: { uid: '' } }, want: false },
    { reason: 'it may not go away', from: { run: { uid: 'a' } }, to: { run: {} }, want: false },
    { reason: 'it may not go away with its parent', from: { run: { uid: 'a' } }, to: {}, want: false },
  ];
  test.each(cases)('$reason', ({ from, to, want }) => expect(allows(onceSet('run.uid'), from, to)).toBe(want));

  test('names the member in the refusal', () => {
    expect(onceSet('run.uid')).toMatchObject({ fieldPath: '.run.uid', message: 'run.uid is immutable once it is set' });
  });
});

describe('frozenSince', () => {
  const cases = [
    { reason: 'without the mark it may change', from: { plan: { a: 1 } }, to: { plan: { a: 2 } }, want: true },
    { reason: 'without the mark it may go', from: { plan: { a: 1 } }, to: {}, want: true },
    { reason: 'the mark itself may be added', from: { plan: { a: 1 } }, to: { plan: { a: 1, at: 'now' } }, want: true },
    { reason: 'with the mark it may stay', from: { plan: { a: 1, at: 'now' } }, to: { plan: { a: 1, at: 'now' } }, want: true },
    { reason: 'with the mark it may not change', from: { plan: { a: 1, at: 'now' } }, to: { plan: { a: 2, at: 'now' } }, want: false },
    { reason: 'the mark may not be taken off', from: { plan: { a: 1, at: 'now' } }, to: { plan: { a: 1 } }, want: false },
    { reason: 'with the mark it may not go', from: { plan: { a: 1, at: 'now' } }, to: {}, want: false },
  ];
  test.each(cases)('$reason', ({ from, to, want }) => expect(allows(frozenSince('plan', 'at'), from, to)).toBe(want));
});

test('frozenSince names the member in the refusal', () => {
  expect(frozenSince('plan', 'at')).toMatchObject({ fieldPath: '.plan', message: 'plan is immutable once at is set' });
});

test('immutable lets nothing change', () => {
  const rule = immutable('spec');
  expect([allows(rule, { a: [1] }, { a: [1] }), allows(rule, { a: [1] }, { a: [2] }), rule.message]).toEqual([
    true,
    false,
    'spec is immutable',
  ]);
});
