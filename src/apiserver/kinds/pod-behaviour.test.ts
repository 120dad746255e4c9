import { describe, expect, test } from 'vitest';
import { aServer, objectOf } from '../testing/harness.ts';

const PODS = '/api/v1/namespaces/default/pods';
const aPod = (...resources: readonly object[]): object => ({
  metadata: { name: 'pod' },
  spec: { containers: resources.map((given, i) => ({ name: `c${i}`, image: 'shop:1', resources: given })) },
});
const ALL = { cpu: '1', memory: '1Gi' };

describe('a Pod', () => {
  test.each([
    { reason: 'asks for nothing', resources: [{}], qosClass: 'BestEffort' },
    { reason: 'limits something', resources: [{ limits: { cpu: '1' } }], qosClass: 'Burstable' },
    { reason: 'limits all', resources: [{ limits: ALL }], qosClass: 'Guaranteed' },
    { reason: 'asks for less than its limits', resources: [{ limits: ALL, requests: { cpu: '500m' } }], qosClass: 'Burstable' },
    { reason: 'limits one of two', resources: [{ limits: ALL }, {}], qosClass: 'Burstable' },
  ])('that $reason is $qosClass', async ({ resources, qosClass }) => {
    const server = await aServer();
    expect((await server.create(PODS, aPod(...resources))).status).toEqual({ phase: 'Pending', qosClass });
  });

  test('asks for what it limits', async () => {
    const server = await aServer();
    const { spec } = await server.create(PODS, aPod({ limits: ALL, requests: { cpu: '500m' } }));
    expect(spec).toMatchObject({ containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }] });
  });

  test('keeps its class and its owners when its state is told', async () => {
    const server = await aServer({ garbageCollection: 'manual' });
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
    const pod = await server.create(PODS, { ...aPod({}), metadata: { name: 'pod', ownerReferences } });
    const told = { ...pod, metadata: { ...pod.metadata, ownerReferences: [] }, status: { phase: 'Running' } };
    const shown = objectOf(await server.update(`${PODS}/pod/status`, told));
    expect(shown).toMatchObject({ metadata: { ownerReferences }, status: { phase: 'Running', qosClass: 'BestEffort' } });
  });

  test('is seen to go before it is gone', async () => {
    const server = await aServer();
    await server.create(PODS, aPod({}));
    const watcher = await server.watch(PODS, { resourceVersion: server.api.resourceVersion });
    const shown = objectOf(await server.remove(`${PODS}/pod`));
    expect(shown.metadata).toMatchObject({ deletionTimestamp: '2026-11-15T03:00:00Z', deletionGracePeriodSeconds: 0, generation: 2 });
    expect(await watcher.seen()).toEqual(['MODIFIED pod', 'DELETED pod']);
    watcher.stop();
  });
});
