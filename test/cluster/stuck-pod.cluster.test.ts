import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Node, Pod, StatefulSet } from '../../src/api/builtin/index.ts';
import { after, MINUTE, SECOND, systemClock } from '../../src/base/index.ts';
import { until } from '../../src/cli/demo/until.ts';
import { describeOnCluster } from '../../src/testkit/lanes.ts';
import { IMAGE, libraryOnCluster } from '../../workflows/testing/cluster-runs.ts';
import { aDeployment, isUp, sh, shopOn, waitsOf, type Shop } from '../../workflows/testing/shop.ts';
import { FREEZER, nodeToFreeze, whileFrozen } from './while-frozen.ts';

const SLEEP = { command: sh('sleep 3600') };
const OVERDUE_SECONDS = 2;

describe.skipIf(IMAGE === '')('with the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('delete-stuck-pod, on a pod that really', (kubeconfig) => {
    let shop: Shop;
    beforeAll(async () => void (shop = shopOn(await libraryOnCluster(kubeconfig()))));
    afterAll(() => shop.close());
    const patiently = { timeout: 3 * MINUTE };

    const repair = (pod: string, STATE: string): Promise<string> => {
      const parameters = { STATE, STUCK_FOR_SECONDS: String(OVERDUE_SECONDS) };
      return shop.repair({ workflow: 'delete-stuck-pod', kind: 'Pod', name: pod, parameters });
    };

    const deploySet = async (name: string, container: object, more?: object): Promise<void> => {
      const metadata = { name, namespace: shop.shop };
      const spec = { ...aDeployment(name, container, more).spec, serviceName: name };
      await shop.client.create(StatefulSet, { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec });
    };

    /** Until it is overdue, whatever the server's clock and its whole seconds make of that. */
    const drop = async (name: string): Promise<void> => {
      await shop.client.delete(Pod, { namespace: shop.shop, name }, { gracePeriodSeconds: 1 });
      await systemClock.waitUntil(after(systemClock.now(), (4 + OVERDUE_SECONDS) * SECOND), shop.over);
    };

    const podNames = async (app: string): Promise<readonly string[]> =>
      (await shop.client.list(Pod, { namespace: shop.shop, labelSelector: `app=${app}` })).items.map(({ metadata }) => metadata.name);

    test.concurrent('cannot get its image, which was put right since: the next one runs', patiently, async () => {
      await deploySet('image', { ...SLEEP, image: 'sickbay.test/missing:1' });
      const stuck = await shop.pod('image', (pod) => waitsOf(pod).includes('ImagePullBackOff'));
      const { containers } = aDeployment('image', SLEEP).spec.template.spec;
      const body = { spec: { template: { spec: { containers } } } };
      await shop.client.patch(StatefulSet, { namespace: shop.shop, name: 'image' }, { type: 'merge', body });
      // A StatefulSet never replaces by itself what was not ready.
      expect(await repair('image-0', 'Pending')).toMatch(/deleted, stuck in Pending; StatefulSet image recreates it/);
      const next = await shop.pod('image', isUp);
      expect(next.metadata.uid).not.toBe(stuck.metadata.uid);
    });

    test.concurrent('with a finalizer is not deleted, and the message names the finalizer', patiently, async () => {
      await shop.create(aDeployment('held', SLEEP));
      const { name } = (await shop.pod('held', isUp)).metadata;
      const hold = (finalizers: readonly string[] | null): Promise<unknown> =>
        shop.client.patch(Pod, { namespace: shop.shop, name }, { type: 'merge', body: { metadata: { finalizers } } });
      await hold(['sickbay.test/held']);
      try {
        await drop(name);
        await expect(repair(name, 'Terminating')).rejects.toThrow('the finalizers sickbay.test/held block its deletion');
        expect(await podNames('held')).toContain(name);
      } finally {
        await hold(null);
      }
    });

    describe.skipIf(FREEZER === '')('with the tool named by SICKBAY_TEST_CLUSTER_TOOL', () => {
      const cordon = (node: string, unschedulable: boolean | null): Promise<unknown> =>
        shop.client.patch(Node, { namespace: '', name: node }, { type: 'merge', body: { spec: { unschedulable } } });

      test('does not end because its node froze: by force, but not where two of one name could run', patiently, async () => {
        const node = await nodeToFreeze(shop.client);
        const there = { spec: { nodeSelector: { 'kubernetes.io/hostname': node } } };
        await shop.create(aDeployment('frozen', SLEEP, there));
        await deploySet('frozen-set', SLEEP, there);
        const { metadata } = await shop.pod('frozen', isUp);
        await shop.pod('frozen-set', isUp);
        await cordon(node, true);
        try {
          await whileFrozen(node, { kubeconfig: kubeconfig(), client: shop.client, signal: shop.over }, async () => {
            await Promise.all([drop(metadata.name), drop('frozen-set-0')]);
            expect(await podNames('frozen')).toContain(metadata.name);
            const [word] = await Promise.all([
              repair(metadata.name, 'Terminating'),
              expect(repair('frozen-set-0', 'Terminating')).rejects.toThrow('could damage its data'),
            ]);
            expect(word).toMatch(/deleted by force, stuck in Terminating; ReplicaSet \S+ recreates it/);
            expect(await podNames('frozen')).not.toContain(metadata.name);
            expect(await podNames('frozen-set')).toEqual(['frozen-set-0']);
          });
        } finally {
          await cordon(node, null);
        }
        // The node is back: it ends the one by itself, and runs both again.
        await Promise.all([
          shop.healthy('frozen'),
          until(shop.client, { resource: StatefulSet, namespace: shop.shop }, areReady, shop.over),
        ]);
      });
    });
  });
});

const areReady = (sets: readonly StatefulSet[]): true | undefined =>
  sets.some(({ metadata, status }) => metadata.name === 'frozen-set' && status?.readyReplicas === 1) || undefined;
