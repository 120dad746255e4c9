import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WatchLine } from '../../kube/client/transport.ts';
import type { Stored } from '../object.ts';
import { aServer, type Harness, type Query } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

/** One write to a handful of widgets. */
type Deed =
  | { readonly do: 'create'; readonly name: string; readonly label: string }
  | { readonly do: 'label'; readonly name: string; readonly label: string | null }
  | { readonly do: 'resize'; readonly name: string; readonly size: number }
  | { readonly do: 'status'; readonly name: string; readonly count: number }
  | { readonly do: 'delete'; readonly name: string }
  | { readonly do: 'finalize'; readonly name: string; readonly on: boolean };

const name = fc.constantFrom('a', 'b', 'c');
const label = fc.constantFrom('x', 'y');
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ do: fc.constant('create' as const), name, label }),
  fc.record({ do: fc.constant('label' as const), name, label: fc.option(label) }),
  fc.record({ do: fc.constant('resize' as const), name, size: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ do: fc.constant('status' as const), name, count: fc.nat(3) }),
  fc.record({ do: fc.constant('delete' as const), name }),
  fc.record({ do: fc.constant('finalize' as const), name, on: fc.boolean() }),
);

function perform(server: Harness, it: Deed): Promise<unknown> {
  const path = `${W}/${it.name}`;
  switch (it.do) {
    case 'create':
      return server.call('POST', W, aWidget(it.name, { metadata: { labels: { l: it.label } } }));
    case 'label':
      return server.merge(path, { metadata: { labels: { l: it.label } } });
    case 'resize':
      return server.merge(path, { spec: { size: it.size } });
    case 'status':
      return server.merge(`${path}/status`, { status: { count: it.count } });
    case 'delete':
      return server.remove(path);
    case 'finalize':
      return server.merge(path, { metadata: { finalizers: it.on ? ['x/y'] : null } });
  }
}

/** What a client knows after a list and the watch that follows it. */
function follow(known: Map<string, Stored>, lines: readonly WatchLine[]): void {
  for (const { type, object } of lines) {
    const isKnown = known.has(object.metadata.name);
    // ADDED is never about what is known, MODIFIED and DELETED never about what is not.
    expect(type === 'ADDED').toBe(!isKnown);
    if (type === 'DELETED') known.delete(object.metadata.name);
    else known.set(object.metadata.name, object as Stored);
  }
}

const listed = async (
  server: Harness,
  query: Query,
): Promise<{ readonly items: readonly Stored[]; readonly metadata: { readonly resourceVersion: string } }> =>
  (await server.get(W, query)).body as never;

test('a watch played onto a list gives the later list, under any selector', async () => {
  const selector = fc.constantFrom({}, { labelSelector: 'l=x' }, { labelSelector: '!l' }, { fieldSelector: 'metadata.name!=a' });
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 20 }), fc.array(deed, { maxLength: 20 }), selector, async (before, later, query) => {
      const server = await aServer();
      for (const it of before) await perform(server, it);
      const { items, metadata } = await listed(server, query);
      const known = new Map(items.map((item) => [item.metadata.name, item]));
      const live = await server.watch(W, { ...query, resourceVersion: metadata.resourceVersion });
      for (const it of later) await perform(server, it);
      const resumed = await server.watch(W, { ...query, resourceVersion: metadata.resourceVersion });
      const lines = await live.lines();
      expect(await resumed.lines()).toEqual(lines);
      follow(known, lines);
      const now = await listed(server, query);
      expect([...known.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))).toEqual(now.items);
      live.stop();
      resumed.stop();
    }),
    { numRuns: 60 },
  );
});

test('versions only rise, and every accepted change takes exactly one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 30 }), async (deeds) => {
      const server = await aServer();
      const from = Number(server.api.resourceVersion);
      const watcher = await server.watch(W, { resourceVersion: String(from) });
      for (const it of deeds) await perform(server, it);
      const versions = (await watcher.lines()).map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual(versions.map((_, i) => from + i + 1));
      expect(Number(server.api.resourceVersion)).toBe(from + versions.length);
      watcher.stop();
    }),
    { numRuns: 60 },
  );
});
