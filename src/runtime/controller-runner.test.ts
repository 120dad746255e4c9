import { expect, test } from 'vitest';
import type { Resource } from '../api/resource.ts';
import { seededRandom, silent } from '../base/index.ts';
import type { Cache } from '../kube/cache.ts';
import { FakeStore } from '../testkit/fake-store.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { createControlLoop } from './control-loop.ts';
import type { Watch } from './controller.ts';

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

const none = (): readonly [] => [];

test('one kind with two selectors is refused: what only the second store holds would look absent', () => {
  expect(() =>
    wire([
      { resource: PART, keys: none },
      { resource: PART, labelSelector: 'app', keys: none },
    ]),
  ).toThrow('two selectors');
});

test('one kind twice with the same selector is one store, and fine', () => {
  expect(() =>
    wire([
      { resource: PART, labelSelector: 'app', keys: none },
      { resource: PART, labelSelector: 'app', keys: none },
    ]),
  ).not.toThrow();
});
