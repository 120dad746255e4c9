import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlatformError, seededRandom } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import type { Change, Store } from './cache.ts';
import { createCache } from './create-cache.ts';
import { errorLine } from '../testing/scripted-transport.ts';
import { WidgetServer } from '../testing/widget-server.ts';
import { WIDGETS, type Widget } from '../testing/widget.ts';

type Step =
  | { readonly do: 'write' | 'remove'; readonly name: string }
  | { readonly do: 'deliver'; readonly most: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'bookmark' | 'hang up' | 'break' | 'garble' | 'expire' | 'refuse' | 'compact' | 'go down' | 'come up' };

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('write' as const, 'remove' as const), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), most: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('bookmark', 'hang up', 'break', 'garble', 'expire', 'refuse', 'compact', 'go down', 'come up'),
    }) as fc.Arbitrary<Step>,
  },
);

const reset = (): Error => new Error('connection reset');

const DEEDS: Readonly<Record<Step['do'], (server: WidgetServer, next: Step) => void>> = {
  write: (server, next) => 'name' in next && server.write(next.name),
  remove: (server, next) => 'name' in next && server.remove(next.name),
  deliver: (server, next) => 'most' in next && server.deliver(next.most),
  wait: () => undefined,
  bookmark: (server) => server.bookmark(),
  'hang up': (server) => server.hangUp(),
  break: (server) => server.hangUp(reset()),
  garble: (server) => server.hangUp(new PlatformError('Internal', 'reading a watch: unexpected token')),
  expire: (server) => server.sendLast(errorLine(410, 'Expired')),
  refuse: (server) => server.sendLast(errorLine(500, 'InternalError')),
  compact: (server) => server.compact(),
  'go down': (server) => {
    server.isDown = true;
    server.hangUp(reset());
  },
  'come up': (server) => void (server.isDown = false),
};

async function take(next: Step, server: WidgetServer, clock: ManualClock): Promise<void> {
  DEEDS[next.do](server, next);
  await clock.advance('ms' in next ? next.ms : 0);
}

/** What one object's changes must look like to a subscriber. */
class Observer {
  readonly mistakes: string[] = [];
  readonly #shown = new Map<string, Widget>();
  readonly #history: WidgetServer['history'];

  constructor(history: WidgetServer['history']) {
    this.#history = history;
  }

  readonly see = (change: Change<Widget>): void => {
    const { name: object, uid, resourceVersion } = change.object.metadata;
    const before = this.#shown.get(object);
    const say = (mistake: string): void => void this.mistakes.push(`${change.kind} ${uid}@${resourceVersion}: ${mistake}`);
    if (change.kind === 'gone') {
      if (before !== change.object) say('was not shown');
      this.#shown.delete(object);
      return;
    }
    if (change.before !== before) say('comes after another version than was shown');
    if (before && before.metadata.uid !== uid) say('replaces another object without it being gone');
    if (before && Number(before.metadata.resourceVersion) >= Number(resourceVersion)) say('goes back');
    if (!this.#history.some(({ version, line }) => version === Number(resourceVersion) && line.object.metadata.uid === uid))
      say('never was');
    this.#shown.set(object, change.object);
  };

  /** What is left when all changes are followed. */
  get end(): readonly string[] {
    return [...this.#shown.values()].map(identityOf).toSorted();
  }
}

const identityOf = ({ metadata }: Widget): string => `${metadata.name} ${metadata.uid}@${metadata.resourceVersion}`;

interface Run {
  readonly server: WidgetServer;
  readonly store: Store<Widget>;
  readonly observer: Observer;
}

async function play(steps: readonly Step[], pageSteps: number): Promise<Run> {
  const server = new WidgetServer();
  for (let i = 0; i < pageSteps; i++) server.write(`page-${i}`);
  const clock = new ManualClock();
  const cache = createCache({ client: createClient(server), clock, random: seededRandom(steps.length) });
  const store = cache.store({ resource: WIDGETS, indexes: { name: (object) => [object.metadata.name] } });
  const observer = new Observer(server.history);
  store.onChange(observer.see);
  const ended = new AbortController();
  const running = cache.run(ended.signal);
  for (const next of steps) await take(next, server, clock);
  // All is well again, and there is time: the cache must find its way back by itself.
  server.isDown = false;
  for (let i = 0; i < 5; i++) {
    await clock.advance(60_000);
    server.deliver();
    server.bookmark();
  }
  await clock.advance(60_000);
  ended.abort();
  await running;
  expect(clock.waiting).toBe(0);
  return { server, store, observer };
}

describe('whatever happens between server and cache', () => {
  test('the store ends equal to the server, and every change is delivered in order and once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 3 }), async (steps, pages) => {
        const { server, store, observer } = await play(steps, pages);
        const truth = [...server.objects.values()].map(identityOf).toSorted();
        expect(store.list().map(identityOf).toSorted()).toEqual(truth);
        expect(observer.end).toEqual(truth);
        expect(observer.mistakes).toEqual([]);
        for (const object of store.list()) expect(store.list({ index: 'name', value: object.metadata.name })).toEqual([object]);
      }),
      { numRuns: 300, seed: 20_261_115 },
    );
  });

  test('without faults every single change is delivered', async () => {
    const writes: Step[] = Array.from({ length: 40 }, (_, i) => ({
      do: i % 5 === 4 ? 'remove' : 'write',
      name: ['a', 'b', 'c'][i % 3] ?? 'a',
    }));
    const server = new WidgetServer();
    const clock = new ManualClock();
    const cache = createCache({ client: createClient(server), clock, random: seededRandom(1) });
    const told: string[] = [];
    cache.store({ resource: WIDGETS }).onChange((change) => told.push(change.kind));
    const ended = new AbortController();
    const running = cache.run(ended.signal);
    await clock.advance(0);
    for (const next of writes) await take(next, server, clock);
    server.deliver();
    await clock.advance(0);
    ended.abort();
    await running;
    expect(told).toEqual(server.history.map(({ line }) => (line.type === 'DELETED' ? 'gone' : 'put')));
  });
});
