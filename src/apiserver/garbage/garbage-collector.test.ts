import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import type { Stored } from '../object.ts';
import { aServer, CRDS, objectOf, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();

const ownedBy = (owner: Stored, rest: JsonObject = {}): JsonObject => ({
  ownerReferences: [{ apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...rest }],
});

/** Everything that the collectors do until they rest. */
async function collectAll(server: Harness): Promise<readonly string[]> {
  const did: string[] = [];
  for (;;) {
    const step = server.api.collectGarbage();
    if (step.did === undefined) return did;
    did.push(step.did);
    await server.quiet();
  }
}

async function family(): Promise<Harness & { readonly parent: Stored }> {
  const server = await aServer({ garbageCollection: 'manual' });
  const parent = await server.create(W, aWidget('parent'));
  const child = await server.create(W, aWidget('child', { metadata: ownedBy(parent, { blockOwnerDeletion: true }) }));
  await server.create(W, aWidget('grandchild', { metadata: ownedBy(child, { blockOwnerDeletion: true }) }));
  await server.create(W, aWidget('stranger'));
  return { ...server, parent };
}

describe('owner references', () => {
  test('in the background dependents follow their owner, one step at a time', async () => {
    const server = await family();
    expect(await collectAll(server)).toEqual([]);
    await server.remove(`${W}/parent`);
    expect(await server.names(W)).toEqual(['child', 'grandchild', 'stranger']);
    expect(server.api.hasGarbage()).toBe(true);
    expect(server.api.collectGarbage()).toEqual({ did: 'deleted Widget default/child', more: true });
    expect(await server.names(W)).toEqual(['grandchild', 'stranger']);
    expect(await collectAll(server)).toEqual(['deleted Widget default/grandchild']);
    expect(await server.names(W)).toEqual(['stranger']);
    expect(server.api.hasGarbage()).toBe(false);
  });

  test('in the foreground the owner waits for those that block it', async () => {
    const server = await family();
    const marked = objectOf(await server.remove(`${W}/parent`, { propagationPolicy: 'Foreground' }));
    expect(marked.metadata.finalizers).toEqual(['foregroundDeletion']);
    const watcher = await server.watch(W, { resourceVersion: server.api.resourceVersion });
    await collectAll(server);
    expect((await watcher.seen()).filter((line) => line.startsWith('DELETED'))).toEqual([
      'DELETED grandchild',
      'DELETED child',
      'DELETED parent',
    ]);
    expect(await server.names(W)).toEqual(['stranger']);
    watcher.stop();
  });

  test('in the foreground a dependent with a finalizer of its own is waited for', async () => {
    const server = await family();
    await server.merge(`${W}/grandchild`, { metadata: { finalizers: ['x/y'] } });
    await server.remove(`${W}/parent`, { propagationPolicy: 'Foreground' });
    await collectAll(server);
    expect(await server.names(W)).toEqual(['child', 'grandchild', 'parent', 'stranger']);
    await server.merge(`${W}/grandchild`, { metadata: { finalizers: null } });
    await collectAll(server);
    expect(await server.names(W)).toEqual(['stranger']);
  });

  test('in the foreground those that do not block are not waited for', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    const parent = await server.create(W, aWidget('parent'));
    await server.create(W, aWidget('child', { metadata: { ...ownedBy(parent), finalizers: ['x/y'] } }));
    await server.remove(`${W}/parent`, { propagationPolicy: 'Foreground' });
    await collectAll(server);
    expect(await server.names(W)).toEqual(['child']);
    expect(objectOf(await server.get(`${W}/child`)).metadata.deletionTimestamp).toBeDefined();
  });

  test('orphans lose their owner and stay', async () => {
    const server = await family();
    await server.remove(`${W}/parent`, { propagationPolicy: 'Orphan' });
    expect(await collectAll(server)).toEqual(['released Widget default/child', 'orphaned the dependents of Widget default/parent']);
    expect(await server.names(W)).toEqual(['child', 'grandchild', 'stranger']);
    expect(objectOf(await server.get(`${W}/child`)).metadata).not.toHaveProperty('ownerReferences');
  });

  test('a Job is an orphan’s maker unless told otherwise', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    await server.create(jobs, { metadata: { name: 'j' }, spec: {} });
    expect(objectOf(await server.remove(`${jobs}/j`)).metadata.finalizers).toEqual(['orphan']);
  });

  test.each([
    { reason: 'an owner that never existed', owner: { name: 'nobody', uid: 'u' }, survives: false },
    { reason: 'an owner of that name but another UID', owner: { name: 'parent', uid: 'u' }, survives: false },
    {
      reason: 'an owner of a kind that is not served',
      owner: { apiVersion: 'x.io/v1', kind: 'Nothing', name: 'n', uid: 'u' },
      survives: true,
    },
  ])('with $reason, a new object survives: $survives', async ({ owner, survives }) => {
    const server = await aServer();
    await server.create(W, aWidget('parent'));
    await server.create(
      W,
      aWidget('child', { metadata: { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', ...owner }] } }),
    );
    expect((await server.get(`${W}/child`)).code).toBe(survives ? 200 : 404);
  });

  test('an owner in another namespace is no owner', async () => {
    const server = await aServer();
    await server.create('/api/v1/namespaces', { metadata: { name: 'other' } });
    const parent = await server.create(W, aWidget('parent'));
    await server.create(widgets('other'), aWidget('child', { metadata: ownedBy(parent) }));
    expect(await server.names(widgets('other'))).toEqual([]);
  });

  test('a cluster-scoped owner owns in any namespace', async () => {
    const server = await aServer();
    const node = await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    await server.create(W, aWidget('child', { metadata: ownedBy(node) }));
    expect(await server.names(W)).toEqual(['child']);
    await server.remove('/api/v1/nodes/n');
    expect(await server.names(W)).toEqual([]);
  });

  test('one of two owners gone takes only its reference along', async () => {
    const server = await aServer();
    const [one, two] = [await server.create(W, aWidget('one')), await server.create(W, aWidget('two'))];
    const owners = [one, two].flatMap((owner) => ownedBy(owner).ownerReferences as readonly JsonObject[]);
    await server.create(W, aWidget('child', { metadata: { ownerReferences: owners } }));
    await server.remove(`${W}/one`);
    expect(objectOf(await server.get(`${W}/child`)).metadata.ownerReferences).toEqual([owners[1]]);
    await server.remove(`${W}/two`);
    expect(await server.names(W)).toEqual([]);
  });
});

describe('containers', () => {
  test('a namespace goes when its content is gone, and takes nothing new meanwhile', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    await server.create('/api/v1/namespaces', { metadata: { name: 'n' } });
    await server.create(widgets('n'), aWidget('held', { metadata: { finalizers: ['x/y'] } }));
    await server.create('/api/v1/namespaces/n/configmaps', { metadata: { name: 'c' } });
    expect(await server.remove('/api/v1/namespaces/n')).toMatchObject({ code: 200, body: { status: { phase: 'Terminating' } } });
    const refused = await server.call('POST', widgets('n'), aWidget('late'));
    expect(statusOf(refused)).toMatchObject({ code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] } });
    await collectAll(server);
    expect(await server.names('/api/v1/namespaces/n/configmaps')).toEqual([]);
    expect((await server.get('/api/v1/namespaces/n')).code).toBe(200);
    await server.merge(`${widgets('n')}/held`, { metadata: { finalizers: null } });
    await collectAll(server);
    expect((await server.get('/api/v1/namespaces/n')).code).toBe(404);
  });

  test('a CRD goes when its objects are gone, and the kind with it', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    await server.create(W, aWidget('a'));
    await server.create(W, aWidget('held', { metadata: { finalizers: ['x/y'] } }));
    await server.remove(`${CRDS}/widgets.example.com`);
    expect(statusOf(await server.call('POST', W, aWidget('late')))).toMatchObject({ code: 403, reason: 'Forbidden' });
    await collectAll(server);
    expect(await server.names(W)).toEqual(['held']);
    await server.merge(`${W}/held`, { metadata: { finalizers: null } });
    await collectAll(server);
    expect((await server.get(W)).code).toBe(404);
    expect((await server.get(`${CRDS}/widgets.example.com`)).code).toBe(404);
  });

  test('the default namespace stays', async () => {
    const server = await aServer();
    expect(statusOf(await server.remove('/api/v1/namespaces/default'))).toMatchObject({ code: 403, reason: 'Forbidden' });
    expect(await server.names('/api/v1/namespaces')).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });
});
