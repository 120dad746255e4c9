import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Stored } from '../object.ts';
import { indexOfKey, rangeOf, SortedKeys } from './sorted-keys.ts';
import { Table } from './table.ts';

const object = (name: string, revision: number): Stored => ({
  apiVersion: 'v1',
  kind: 'T',
  metadata: { name, uid: name, resourceVersion: String(revision), creationTimestamp: '' },
});

/** Plays puts (true) and removals (false) of keys, one revision each. */
function play(table: Table, deeds: readonly (readonly [string, boolean])[]): void {
  deeds.forEach(([key, put], i) => {
    const before = table.get(key);
    if (put || before) table.apply({ revision: i + 1, key, before, after: put ? object(key, i + 1) : undefined });
  });
}

const contents = (view: { keys(): readonly string[]; get(key: string): Stored | undefined }): readonly string[] =>
  view.keys().map((key) => `${key}@${view.get(key)!.metadata.resourceVersion}`);

const deeds = fc.array(fc.tuple(fc.constantFrom('n/a', 'n/b', 'n-x/a', 'o/a', 'a'), fc.boolean()), { maxLength: 30 });

describe('table', () => {
  test('as it was at any revision is as it would have been', () => {
    fc.assert(
      fc.property(deeds, fc.nat(30), (all, at) => {
        const [whole, then] = [1, 2].map(() => new Table({ id: 't', historyLimit: 100, floor: 0 })) as [Table, Table];
        play(whole, all);
        play(then, all.slice(0, at));
        expect(contents(whole.at(at)!)).toEqual(contents(then));
      }),
    );
  });

  test('remembers as many changes as it may, and says when it has forgotten', () => {
    fc.assert(
      fc.property(deeds, fc.integer({ min: 1, max: 5 }), (all, historyLimit) => {
        const table = new Table({ id: 't', historyLimit, floor: 0 });
        play(table, all);
        const known = table.since(table.floor)!;
        expect(known.length).toBeLessThanOrEqual(historyLimit);
        if (table.floor > 0) expect(table.since(table.floor - 1)).toBeUndefined();
        if (table.floor > 0) expect(table.at(table.floor - 1)).toBeUndefined();
      }),
    );
  });

  test('a long life does not grow its history', () => {
    const table = new Table({ id: 't', historyLimit: 10, floor: 0 });
    play(
      table,
      Array.from({ length: 5_000 }, () => ['a', true] as const),
    );
    expect(table.since(4_990)).toHaveLength(10);
    expect(table.since(4_989)).toBeUndefined();
    table.compact(4_995);
    expect(table.since(4_995)).toHaveLength(5);
    table.compact(3);
    expect(table.floor).toBe(4_995);
  });

  test('a listener that subscribes another does not tell it the same change', () => {
    const table = new Table({ id: 't', historyLimit: 10, floor: 0 });
    const seen: string[] = [];
    const stop = table.subscribe(() => {
      seen.push('first');
      table.subscribe(() => seen.push('second'));
      stop();
    });
    play(table, [['a', true]]);
    expect(seen).toEqual(['first']);
  });
});

describe('sorted keys', () => {
  test('a key is found where it is, or where it belongs', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.string(), (list, key) => {
        const keys = list.toSorted();
        const at = indexOfKey(keys, key);
        expect(keys.slice(0, at).every((other) => other < key)).toBe(true);
        expect(keys.slice(at).every((other) => other >= key)).toBe(true);
      }),
    );
  });

  test('a range is what starts with the prefix', () => {
    const keys = ['a', 'n-x/a', 'n/a', 'n/b', 'na/a'];
    expect(rangeOf(keys, 'n/')).toEqual(['n/a', 'n/b']);
    expect(rangeOf(keys, 'z/')).toEqual([]);
  });

  test('are in order at each read, however many were added and deleted since the last read', () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 60 }), isLook: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const keys = new SortedKeys();
        const there = new Set<string>();
        for (const { key: number, isLook } of steps) {
          const key = String(number);
          if (there.delete(key)) keys.remove(key);
          else {
            there.add(key);
            keys.add(key);
          }
          if (isLook) expect(keys.all).toEqual([...there].toSorted());
        }
        expect(keys.all).toEqual([...there].toSorted());
      }),
    );
  });
});
