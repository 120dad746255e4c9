import { describe, expect, test } from 'vitest';
import { SECOND } from '../../base/index.ts';
import { aServer, CRDS, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

const refusal = async (server: Harness, query: Readonly<Record<string, string>>): Promise<number> =>
  (await server.api.watch({ method: 'GET', path: W, query }, new AbortController().signal)).code;

describe('watch', () => {
  test('without a version: the state first, then every change', async () => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    const watcher = await server.watch(W);
    expect(await watcher.seen()).toEqual(['ADDED a']);
    await server.create(W, aWidget('b'));
    await server.merge(`${W}/a`, { spec: { size: 4 } });
    await server.remove(`${W}/a`);
    expect(await watcher.seen()).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a']);
    watcher.stop();
  });

  test('from a version: what happened since, once, and what is deleted as it last was', async () => {
    const server = await aServer();
    const { resourceVersion } = (await server.create(W, aWidget('a'))).metadata;
    await server.merge(`${W}/a`, { spec: { size: 4 } });
    await server.remove(`${W}/a`);
    const gone = server.api.resourceVersion;
    const watcher = await server.watch(W, { resourceVersion });
    const [modified, deleted, ...rest] = await watcher.lines();
    expect(modified).toMatchObject({ type: 'MODIFIED', object: { spec: { size: 4 } } });
    expect(deleted).toMatchObject({ type: 'DELETED', object: { spec: { size: 4 }, metadata: { resourceVersion: gone } } });
    expect(rest).toEqual([]);
    watcher.stop();
  });

  test('objects in watches, lists and reads are the same frozen ones', async () => {
    const server = await aServer();
    const watcher = await server.watch(W);
    const created = await server.create(W, aWidget('a'));
    expect((await watcher.lines())[0]!.object).toBe(created);
    watcher.stop();
  });

  test('what enters or leaves a selection is added or deleted', async () => {
    const server = await aServer();
    const watcher = await server.watch(W, { labelSelector: 'in=yes' });
    await server.create(W, aWidget('a'));
    await server.merge(`${W}/a`, { metadata: { labels: { in: 'yes' } } });
    await server.merge(`${W}/a`, { spec: { size: 5 } });
    const left = await server.merge(`${W}/a`, { metadata: { labels: null }, spec: { size: 6 } });
    const lines = await watcher.lines();
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(lines[2]!.object).toMatchObject({
      spec: { size: 5 },
      metadata: { labels: { in: 'yes' }, resourceVersion: (left.body as (typeof lines)[2]['object']).metadata.resourceVersion },
    });
    await server.remove(`${W}/a`);
    expect(await watcher.seen()).toEqual([]);
    watcher.stop();
  });

  test('one namespace, one field, one object', async () => {
    const server = await aServer();
    await server.create('/api/v1/namespaces', { metadata: { name: 'other' } });
    const here = await server.watch(W);
    const blue = await server.watch(W, { fieldSelector: 'spec.color=blue' });
    const one = await server.watch(`${W}/a`);
    await server.create(W, aWidget('a'));
    await server.create(W, aWidget('b', { spec: { color: 'blue' } }));
    await server.create(widgets('other'), aWidget('c', { spec: { color: 'blue' } }));
    expect(await here.seen()).toEqual(['ADDED a', 'ADDED b']);
    expect(await blue.seen()).toEqual(['ADDED b']);
    expect(await one.seen()).toEqual(['ADDED a']);
    for (const watcher of [here, blue, one]) watcher.stop();
  });

  test('a version that is forgotten ends in an ERROR line with 410', async () => {
    const server = await aServer({ watchHistory: 2 });
    const { resourceVersion } = (await server.create(W, aWidget('a'))).metadata;
    for (const size of [4, 5]) await server.merge(`${W}/a`, { spec: { size } });
    const still = await server.watch(W, { resourceVersion });
    expect(await still.seen()).toEqual(['MODIFIED a', 'MODIFIED a']);
    await server.merge(`${W}/a`, { spec: { size: 6 } });
    const late = await server.watch(W, { resourceVersion });
    const [line] = await late.lines();
    expect(line).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
    expect(late.ended()).toBe(true);
    still.stop();
  });

  test('compaction forgets', async () => {
    const server = await aServer();
    const { resourceVersion } = (await server.create(W, aWidget('a'))).metadata;
    server.api.compact(resourceVersion);
    const at = await server.watch(W, { resourceVersion });
    await server.merge(`${W}/a`, { spec: { size: 4 } });
    expect(await at.seen()).toEqual(['MODIFIED a']);
    server.api.compact(server.api.resourceVersion);
    expect(await (await server.watch(W, { resourceVersion })).seen()).toEqual(['ERROR']);
    at.stop();
  });

  test('ends when its time is up, and leaves nothing waiting', async () => {
    const server = await aServer();
    const watcher = await server.watch(W, { timeoutSeconds: '5', allowWatchBookmarks: 'true' });
    await server.clock.advance(4 * SECOND);
    expect(watcher.ended()).toBe(false);
    await server.clock.advance(SECOND);
    await watcher.lines();
    expect(watcher.ended()).toBe(true);
    expect(server.clock.waiting).toBe(0);
  });

  test('bookmarks come by the clock, to those who asked', async () => {
    const server = await aServer({ bookmarkEveryMs: 10 * SECOND });
    const asked = await server.watch(W, { allowWatchBookmarks: 'true' });
    const silent = await server.watch(W);
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    await server.clock.advance(10 * SECOND);
    const [mark] = await asked.lines();
    expect(mark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Widget', metadata: { resourceVersion: server.api.resourceVersion } } });
    expect(await silent.seen()).toEqual([]);
    await server.clock.advance(10 * SECOND);
    expect(await asked.seen()).toEqual(['BOOKMARK']);
    asked.stop();
    silent.stop();
  });

  test('sendInitialEvents marks where the state ends', async () => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
    const watcher = await server.watch(W, query);
    const [added, mark] = await watcher.lines();
    expect(added).toMatchObject({ type: 'ADDED' });
    expect(mark).toMatchObject({ type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } });
    watcher.stop();
  });

  test.each([
    { reason: 'a version that is none', query: { resourceVersion: 'x' }, code: 500 },
    { reason: 'a bad selector', query: { labelSelector: '==' }, code: 400 },
    { reason: 'a field that is not selectable', query: { fieldSelector: 'spec.size=1' }, code: 400 },
    { reason: 'initial events of no version', query: { sendInitialEvents: 'true' }, code: 422 },
    { reason: 'a match that is not for watches', query: { resourceVersionMatch: 'Exact', resourceVersion: '1' }, code: 422 },
  ])('refuses $reason', async ({ query, code }) => {
    expect(await refusal(await aServer(), query)).toBe(code);
  });

  test('refuses what nothing serves', async () => {
    const server = await aServer();
    const answer = await server.api.watch({ method: 'GET', path: '/api/v1/gadgets' }, new AbortController().signal);
    expect('body' in answer && statusOf(answer)).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  test('ends with its signal, with its kind and with the server', async () => {
    const server = await aServer();
    const [bySignal, byKind, byClose] = [await server.watch(W), await server.watch(W), await server.watch('/api/v1/nodes')];
    bySignal.stop();
    await bySignal.lines();
    expect([bySignal.ended(), byKind.ended()]).toEqual([true, false]);
    await server.remove(`${CRDS}/widgets.example.com`);
    await byKind.lines();
    expect([byKind.ended(), byClose.ended()]).toEqual([true, false]);
    server.api.close();
    await byClose.lines();
    expect(byClose.ended()).toBe(true);
  });

  test('a watch that begins while a change is told sees it once', async () => {
    const server = await aServer();
    const first = await server.watch(W, { resourceVersion: server.api.resourceVersion });
    await server.create(W, aWidget('a'));
    const second = await server.watch(W);
    expect(await first.seen()).toEqual(['ADDED a']);
    expect(await second.seen()).toEqual(['ADDED a']);
    first.stop();
    second.stop();
  });
});
