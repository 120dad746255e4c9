import { describe, expect, test } from 'vitest';
import type { Resource } from '../../api/resource.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { CatchUp } from './catch-up.ts';

const PART: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Part', plural: 'parts', namespaced: true };

function waiting(): { woken: string[]; catchUp: CatchUp; one: FakeStore; two: FakeStore; behind: Set<FakeStore> } {
  const woken: string[] = [];
  const catchUp = new CatchUp((key) => woken.push(key));
  const [one, two] = [new FakeStore(PART), new FakeStore(PART)];
  const behind = new Set([one, two]);
  catchUp.wait(
    'a',
    [one, two].map((store) => ({ store, stillBehind: () => behind.has(store) })),
  );
  return { woken, catchUp, one, two, behind };
}

describe('a key that waits for stores to catch up', () => {
  test('comes back once, when all of them have', () => {
    const { woken, catchUp, one, two, behind } = waiting();
    catchUp.changed(one);
    behind.delete(one);
    catchUp.changed(one);
    expect(woken).toEqual([]);
    behind.delete(two);
    catchUp.changed(two);
    catchUp.changed(two);
    expect(woken).toEqual(['a']);
  });

  test('does not care for other stores', () => {
    const { woken, catchUp, behind } = waiting();
    behind.clear();
    catchUp.changed(new FakeStore(PART));
    expect(woken).toEqual([]);
  });

  test('comes back at once when they caught up while it was being observed', () => {
    const { woken, catchUp, one } = waiting();
    catchUp.wait('b', [{ store: one, stillBehind: () => false }]);
    expect(woken).toEqual(['b']);
    catchUp.changed(one);
    expect(woken).toEqual(['b']);
  });

  test('is forgotten once it is worked on for another reason', () => {
    const { woken, catchUp, one, behind } = waiting();
    catchUp.forget('a');
    behind.clear();
    catchUp.changed(one);
    expect(woken).toEqual([]);
  });
});
