import { describe, expect, test } from 'vitest';
import { systemClock, turn } from '../../base/index.ts';
import { ANONYMOUS } from '../authentication/user.ts';
import { aServer, CRDS, objectOf, statusOf, type Harness } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';
import { memoryStorage } from '../storage/memory-storage.ts';
import { heapBytes } from './heap-bytes.ts';

const MIB = 1024 * 1024;
const MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const map = (name: string, more: object): object => ({ metadata: { name }, ...more });
const base64 = (bytes: number): string => Buffer.alloc(bytes, 'x').toString('base64');

describe('the data of a ConfigMap and of a Secret', () => {
  test.each([
    { reason: 'as much as allowed', path: MAPS, more: { data: { a: 'x'.repeat(MIB) } }, code: 201 },
    { reason: 'a byte more', path: MAPS, more: { data: { a: 'x'.repeat(MIB), b: 'y' } }, code: 422, field: '[]' },
    { reason: 'bytes count, not characters', path: MAPS, more: { data: { a: '€'.repeat(MIB / 2) } }, code: 422, field: '[]' },
    { reason: 'binary data is counted decoded', path: MAPS, more: { binaryData: { a: base64(MIB) } }, code: 201 },
    { reason: 'with the text', path: MAPS, more: { data: { b: 'y' }, binaryData: { a: base64(MIB) } }, code: 422, field: '[]' },
    { reason: 'a Secret, decoded', path: SECRETS, more: { data: { a: base64(MIB) } }, code: 201 },
    { reason: 'a Secret a byte too large', path: SECRETS, more: { stringData: { a: 'x'.repeat(MIB + 1) } }, code: 422, field: 'data' },
  ])('$reason: $code', async ({ path, more, code, field }) => {
    const server = await aServer();
    const answer = await server.call('POST', path, map('a', more));
    expect(answer.code).toBe(code);
    if (field === undefined) return;
    const cause = { reason: 'FieldValueTooLong', message: 'Too long: may not be more than 1048576 bytes', field };
    expect(statusOf(answer)).toMatchObject({ reason: 'Invalid', details: { causes: [cause] } });
    expect((await server.get(`${path}/a`)).code).toBe(404);
  });
});

describe('an object', () => {
  const tooLarge = { code: 500, status: 'Failure', message: 'etcdserver: request is too large' };
  /** A Pod that is just too large, in annotations of its status. */
  const message = (bytes: number): object => ({ status: { message: 'x'.repeat(bytes) } });

  test('may be of 1.5 MiB; a larger one is refused and not written', async () => {
    const server = await aServer();
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    const path = '/api/v1/nodes/n/status';
    expect((await server.merge(path, { status: { nodeInfo: { machineID: 'x'.repeat(1.4 * MIB) } } })).code).toBe(200);
    const before = objectOf(await server.get('/api/v1/nodes/n'));
    const answer = await server.merge(path, { status: { nodeInfo: { machineID: 'x'.repeat(1.5 * MIB) } } });
    expect(statusOf(answer)).toMatchObject(tooLarge);
    expect(statusOf(answer).reason).toBeUndefined();
    expect(objectOf(await server.get('/api/v1/nodes/n'))).toBe(before);
  });

  test('is measured as JSON, with what is escaped', async () => {
    const server = await aServer();
    await server.create('/api/v1/nodes', { metadata: { name: 'n', annotations: { a: '1' } } });
    const answer = await server.merge('/api/v1/nodes/n/status', { status: { nodeInfo: { machineID: '\u0001'.repeat(0.3 * MIB) } } });
    expect(statusOf(answer)).toMatchObject(tooLarge);
  });

  test('that is new is refused too', async () => {
    const server = await aServer();
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'x'.repeat(1.6 * MIB) }] }, ...message(1) };
    expect(statusOf(await server.call('POST', '/api/v1/namespaces/default/pods', pod))).toMatchObject(tooLarge);
  });
});

describe('a JSON patch', () => {
  const JSON_PATCH = 'application/json-patch+json';
  const copies = (count: number): readonly object[] =>
    Array.from({ length: count }, (_, i) => ({ op: 'copy', from: '/data/a', path: `/data/c${i}` }));

  test('of 420 copies of a large value is refused, and others can still write', async () => {
    const server = await aServer();
    await server.create(MAPS, map('a', { data: { a: '€'.repeat(300_000) } }));
    const answer = await server.patch(JSON_PATCH, `${MAPS}/a`, copies(420));
    expect(statusOf(answer)).toMatchObject({ code: 422, reason: 'Invalid' });
    expect((await server.call('POST', MAPS, map('b', { data: { a: '1' } }))).code).toBe(201);
  });

  test('of copies that double each time is refused at once', async () => {
    const server = await aServer();
    await server.create(MAPS, map('a', { data: { a: 'x' } }));
    const doubled = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '', path: `/data/c${i}` }));
    expect(statusOf(await server.patch(JSON_PATCH, `${MAPS}/a`, doubled))).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  test('has at most 10,000 operations', async () => {
    const server = await aServer();
    await server.create(MAPS, map('a', { data: { a: 'x' } }));
    const tests = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '/data/a', value: 'x' }));
    expect((await server.patch(JSON_PATCH, `${MAPS}/a`, tests(10_000))).code).toBe(200);
    expect(statusOf(await server.patch(JSON_PATCH, `${MAPS}/a`, tests(10_001)))).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
    });
  });

  test('of 10,000 insertions into a long list takes little time', async () => {
    const server = await aServer();
    const list = Array.from({ length: 20_000 }, () => 0);
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    const started = systemClock.now();
    const operations = [
      { op: 'add', path: '/x', value: list },
      ...Array.from({ length: 9_999 }, () => ({ op: 'add', path: '/x/0', value: 1 })),
    ];
    await server.patch(JSON_PATCH, '/api/v1/nodes/n', operations);
    expect(systemClock.now() - started).toBeLessThan(5_000);
  });
});

describe('the room for objects', () => {
  const filled = async () => {
    const server = await aServer({ roomBytes: 2 * MIB });
    for (const name of ['a', 'b']) await server.create(MAPS, map(name, { data: { a: 'x'.repeat(0.7 * MIB) } }));
    return server;
  };
  const exceeded = { code: 500, message: 'etcdserver: mvcc: database space exceeded' };
  const large = { data: { a: 'x'.repeat(0.7 * MIB) } };

  test('is refused to users when it is used up; what deletes or shrinks an object is not', async () => {
    const server = await filled();
    const { api } = server;
    await server.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'all' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    });
    await server.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'all' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: ANONYMOUS.username }],
    });
    const ask = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      api.gate.admit(ANONYMOUS, { method, path }).request({ method, path, ...(body && { body }) });
    expect(statusOf(await ask('POST', MAPS, map('c', large)))).toMatchObject(exceeded);
    expect((await ask('PUT', `${MAPS}/b`, map('b', { data: { a: 'x'.repeat(0.6 * MIB) } }))).code).toBe(200);
    expect((await ask('DELETE', `${MAPS}/a`)).code).toBe(200);
    await server.quiet();
    expect((await ask('POST', MAPS, map('c', { data: { a: 'x'.repeat(0.6 * MIB) } }))).code).toBe(201);
  });

  test('has a reserve for the process itself', async () => {
    const server = await filled();
    expect((await server.call('POST', MAPS, map('c', { data: { a: 'x'.repeat(0.9 * MIB) } }))).code).toBe(500);
    expect((await server.call('POST', MAPS, map('c', { data: { a: 'x'.repeat(0.4 * MIB) } }))).code).toBe(201);
  });
});

describe('the history for watches', () => {
  const rewrite = async (server: Harness, name: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await server.merge(`${MAPS}/${name}`, { data: { a: 'x'.repeat(100_000), i: String(i) } });
  };

  test('is bounded by its size, over all kinds; what is forgotten is told', async () => {
    const server = await aServer({ historyBytes: MIB });
    await server.create('/api/v1/nodes', { metadata: { name: 'n' } });
    const old = await server.create(MAPS, map('a', { data: { a: 'x'.repeat(100_000) } }));
    const small = await server.create('/api/v1/nodes', { metadata: { name: 'm' } });
    await rewrite(server, 'a', 3);
    const recent = objectOf(await server.get(`${MAPS}/a`)).metadata.resourceVersion;
    await rewrite(server, 'a', 3);
    const at = async (path: string, { resourceVersion }: { readonly resourceVersion: string }) => {
      const watcher = await server.watch(path, { resourceVersion });
      const seen = await watcher.seen();
      watcher.stop();
      return seen;
    };
    expect(await at(MAPS, { resourceVersion: recent })).toEqual(['MODIFIED a', 'MODIFIED a', 'MODIFIED a']);
    expect(await at(MAPS, old.metadata)).toEqual(['ERROR']);
    expect(await at('/api/v1/nodes', old.metadata)).toEqual(['ERROR']);
    expect(await at('/api/v1/nodes', small.metadata)).toEqual([]);
  });

  test('a watcher that is too far behind is ended, and can go on from where it was', async () => {
    const server = await aServer({ historyBytes: 4 * MIB });
    await server.create(MAPS, map('a', { data: { a: '1' } }));
    const { resourceVersion } = objectOf(await server.get(`${MAPS}/a`)).metadata;
    const stream = await server.api.watch(
      { method: 'GET', path: MAPS, query: { watch: '1', resourceVersion } },
      new AbortController().signal,
    );
    if (!('lines' in stream)) throw new Error('refused');
    await rewrite(server, 'a', 20);
    await server.quiet();
    const got: string[] = [];
    for await (const batch of stream.lines) got.push(...batch.map(({ object }) => object.metadata.resourceVersion));
    expect(got.length).toBeGreaterThan(5);
    expect(got.length).toBeLessThan(20);
    const rest = await server.watch(MAPS, { resourceVersion: got.at(-1)! });
    expect(got.length + (await rest.seen()).length).toBe(20);
    rest.stop();
  });
});

test('many small parts take more memory than their text', () => {
  const value = Array.from({ length: 1_000 }, () => ({}));
  expect(heapBytes(value)).toBeGreaterThan(20 * JSON.stringify(value).length - 10_000);
});

test('probes tell that nothing can be written', async () => {
  const below = memoryStorage();
  let works = true;
  const server = await aServer({
    storage: { ...below, commit: (writes) => (works ? below.commit(writes) : Promise.reject(new Error('disk full'))) },
  });
  for (const path of ['/livez', '/readyz', '/healthz']) expect(await server.get(path)).toMatchObject({ code: 200, body: 'ok' });
  works = false;
  expect((await server.call('POST', widgets(), aWidget('a'))).code).toBe(500);
  await turn();
  for (const path of ['/livez', '/readyz', '/healthz']) expect(await server.get(path)).toMatchObject({ code: 500 });
  expect((await server.get(CRDS)).code).toBe(200);
});
