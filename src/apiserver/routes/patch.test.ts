import { describe, expect, test } from 'vitest';
import { aServer, statusOf } from '../testing/harness.ts';
import { aWidget, widgets } from '../testing/widget.ts';

const W = widgets();
const TEST = { op: 'test', path: '/metadata/name', value: 'a' };

describe('a JSON patch', () => {
  test.each([
    { reason: 'an operation that is no text', patch: [{ ...TEST, op: 5 }], code: 400, says: 'jsonPatchOp.op' },
    { reason: 'a path that is no text', patch: [{ ...TEST, path: {} }], code: 400, says: 'jsonPatchOp.path' },
    { reason: 'a source that is no text', patch: [{ op: 'copy', from: 5, path: '/x' }], code: 400, says: 'jsonPatchOp.from' },
    { reason: 'no operation at all', patch: [null], code: 422, says: 'rejected our request' },
    { reason: 'more than are taken', patch: Array.from({ length: 10_001 }, () => TEST), code: 413, says: 'got 10001' },
  ])('is refused for $reason', async ({ patch, code, says }) => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    const before = server.api.resourceVersion;
    const answer = await server.patch('application/json-patch+json', `${W}/a`, patch);
    expect(statusOf(answer)).toMatchObject({ code, message: expect.stringContaining(says) as string });
    expect(server.api.resourceVersion).toBe(before);
  });

  test('may have ten thousand operations', async () => {
    const server = await aServer();
    await server.create(W, aWidget('a'));
    const patch = Array.from({ length: 10_000 }, () => TEST);
    expect((await server.patch('application/json-patch+json', `${W}/a`, patch)).code).toBe(200);
  });
});

describe('what is written across all namespaces', () => {
  test.each([
    { reason: 'a built-in kind', path: '/api/v1/configmaps', code: 405 },
    { reason: 'a kind of a CRD', path: W.replace(/\/namespaces\/[^/]+/, ''), code: 404 },
  ])('$reason', async ({ path, code }) => {
    const server = await aServer();
    expect((await server.call('POST', path, { metadata: { name: 'a' } })).code).toBe(code);
    expect((await server.remove(path)).code).toBe(code);
  });
});
