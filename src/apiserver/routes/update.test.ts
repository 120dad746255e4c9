import { describe, expect, test } from 'vitest';
import type { Stored } from '../object.ts';
import { aServer, objectOf, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

async function withWidget(rest: Parameters<typeof aWidget>[1] = {}): Promise<Harness & { readonly widget: Stored }> {
  const server = await aServer();
  return { ...server, widget: await server.create(W, aWidget('a', rest)) };
}

describe('update', () => {
  test('a change of the spec is a new generation, one of metadata is not', async () => {
    const { widget, ...server } = await withWidget();
    const labelled = objectOf(await server.update(`${W}/a`, { ...widget, metadata: { ...widget.metadata, labels: { a: 'b' } } }));
    expect(labelled.metadata.generation).toBe(1);
    const resized = objectOf(await server.update(`${W}/a`, { ...labelled, spec: { color: 'red', size: 5 } }));
    expect(resized.metadata.generation).toBe(2);
    expect(Number(resized.metadata.resourceVersion)).toBe(Number(labelled.metadata.resourceVersion) + 1);
  });

  test('a write that changes nothing takes no version and reaches no watch', async () => {
    const { widget, ...server } = await withWidget();
    const watcher = await server.watch(W, { resourceVersion: server.api.resourceVersion });
    const before = server.api.resourceVersion;
    expect(objectOf(await server.update(`${W}/a`, widget))).toBe(widget);
    expect(objectOf(await server.merge(`${W}/a`, { spec: { size: 3, bogus: 1 } }))).toBe(widget);
    expect(objectOf(await server.merge(`${W}/a/status`, { spec: { size: 4 } }))).toBe(widget);
    expect(server.api.resourceVersion).toBe(before);
    expect(await watcher.seen()).toEqual([]);
    watcher.stop();
  });

  test('each path writes its own half', async () => {
    const { widget, ...server } = await withWidget();
    const both = { ...widget, spec: { color: 'red', size: 9 }, status: { phase: 'A' } };
    const status = objectOf(await server.update(`${W}/a/status`, both));
    expect(status).toMatchObject({ spec: { size: 3 }, status: { phase: 'A' }, metadata: { generation: 1 } });
    const main = objectOf(await server.update(`${W}/a`, { ...both, status: { phase: 'B' }, metadata: status.metadata }));
    expect(main).toMatchObject({ spec: { size: 9 }, status: { phase: 'A' }, metadata: { generation: 2 } });
  });

  test('system fields that a body leaves out stay', async () => {
    const { widget, ...server } = await withWidget({ metadata: { finalizers: ['a/b'] } });
    const { resourceVersion } = widget.metadata;
    const body = aWidget('a', {
      metadata: { resourceVersion, finalizers: ['a/b'], creationTimestamp: '2000-01-01T00:00:00Z', generation: 99 },
    });
    const updated = objectOf(await server.update(`${W}/a`, { ...body, spec: { color: 'red', size: 4 } }));
    expect(updated.metadata).toMatchObject({
      uid: widget.metadata.uid,
      creationTimestamp: widget.metadata.creationTimestamp,
      generation: 2,
    });
  });

  test.each([
    {
      reason: 'a stale version',
      metadata: { resourceVersion: '1' },
      code: 409,
      says: 'the object has been modified; please apply your changes to the latest version and try again',
    },
    { reason: 'no version', metadata: {}, code: 422, says: 'metadata.resourceVersion: Invalid value: 0: must be specified for an update' },
    { reason: 'another UID', metadata: { uid: 'other' }, code: 409, says: 'Precondition failed: UID in precondition: other' },
    {
      reason: 'another name',
      metadata: { name: 'b' },
      code: 400,
      says: 'the name of the object (b) does not match the name on the URL (a)',
    },
    { reason: 'another namespace', metadata: { namespace: 'b' }, code: 400, says: 'does not match the namespace sent on the request' },
  ])('refuses $reason', async ({ metadata, code, says }) => {
    const { widget, ...server } = await withWidget();
    const answer = await server.update(`${W}/a`, { ...widget, metadata: { name: 'a', ...metadata }, spec: { color: 'red', size: 9 } });
    expect(answer.code).toBe(code);
    expect(statusOf(answer).message).toContain(says);
    expect(objectOf(await server.get(`${W}/a`))).toBe(widget);
  });

  test('only some built-ins are created by PUT', async () => {
    const server = await aServer();
    const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    expect((await server.update(lease, { metadata: { name: 'l' } })).code).toBe(201);
    expect((await server.update('/api/v1/namespaces/default/configmaps/c', { metadata: { name: 'c' } })).code).toBe(404);
    expect((await server.update(`${W}/a`, aWidget('a'))).code).toBe(404);
  });

  test('what was valid when it was stored does not block changes elsewhere', async () => {
    const { widget, ...server } = await withWidget({ spec: { name: 'abc' } });
    const crd = objectOf(await server.get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com'));
    const tightened = JSON.parse(JSON.stringify(crd).replace('"^[a-z]+$"', '"^z+$"')) as Stored;
    expect((await server.update('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com', tightened)).code).toBe(200);
    expect((await server.merge(`${W}/a`, { spec: { size: 4 } })).code).toBe(200);
    expect((await server.merge(`${W}/a`, { spec: { name: 'abd' } })).code).toBe(422);
    expect(widget.spec).toMatchObject({ name: 'abc' });
  });
});
