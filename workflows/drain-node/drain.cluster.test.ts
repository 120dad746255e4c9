import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DaemonSet, Deployment, Node, PodDisruptionBudget, type Pod } from '../../src/api/builtin/index.ts';
import type { Draft } from '../../src/api/meta.ts';
import { MINUTE } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { pause } from '../testing/accounts.ts';
import { IMAGE, libraryOnCluster } from '../testing/cluster-runs.ts';
import { aDeployment, sh, shopOn, type Shop } from '../testing/shop.ts';
import { podsOn } from './evict.ts';
import { mustLeave } from './plan.ts';

const IDLE = { command: sh('sleep 3600') };

describe.skipIf(IMAGE === '')('the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('on a cluster with two nodes', (kubeconfig) => {
    let shop: Shop;
    let node: string;
    beforeAll(async () => {
      shop = shopOn(await libraryOnCluster(kubeconfig()));
      node = await secondNode(shop);
    });
    afterAll(async () => {
      if (node) await shop.client.patch(Node, { namespace: '', name: node }, { type: 'merge', body: { spec: { unschedulable: null } } });
      await shop.close();
    });

    const of =
      (app: string) =>
      ({ metadata }: Pod): boolean =>
        metadata.namespace === shop.shop && metadata.labels?.['app'] === app;
    const uids = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.uid).toSorted();

    test('a node is drained as budgets allow; the pods of a DaemonSet stay', { timeout: 2 * MINUTE }, async () => {
      const preference = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] };
      const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] } };
      await untilFree(shop, node);
      await shop.client.create(DaemonSet, aDaemonSet(shop.shop));
      await shop.create(aDeployment('web', IDLE, { replicas: 2, spec: { affinity } }));
      await shop.client.create(PodDisruptionBudget, aBudget(shop.shop));
      await shop.healthy('web', 2);
      await shop.pod('agent', ({ spec, status }) => spec.nodeName === node && status?.phase === 'Running');
      const before = await podsOn(shop.client, node);
      expect(before.filter(of('web'))).toHaveLength(2);

      const fewest = watchAvailable(shop, 'web');
      const word = await shop.run({ workflow: 'drain-node', kind: 'Node', name: node });
      expect(word).toMatch(/cordoned and drained of \d+ pods$/);
      await shop.healthy('web', 2);
      expect(await fewest()).toBe(1);
      const after = await podsOn(shop.client, node);
      expect(mustLeave(after)).toEqual([]);
      expect(uids(after.filter(of('agent')))).toEqual(uids(before.filter(of('agent'))));
      expect(before.filter(of('agent'))).toHaveLength(1);
    });

    test('and uncordoned again for a pod that waits for it', { timeout: 2 * MINUTE }, async () => {
      const body = { spec: { unschedulable: true } };
      await shop.client.patch(Node, { namespace: '', name: node }, { type: 'merge', body });
      await shop.create(aDeployment('waits', IDLE, { spec: { nodeSelector: { 'kubernetes.io/hostname': node } } }));
      await shop.pod('waits', ({ status }) => (status?.conditions ?? []).some(({ reason }) => reason === 'Unschedulable'));
      expect(await shop.run({ workflow: 'uncordon-node', kind: 'Node', name: node })).toBe(`Node ${node} uncordoned`);
      await shop.healthy('waits');
    });
  });
});

/** Never the first node: it runs the other pods of the cluster. */
async function secondNode({ client }: Shop): Promise<string> {
  const { items } = await client.list(Node);
  const [, second] = items.map(({ metadata }) => metadata.name).toSorted();
  if (second === undefined) throw new Error(`draining needs a cluster with two nodes; this one has ${items.length}`);
  return second;
}

/** Pods of other tests would be evicted too, or block the drain. */
async function untilFree({ client }: Shop, node: string): Promise<void> {
  while (mustLeave(await podsOn(client, node)).length > 0) await pause();
}

/** Watches, and returns the lowest number of available replicas. */
function watchAvailable({ client, shop, over }: Shop, name: string): () => Promise<number> {
  const done = new AbortController();
  let fewest = Number.POSITIVE_INFINITY;
  const look = (all: readonly Deployment[]): undefined => {
    const available = all.find(({ metadata }) => metadata.name === name)?.status?.availableReplicas ?? 0;
    fewest = Math.min(fewest, available);
  };
  const signal = AbortSignal.any([done.signal, over]);
  const watching = until(client, { resource: Deployment, namespace: shop }, look, signal).catch(() => undefined);
  return async () => {
    done.abort();
    await watching;
    return fewest;
  };
}

const aDaemonSet = (namespace: string): Draft<DaemonSet> => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: aDeployment('agent', IDLE).spec.template },
});

const aBudget = (namespace: string): Draft<PodDisruptionBudget> => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
});
