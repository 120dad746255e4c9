import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../kube/client/transport.ts';
import { aServer, statusOf, type Harness } from '../testing/harness.ts';
import { podOf, type PodSketch } from '../testing/evictions.ts';

const PODS = '/api/v1/namespaces/shop/pods';
const BUDGETS = '/apis/policy/v1/namespaces/shop/poddisruptionbudgets';
const UP: PodSketch = { phase: 'Running', ready: true };

async function aShop(pods: readonly PodSketch[] = [UP, UP]): Promise<Harness> {
  const server = await aServer();
  await server.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const [nth, sketch] of pods.entries()) {
    const { draft, status } = podOf(sketch, nth);
    await server.create(PODS, draft);
    await server.merge(`${PODS}/web-${nth}/status`, { status });
  }
  return server;
}

async function aBudget(server: Harness, status: object, name = 'web'): Promise<void> {
  await server.create(BUDGETS, { metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } });
  await server.merge(`${BUDGETS}/${name}/status`, { status: { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, ...status } });
}

const evict = (server: Harness, name: string, more: object = {}): Promise<ApiResponse> =>
  server.call('POST', `${PODS}/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...more });

describe('an eviction', () => {
  test('deletes the pod, after those who watch have seen why', async () => {
    const server = await aShop();
    const watcher = await server.watch(PODS);
    await watcher.lines();
    expect(await evict(server, 'web-0')).toMatchObject({ code: 201, body: { kind: 'Status', status: 'Success', code: 201 } });
    expect(await server.names(PODS)).toEqual(['web-1']);
    const [first] = await watcher.lines();
    expect(first).toMatchObject({
      type: 'MODIFIED',
      object: {
        status: { conditions: [{ type: 'Ready' }, { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }] },
      },
    });
    watcher.stop();
  });

  test('takes one from the budget, and the last one is told so', async () => {
    const server = await aShop();
    await aBudget(server, { disruptionsAllowed: 1 });
    expect((await evict(server, 'web-0')).code).toBe(201);
    const { body } = await server.get(`${BUDGETS}/web`);
    expect(body).toMatchObject({
      status: {
        disruptionsAllowed: 0,
        disruptedPods: { 'web-0': expect.any(String) as string },
        conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
      },
    });
    const refused = await evict(server, 'web-1');
    expect(refused.code).toBe(429);
    expect(statusOf(refused)).toMatchObject({
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 2 currently' }] },
    });
    expect(await server.names(PODS)).toEqual(['web-1']);
  });

  test.each([
    { what: 'was not counted yet', status: { observedGeneration: 0 }, code: 429, says: 'is still being processed' },
    { what: 'was counted wrongly', status: { disruptionsAllowed: -1 }, code: 403, says: 'allowed is negative' },
  ])('waits for a budget that $what', async ({ status, code, says }) => {
    const server = await aShop();
    await aBudget(server, status);
    const answer = await evict(server, 'web-0');
    expect([answer.code, JSON.stringify(answer.body)]).toEqual([code, expect.stringContaining(says)]);
    expect(await server.names(PODS)).toEqual(['web-0', 'web-1']);
  });

  test('counts no budget of another namespace, of other pods, or over a pod without labels', async () => {
    const server = await aShop([UP]);
    await aBudget(server, { disruptionsAllowed: 0 });
    await server.merge(`${PODS}/web-0`, { metadata: { labels: null } });
    expect((await evict(server, 'web-0')).code).toBe(201);
    const { draft } = podOf(UP, 1);
    await server.create('/api/v1/namespaces/default/pods', draft);
    const body = { metadata: { name: 'web-1' } };
    expect((await server.call('POST', '/api/v1/namespaces/default/pods/web-1/eviction', body)).code).toBe(201);
  });

  test('with options that make no sense is refused, and marks nothing', async () => {
    const server = await aShop();
    expect((await evict(server, 'web-0', { deleteOptions: { propagationPolicy: 'Foo' } })).code).toBe(422);
    expect((await server.get(`${PODS}/web-0`)).body).toMatchObject({ status: { conditions: [{ type: 'Ready' }] } });
  });

  test('of one version lets the pod go in that version alone', async () => {
    const server = await aShop();
    const { body } = await server.get(`${PODS}/web-0`);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    const of = (version: string): object => ({ deleteOptions: { preconditions: { resourceVersion: version } } });
    expect((await evict(server, 'web-0', of('1'))).code).toBe(409);
    expect((await evict(server, 'web-0', of(resourceVersion))).code).toBe(201);
    expect(await server.names(PODS)).toEqual(['web-1']);
  });

  test('is of pods alone', async () => {
    const server = await aShop();
    expect((await server.call('POST', '/api/v1/namespaces/shop/configmaps/a/eviction', {})).code).toBe(404);
  });
});
