import { describe, expect, test } from 'vitest';
import { aServer, objectOf, statusOf } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();
const PODS = '/api/v1/namespaces/default/pods';

describe('delete', () => {
  test('at once, when nothing holds it', async () => {
    const server = await aServer();
    const widget = await server.create(W, aWidget('a'));
    const answer = await server.remove(`${W}/a`);
    expect(answer.body).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', kind: 'widgets', uid: widget.metadata.uid },
    });
    expect((await server.get(`${W}/a`)).code).toBe(404);
    expect((await server.remove(`${W}/a`)).code).toBe(404);
  });

  test('a finalizer holds it; with the last one it goes', async () => {
    const server = await aServer();
    await server.create(W, aWidget('a', { metadata: { finalizers: ['x/one', 'x/two'] } }));
    const marked = objectOf(await server.remove(`${W}/a`));
    expect(marked.metadata).toMatchObject({ deletionTimestamp: '2026-11-15T03:00:00Z', deletionGracePeriodSeconds: 0, generation: 2 });
    expect(objectOf(await server.remove(`${W}/a`))).toBe(marked);
    expect((await server.merge(`${W}/a`, { metadata: { finalizers: ['x/three'] } })).code).toBe(422);
    expect(objectOf(await server.merge(`${W}/a`, { metadata: { finalizers: ['x/two'] } })).metadata.finalizers).toEqual(['x/two']);
    const watcher = await server.watch(W, { resourceVersion: server.api.resourceVersion });
    expect((await server.merge(`${W}/a`, { metadata: { finalizers: null } })).code).toBe(200);
    expect((await server.get(`${W}/a`)).code).toBe(404);
    expect(await watcher.seen()).toEqual(['DELETED a']);
    watcher.stop();
  });

  test.each([
    { reason: 'another UID', preconditions: { uid: 'other' } },
    { reason: 'another version', preconditions: { resourceVersion: '1' } },
  ])('is refused for $reason', async ({ preconditions }) => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    const answer = await server.remove(`${W}/a`, { preconditions });
    expect(statusOf(answer)).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await server.get(`${W}/a`)).code).toBe(200);
  });

  test('under the right preconditions', async () => {
    const server = await aServer();
    const { uid, resourceVersion } = (await server.create(W, aWidget('a'))).metadata;
    expect((await server.remove(`${W}/a`, { preconditions: { uid, resourceVersion } })).code).toBe(200);
  });

  test('many at once, each with its own finalizers', async () => {
    const server = await aServer();
    for (const name of ['a', 'b', 'c'])
      await server.create(W, aWidget(name, { metadata: { labels: { group: name === 'c' ? 'y' : 'x' } } }));
    await server.merge(`${W}/b`, { metadata: { finalizers: ['x/y'] } });
    expect((await server.remove(W, undefined, { labelSelector: 'group=x' })).code).toBe(200);
    expect(await server.names(W)).toEqual(['b', 'c']);
    expect(objectOf(await server.get(`${W}/b`)).metadata.deletionTimestamp).toBeDefined();
  });

  test('a pod on a node is given time, one without a node none', async () => {
    const server = await aServer();
    await server.create(PODS, { metadata: { name: 'waiting' }, spec: {} });
    await server.remove(`${PODS}/waiting`);
    expect((await server.get(`${PODS}/waiting`)).code).toBe(404);
    await server.create(PODS, { metadata: { name: 'running' }, spec: { nodeName: 'n' } });
    const marked = objectOf(await server.remove(`${PODS}/running`));
    expect(marked.metadata).toMatchObject({ deletionTimestamp: '2026-11-15T03:00:30Z', deletionGracePeriodSeconds: 30 });
    await server.remove(`${PODS}/running`, { gracePeriodSeconds: 0 });
    expect((await server.get(`${PODS}/running`)).code).toBe(404);
  });

  test('a dry run deletes nothing', async () => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    expect((await server.remove(`${W}/a`, { dryRun: ['All'] })).code).toBe(200);
    expect((await server.remove(`${W}/a`, undefined, { dryRun: 'All', propagationPolicy: 'Foreground' })).body).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion'] },
    });
    expect(objectOf(await server.get(`${W}/a`)).metadata.finalizers).toBeUndefined();
  });

  test.each([
    { reason: 'an unknown policy', body: { propagationPolicy: 'Foo' }, code: 422 },
    { reason: 'a grace that is no number', body: { gracePeriodSeconds: 'x' }, code: 400 },
    { reason: 'options that are none', body: 'x', code: 400 },
  ])('refuses $reason', async ({ body, code }) => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    expect((await server.remove(`${W}/a`, body)).code).toBe(code);
    expect((await server.get(`${W}/a`)).code).toBe(200);
  });
});
