import { beforeEach, describe, expect, test } from 'vitest';
import type { Stored } from '../object.ts';
import { PendingChanges } from './pending-changes.ts';
import { Table, type StoredChange } from './table.ts';

const object = (name: string, revision: number): Stored => ({
  apiVersion: 'v1',
  kind: 'T',
  metadata: { name, uid: name, resourceVersion: String(revision), creationTimestamp: '' },
});

const put = (key: string, revision: number): StoredChange => ({ revision, key, before: undefined, after: object(key, revision) });
const removal = (key: string, revision: number): StoredChange => ({ revision, key, before: object(key, revision - 1), after: undefined });

describe('changes on their way', () => {
  let [table, other] = [new Table({ id: 't', historyLimit: 9, floor: 0 }), new Table({ id: 'o', historyLimit: 9, floor: 0 })];
  let inFlight = new PendingChanges();
  const newest = (key: string): string | undefined => inFlight.newest(table, key, table.get(key))?.metadata.resourceVersion;
  const add = (change: StoredChange): StoredChange => (inFlight.add(table, change, Promise.resolve()), change);

  beforeEach(() => {
    table = new Table({ id: 't', historyLimit: 9, floor: 0 });
    other = new Table({ id: 'o', historyLimit: 9, floor: 0 });
    inFlight = new PendingChanges();
    table.restore('n/a', object('n/a', 1));
  });

  test('without any, what is there is the newest', () => {
    expect(newest('n/a')).toBe('1');
    expect(inFlight.settled).toBeUndefined();
    expect(inFlight.added(table)).toEqual([]);
  });

  test('the last of several counts, a removal too, and only in its own table', () => {
    add(put('n/a', 2));
    add(put('n/a', 3));
    expect(newest('n/a')).toBe('3');
    add(removal('n/a', 4));
    expect(newest('n/a')).toBeUndefined();
    expect(inFlight.newest(other, 'n/a', undefined)).toBeUndefined();
    expect(inFlight.newest(other, 'n/a', object('x', 9))?.metadata.name).toBe('x');
  });

  test('an older one that arrives leaves the newer one', () => {
    const first = add(put('n/a', 2));
    add(put('n/a', 3));
    inFlight.arrived(table, first);
    expect(newest('n/a')).toBe('3');
    expect(inFlight.settled).toBeDefined();
  });

  test('when the last has arrived, what is there is the newest again', () => {
    inFlight.arrived(table, add(put('n/a', 2)));
    expect(newest('n/a')).toBe('1');
    expect(inFlight.settled).toBeUndefined();
  });

  test('keys on their way in are those that are not there yet', () => {
    add(put('n/a', 2));
    add(put('n/b', 3));
    add(put('n/c', 4));
    add(removal('n/c', 5));
    expect(inFlight.added(table)).toEqual(['n/b']);
    expect(inFlight.added(other)).toEqual([]);
  });

  test('a refusal forgets all of them', () => {
    add(put('n/a', 2));
    add(put('n/b', 3));
    inFlight.clear();
    expect(newest('n/a')).toBe('1');
    expect(inFlight.added(table)).toEqual([]);
    expect(inFlight.settled).toBeUndefined();
  });
});
