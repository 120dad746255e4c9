import { describe, expect, onTestFinished, test } from 'vitest';
import { seededRandom, turn } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { createClient } from '../client/api-client.ts';
import type { Cache } from './cache.ts';
import { createCache } from './create-cache.ts';
import { SelectorError } from '../selectors/index.ts';
import { ScriptedTransport } from '../testing/scripted-transport.ts';
import { added, aList, aWidget, modified, WIDGETS, type Widget } from '../testing/widget.ts';

const byColour = (object: Widget): readonly string[] => [object.spec?.colour ?? ''];
const bySize = (object: Widget): readonly string[] => [String(object.spec?.size)];

function running(): { cache: Cache; transport: ScriptedTransport; run: () => Promise<void> } {
  const transport = new ScriptedTransport();
  transport.answer = () =>
    aList(10, [aWidget({ name: 'b', version: 2, colour: 'blue' }), aWidget({ name: 'a', version: 1, colour: 'blue' })]);
  const cache = createCache({ client: createClient(transport), clock: new ManualClock(), random: seededRandom(1) });
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    const done = cache.run(ended.signal);
    onTestFinished(async () => {
      ended.abort();
      await done;
    });
    await cache.synced(ended.signal);
    await turn();
  };
  return { cache, transport, run };
}

describe('stores', () => {
  test('of the same resource and selector are one, with the indexes of both', async () => {
    const { cache, transport, run } = running();
    const first = cache.store({ resource: WIDGETS, indexes: { colour: byColour } });
    const second = cache.store({ resource: { ...WIDGETS }, keep: 'whole', indexes: { size: bySize } });
    await run();
    expect(second).toBe(first);
    expect(transport.requests).toHaveLength(1);
    expect(first.list({ index: 'colour', value: 'blue' }).map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(first.list({ index: 'size', value: '2' }).map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(first.list({ index: 'size', value: '77' })).toEqual([]);
  });

  test('of another namespace or selector are others, and ask the server so', async () => {
    const { cache, transport, run } = running();
    const all = cache.store({ resource: WIDGETS });
    expect(cache.store({ resource: WIDGETS, namespace: 'shop' })).not.toBe(all);
    expect(cache.store({ resource: WIDGETS, labelSelector: 'app=web' })).not.toBe(all);
    await run();
    expect(transport.requests.map(({ path, query }) => [path, query?.['labelSelector']])).toEqual([
      ['/apis/client.example.com/v1/widgets', undefined],
      ['/apis/client.example.com/v1/namespaces/shop/widgets', undefined],
      ['/apis/client.example.com/v1/widgets', 'app=web'],
    ]);
    expect(transport.watches.map(({ request }) => request.path)).toHaveLength(3);
  });

  test('can be asked for while running', async () => {
    const { cache, run } = running();
    await run();
    const late = cache.store({ resource: WIDGETS });
    await cache.synced(new AbortController().signal);
    expect(late.size).toBe(2);
  });

  test('follow their indexes as objects change', async () => {
    const { cache, transport, run } = running();
    const store = cache.store({ resource: WIDGETS, indexes: { colour: byColour } });
    await run();
    transport.lastWatch.send(modified({ name: 'a', version: 11, colour: 'green' }), added({ name: 'c', version: 12, colour: 'green' }));
    await turn();
    expect(store.list({ index: 'colour', value: 'green' }).map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    expect(store.list({ index: 'colour', value: 'blue' }).map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  test('get an index later too, over what they hold', async () => {
    const { cache, run } = running();
    const store = cache.store({ resource: WIDGETS });
    await run();
    cache.store({ resource: WIDGETS, indexes: { colour: byColour } });
    expect(store.list({ index: 'colour', value: 'blue' })).toHaveLength(2);
  });
});

describe('wirings that contradict themselves are refused at once', () => {
  test.each([
    { name: 'two different parts of each object', second: { resource: WIDGETS, keep: 'metadata' as const } },
    { name: 'two meanings of one index', second: { resource: WIDGETS, indexes: { colour: bySize } } },
  ])('$name', ({ second }) => {
    const { cache } = running();
    cache.store({ resource: WIDGETS, indexes: { colour: byColour } });
    expect(() => cache.store(second)).toThrow(expect.objectContaining({ code: 'Internal', retry: 'never' }));
  });

  test('an index that does not exist', () => {
    const { cache } = running();
    expect(() => cache.store({ resource: WIDGETS }).list({ index: 'colour', value: 'blue' })).toThrow('no index is named "colour"');
  });

  test('a selector that cannot be read', () => {
    const { cache } = running();
    expect(() => cache.store({ resource: WIDGETS, labelSelector: 'a in (' })).toThrow(SelectorError);
  });
});
