import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderedMap } from './ordered-map.ts';

describe('a map in key order', () => {
  test('is always what a sorted plain map would be, whenever it is looked at', () => {
    const action = fc.tuple(fc.constantFrom('set', 'delete', 'look'), fc.stringMatching(/^[a-c/.-]{1,3}$/));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const map = new OrderedMap<number>();
        const plain = new Map<string, number>();
        actions.forEach(([what, key], i) => {
          if (what === 'set') map.set(key, i);
          if (what === 'set') plain.set(key, i);
          if (what === 'delete') map.delete(key);
          if (what === 'delete') plain.delete(key);
          if (what === 'look') map.values();
        });
        const keys = [...plain.keys()].toSorted();
        expect(map.keys()).toEqual(keys);
        expect(map.values()).toEqual(keys.map((key) => plain.get(key)));
        expect(map.size).toBe(plain.size);
      }),
    );
  });

  test('returns arrays that never change', () => {
    const map = new OrderedMap<number>();
    map.set('b', 2);
    const first = map.values();
    expect(map.values()).toBe(first);
    map.set('a', 1);
    expect(first).toEqual([2]);
    expect(map.values()).toEqual([1, 2]);
    expect(Object.isFrozen(map.values())).toBe(true);
  });

  test.each([1, 499, 500, 501, 600])('with %i of 600 values changed, the next list shows them all', (changed) => {
    const map = new OrderedMap<number>();
    for (let i = 0; i < 600; i++) map.set(`${1_000 + i}`, i);
    const first = map.values();
    for (let i = 0; i < changed; i++) map.set(`${1_000 + i}`, -i);
    expect(map.values()).toEqual(first.map((value, i) => (i < changed ? -i : value)));
    expect(first[changed - 1]).toBe(changed - 1);
    expect(Object.isFrozen(map.values())).toBe(true);
    expect(map.values()).toBe(map.values());
  });
});
