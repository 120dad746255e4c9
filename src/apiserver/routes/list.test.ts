import { describe, expect, test } from 'vitest';
import type { Stored } from '../object.ts';
import { aServer, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

interface List {
  readonly items: readonly Stored[];
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number };
}

async function withWidgets(names: readonly string[]): Promise<Harness> {
  const server = await aServer();
  for (const name of names) await server.create(W, aWidget(name, { metadata: { labels: { name } } }));
  return server;
}

const page = async (server: Harness, query: Readonly<Record<string, string>>): Promise<List> => (await server.get(W, query)).body as List;
const names = ({ items }: List): readonly string[] => items.map((item) => item.metadata.name);

describe('list', () => {
  test('comes in key order, whatever the order of creation', async () => {
    const server = await withWidgets(['c', 'a', 'b']);
    expect(await server.names(W)).toEqual(['a', 'b', 'c']);
    await server.create('/api/v1/namespaces', { metadata: { name: 'another' } });
    await server.create(widgets('another'), aWidget('z'));
    expect(await server.names('/apis/example.com/v1/widgets')).toEqual(['z', 'a', 'b', 'c']);
    expect(await server.names(widgets('another'))).toEqual(['z']);
  });

  test('all pages are of one version, whatever happens in between', async () => {
    const server = await withWidgets(['a', 'b', 'c', 'd']);
    const first = await page(server, { limit: '2' });
    expect(first.metadata.remainingItemCount).toBe(2);
    await server.remove(`${W}/c`);
    await server.create(W, aWidget('bb'));
    await server.merge(`${W}/d`, { spec: { size: 9 } });
    const second = await page(server, { limit: '2', continue: first.metadata.continue! });
    expect([...names(first), ...names(second)]).toEqual(['a', 'b', 'c', 'd']);
    expect(second.items[1]!.spec).toMatchObject({ size: 3 });
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect(await server.names(W)).toEqual(['a', 'b', 'bb', 'd']);
  });

  test('a page whose version is forgotten is refused, with a token to go on without it', async () => {
    const server = await withWidgets(['a', 'b', 'c']);
    const first = await page(server, { limit: '1' });
    await server.remove(`${W}/b`);
    server.api.compact(server.api.resourceVersion);
    const refused = await server.get(W, { limit: '1', continue: first.metadata.continue! });
    expect(statusOf(refused)).toMatchObject({ code: 410, reason: 'Expired' });
    const rest = await page(server, { continue: statusOf(refused).metadata.continue! });
    expect(names(rest)).toEqual(['c']);
  });

  test('at exactly the version that is asked for', async () => {
    const server = await withWidgets(['a']);
    const then = server.api.resourceVersion;
    await server.create(W, aWidget('b'));
    expect(names(await page(server, { resourceVersion: then, resourceVersionMatch: 'Exact' }))).toEqual(['a']);
    expect(names(await page(server, { resourceVersion: then, resourceVersionMatch: 'NotOlderThan' }))).toEqual(['a', 'b']);
    server.api.compact(server.api.resourceVersion);
    expect((await server.get(W, { resourceVersion: then, resourceVersionMatch: 'Exact' })).code).toBe(410);
  });

  test('selectors choose, and hide how much is left', async () => {
    const server = await withWidgets(['a', 'b', 'c']);
    expect(await server.names(W, { labelSelector: 'name in (a,c)' })).toEqual(['a', 'c']);
    expect(await server.names(W, { fieldSelector: 'metadata.name=b' })).toEqual(['b']);
    expect(await server.names(W, { fieldSelector: 'spec.color=blue' })).toEqual([]);
    const first = await page(server, { labelSelector: 'name', limit: '1' });
    expect(first.metadata.continue).toBeDefined();
    expect(first.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('fields of built-ins', async () => {
    const server = await aServer();
    const pods = '/api/v1/namespaces/default/pods';
    await server.create(pods, { metadata: { name: 'p' }, spec: { nodeName: 'n' } });
    expect(await server.names(pods, { fieldSelector: 'spec.nodeName=n,status.phase=Pending' })).toEqual(['p']);
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    expect(await server.names('/api/v1/nodes', { fieldSelector: 'spec.unschedulable=false' })).toEqual(['n']);
    expect((await server.get('/api/v1/nodes', { fieldSelector: 'spec.taints=x' })).code).toBe(400);
  });

  test('metadata only', async () => {
    const server = await withWidgets(['a']);
    const answer = await server.api.request({ method: 'GET', path: W, accept: 'metadata' });
    expect(answer.body).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }],
    });
    expect((answer.body as List).items[0]).not.toHaveProperty('spec');
  });
});
