import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { seededRandom, silent } from '../../base/index.ts';
import type { Cache } from '../../kube/cache/cache.ts';
import { FakeStore } from '../../testkit/fake-store.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createControlLoop } from './control-loop.ts';
import type { Controller, Watch } from '../reconcile/controller.ts';
import { soleTerm } from '../election/term.ts';

const THING: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const PART: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Part', plural: 'parts', namespaced: true };

/** One store per resource and selector, as the real cache has it. */
function aCache(): Cache {
  const stores = new Map<string, FakeStore>();
  const store = ({ resource, labelSelector = '' }: { resource: Resource; labelSelector?: string }): FakeStore => {
    const key = `${resource.plural} ${labelSelector}`;
    return stores.get(key) ?? stores.set(key, new FakeStore(resource)).get(key)!;
  };
  return { store: store as never, run: () => Promise.resolve(), synced: () => Promise.resolve(), client: {} as never };
}

function wire(watches: readonly Watch[]): void {
  const clock = new ManualClock();
  const controller = { name: 'things', primary: THING, watches, observe: () => undefined, decide: () => ({ effects: [] }) };
  createControlLoop({
    controllers: [controller],
    cache: aCache(),
    clock,
    random: seededRandom(1),
    log: silent,
    events: { record: () => Promise.resolve() },
  });
}

/** A loop at work, and what it looked at. */
async function running(controller: Partial<Controller>, cache = aCache()) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const looked: string[] = [];
  const loop = createControlLoop({
    controllers: [
      {
        name: 'things',
        primary: THING,
        watches: [],
        observe: ({ name }) => void looked.push(name),
        decide: () => ({ effects: [] }),
        ...controller,
      },
    ],
    cache,
    clock,
    random: seededRandom(1),
    log: silent,
    events: { record: () => Promise.resolve() },
  });
  const ended = loop.run(soleTerm(stop.signal));
  await clock.advance(0);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { clock, looked, end };
}

const none = (): readonly [] => [];

test('one kind with two selectors is refused: what only the second store holds would look absent', () => {
  expect(() =>
    wire([
      { resource: PART, keys: none },
      { resource: PART, labelSelector: 'app', keys: none },
    ]),
  ).toThrow('two selectors');
});

test('a change that concerns none of those whom a watch names still has the object itself looked at', async () => {
  const thing = (resourceVersion: string): KubeObject => ({
    apiVersion: 'test.sickbay.dev/v1',
    kind: 'Thing',
    metadata: { namespace: 'ours', name: 'one', uid: 'u', resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
  });
  const cache = aCache();
  const store = cache.store({ resource: THING }) as FakeStore;
  store.put(thing('1'));
  const watch: Watch = { resource: THING, keys: () => [{ namespace: 'ours', name: 'other' }], concerns: () => false };
  const { clock, looked, end } = await running({ watches: [watch] }, cache);
  store.put(thing('2'));
  await clock.advance(0);
  expect(looked).toEqual(['one', 'one']);
  store.remove({ namespace: 'ours', name: 'one' });
  await clock.advance(0);
  expect(looked).toEqual(['one', 'one', 'one', 'other']);
  await end();
});

test('a change that can wait wakes a key at most once per spacing, together with changes that cannot wait', async () => {
  const cache = aCache();
  const part = (kind: string, resourceVersion: string): KubeObject => ({
    apiVersion: 'test.sickbay.dev/v1',
    kind,
    metadata: { namespace: 'ours', name: 'one', uid: kind, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
  });
  const slow: Watch = { resource: PART, keys: () => [{ namespace: 'ours', name: 'one' }], canWait: () => true };
  const { clock, looked, end } = await running({ atMostEveryMs: 1_000, patienceMs: () => 5_000, watches: [slow] }, cache);
  const [things, parts] = [cache.store({ resource: THING }) as FakeStore, cache.store({ resource: PART }) as FakeStore];
  parts.put(part('Part', '1'));
  await clock.advance(0);
  parts.put(part('Part', '2'));
  await clock.advance(4_999);
  expect(looked).toEqual(['one']);
  await clock.advance(1);
  expect(looked).toEqual(['one', 'one']);
  parts.put(part('Part', '3'));
  things.put(part('Thing', '1'));
  await clock.advance(1_000);
  expect(looked).toEqual(['one', 'one', 'one']);
  await clock.advance(10_000);
  expect(looked).toEqual(['one', 'one', 'one']);
  await end();
});

test('one kind twice with the same selector is one store, and fine', () => {
  expect(() =>
    wire([
      { resource: PART, labelSelector: 'app', keys: none },
      { resource: PART, labelSelector: 'app', keys: none },
    ]),
  ).not.toThrow();
});

describe('what is beyond the cache', () => {
  test('wakes the keys that it names, for as long as the workers run', async () => {
    let wake: (name: string) => void = () => undefined;
    let listens = 0;
    const { clock, looked, end } = await running({
      wokenBy: (tell) => {
        listens++;
        wake = (name) => tell({ namespace: 'ours', name });
        return () => void listens--;
      },
    });
    expect(listens).toBe(1);
    wake('one');
    await clock.advance(0);
    expect(looked).toEqual(['one']);
    await end();
    expect(listens).toBe(0);
  });

  test.each([
    { spaced: 'like every other change', canWait: undefined, patienceMs: 5_000, waitMs: 1_000 },
    { spaced: 'by the spacing of the key where it can wait', canWait: true, patienceMs: 5_000, waitMs: 5_000 },
    { spaced: 'like every other change where no spacing is set', canWait: true, patienceMs: undefined, waitMs: 1_000 },
  ])('is spaced $spaced', async ({ canWait, patienceMs, waitMs }) => {
    let wake: () => void = () => undefined;
    const { clock, looked, end } = await running({
      atMostEveryMs: 1_000,
      patienceMs: ({ name }) => (name === 'one' ? patienceMs : undefined),
      wokenBy: (tell) => {
        wake = () => tell({ namespace: 'ours', name: 'one' }, canWait);
        return () => undefined;
      },
    });
    wake();
    await clock.advance(0);
    wake();
    wake();
    await clock.advance(waitMs - 1);
    expect(looked).toEqual(['one']);
    await clock.advance(1);
    expect(looked).toEqual(['one', 'one']);
    await end();
  });
});
