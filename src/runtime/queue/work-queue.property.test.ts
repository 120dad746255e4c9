import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkQueue } from './work-queue.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';

const KEYS = ['a', 'b', 'c', 'd'] as const;
type Key = (typeof KEYS)[number];

/** What the queue should be, as simply as it can be said. */
class Model {
  ready: { key: Key; priority: number; order: number }[] = [];
  working = new Map<Key, number | undefined>();
  #order = 0;

  add(key: Key, priority: number): void {
    if (this.working.has(key)) {
      this.working.set(key, Math.max(this.working.get(key) ?? -Infinity, priority));
      return;
    }
    const known = this.ready.find((entry) => entry.key === key);
    if (known && known.priority >= priority) return;
    this.ready = this.ready.filter((entry) => entry !== known);
    this.ready.push({ key, priority, order: this.#order++ });
  }

  get(): Key | undefined {
    const first = this.ready.toSorted((a, b) => b.priority - a.priority || a.order - b.order)[0];
    if (!first) return undefined;
    this.ready = this.ready.filter((entry) => entry !== first);
    this.working.set(first.key, undefined);
    return first.key;
  }

  done(key: Key): void {
    if (!this.working.has(key)) return;
    const again = this.working.get(key);
    this.working.delete(key);
    if (again !== undefined) this.add(key, again);
  }
}

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), key: fc.constantFrom(...KEYS), priority: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ kind: fc.constant('get' as const) }),
  fc.record({ kind: fc.constant('done' as const), key: fc.constantFrom(...KEYS) }),
);

describe('for any adds, gets and dones', () => {
  test('never two workers on one key, nothing added is lost, order by priority then arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = new WorkQueue({ clock: new ManualClock() });
        const model = new Model();
        const inHand = new Set<string>();
        for (const action of steps) {
          if (action.kind === 'add') {
            queue.add(action.key, action.priority);
            model.add(action.key, action.priority);
          } else if (action.kind === 'done') {
            queue.done(action.key);
            model.done(action.key);
            inHand.delete(action.key);
          } else if (queue.depth > 0) {
            const key = await queue.get();
            expect(key).toBe(model.get());
            expect(inHand.has(key!)).toBe(false);
            inHand.add(key!);
          }
          expect(queue.depth).toBe(model.ready.length);
          expect(queue.working).toBe(model.working.size);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('workers that race end with every add followed by a pass', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (adds, workers) => {
          const queue = new WorkQueue({ clock: new ManualClock() });
          const lastAdd = new Map<string, number>();
          const lastPassBegan = new Map<string, number>();
          const inHand = new Set<string>();
          let now = 0;
          const worker = async (): Promise<void> => {
            for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
              expect(inHand.has(key)).toBe(false);
              inHand.add(key);
              lastPassBegan.set(key, ++now);
              for (let i = 0; i < key.charCodeAt(0) % 5; i++) await Promise.resolve();
              inHand.delete(key);
              queue.done(key);
            }
          };
          const all = Array.from({ length: workers }, worker);
          for (const key of adds) {
            lastAdd.set(key, ++now);
            queue.add(key);
            await Promise.resolve();
          }
          while (queue.depth > 0 || queue.working > 0) await Promise.resolve();
          await queue.close();
          await Promise.all(all);
          for (const [key, at] of lastAdd) expect(lastPassBegan.get(key)).toBeGreaterThan(at);
        },
      ),
      { numRuns: 200 },
    );
  });
});
