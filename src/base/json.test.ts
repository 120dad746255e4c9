import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, deepFreeze, isObject, sameJson } from './json.ts';

const parsed = (text: string): unknown => JSON.parse(text);

describe('isObject', () => {
  const cases = [
    { value: {}, want: true },
    { value: { a: 1 }, want: true },
    { value: [], want: false },
    { value: null, want: false },
    { value: 'text', want: false },
    { value: undefined, want: false },
  ];
  test.each(cases)('$value → $want', ({ value, want }) => {
    expect(isObject(value)).toBe(want);
  });
});

describe('clone', () => {
  test('equals its source and shares nothing with it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        const copy = clone(value);
        expect(JSON.stringify(copy)).toBe(before);
        deepFreeze(copy);
        expect(typeof value === 'object' && value !== null && Object.isFrozen(value)).toBe(false);
      }),
    );
  });

  test('a copy of frozen data can be changed', () => {
    const source = deepFreeze({ list: [{ a: 1 }] });
    const copy = clone(source);
    copy.list[0]!.a = 2;
    copy.list.push({ a: 3 });
    expect(source).toEqual({ list: [{ a: 1 }] });
    expect(copy).toEqual({ list: [{ a: 2 }, { a: 3 }] });
  });

  test('a member called __proto__ stays a member', () => {
    const copy = clone(parsed('{"__proto__": {"admin": true}}')) as { readonly admin?: boolean };
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
    expect(copy.admin).toBeUndefined();
  });
});

describe('deepFreeze', () => {
  test('reaches every level', () => {
    const value = deepFreeze({ a: { b: [{ c: 1 }] } });
    expect([value, value.a, value.a.b, value.a.b[0]].every((part) => Object.isFrozen(part))).toBe(true);
  });

  test('returns the same object, so that it can be shared', () => {
    const value = { a: 1 };
    expect(deepFreeze(value)).toBe(value);
  });

  test('stops at what is frozen already: sharing a frozen part costs nothing', () => {
    const inner = { open: {} };
    deepFreeze({ frozen: Object.freeze(inner) });
    expect(Object.isFrozen(inner.open)).toBe(false);
  });
});

describe('sameJson', () => {
  const cases: readonly { readonly a: unknown; readonly b: unknown; readonly want: boolean; readonly reason: string }[] = [
    { a: 1, b: 1, want: true, reason: 'equal numbers' },
    { a: 1, b: '1', want: false, reason: 'types differ' },
    { a: null, b: null, want: true, reason: 'null' },
    { a: null, b: {}, want: false, reason: 'null is not an empty object' },
    { a: null, b: undefined, want: false, reason: 'null is a value' },
    { a: [], b: {}, want: false, reason: 'a list is not an object' },
    { a: {}, b: [], want: false, reason: 'nor the other way round' },
    { a: [], b: { length: 0 }, want: false, reason: 'however much it looks like one' },
    { a: { length: 0 }, b: [], want: false, reason: 'nor the other way round' },
    { a: [1, 2], b: [1, 2], want: true, reason: 'equal lists' },
    { a: [1, 2], b: [2, 1], want: false, reason: 'order counts in lists' },
    { a: [1], b: [1, 2], want: false, reason: 'a longer list' },
    { a: { x: 1, y: 2 }, b: { y: 2, x: 1 }, want: true, reason: 'order does not count in objects' },
    { a: { x: 1 }, b: { x: 1, y: 2 }, want: false, reason: 'a member more' },
    { a: { x: 1, y: 2 }, b: { x: 1 }, want: false, reason: 'a member less' },
    { a: { x: 1, y: undefined }, b: { x: 1 }, want: true, reason: 'undefined is absent' },
    { a: { x: 1 }, b: { x: 1, y: undefined }, want: true, reason: 'on either side' },
    { a: { x: null }, b: {}, want: false, reason: 'null is not absent' },
    { a: {}, b: { toString: 'x' }, want: false, reason: 'an inherited name is no member' },
    { a: { constructor: 'x' }, b: {}, want: false, reason: 'on either side' },
    { a: { x: { y: [{ z: 1 }] } }, b: { x: { y: [{ z: 2 }] } }, want: false, reason: 'far down' },
  ];
  test.each(cases)('$reason → $want', ({ a, b, want }) => {
    expect(sameJson(a, b)).toBe(want);
  });

  test('a copy is the same; so is what was written and read', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => sameJson(value, clone(value)) && sameJson(parsed(JSON.stringify(value)), value)));
  });

  test('agrees with the canonical text, and with itself reversed', () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_, part: unknown) =>
        isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
      );
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(sameJson(a, b)).toBe(canonical(a) === canonical(b));
        expect(sameJson(a, b)).toBe(sameJson(b, a));
      }),
    );
  });
});
