import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deployment } from '../src/api/builtin/index.ts';
import { MINUTE } from '../src/base/index.ts';
import { describeOnCluster } from '../src/testkit/lanes.ts';
import { IMAGE, libraryOnCluster } from './testing/cluster-runs.ts';
import { aDeployment, endsOf, isUp, modeOf, probe, restartsOf, sh, shopOn, waitsOf, type Shop } from './testing/shop.ts';

const SLEEP = 'sleep 3600';

describe.skipIf(IMAGE === '')('the image named by SICKBAY_TEST_WORKFLOW_IMAGE', () => {
  describeOnCluster('repairs workloads that are really broken:', (kubeconfig) => {
    let shop: Shop;
    beforeAll(async () => void (shop = shopOn(await libraryOnCluster(kubeconfig()))));
    afterAll(() => shop.close());
    const patiently = { timeout: 3 * MINUTE, concurrent: true };

    test('pods that hold on to an old setting are restarted', patiently, async () => {
      await shop.createMap('restart', 'bad');
      const readinessProbe = probe('[ "$MODE" = good ]');
      await shop.create(aDeployment('restart', { command: sh(SLEEP), env: modeOf('restart'), readinessProbe }));
      await shop.pod('restart', isUp);
      await shop.setMap('restart', 'good');
      expect(await shop.repair({ workflow: 'restart-workload', kind: 'Deployment', name: 'restart' })).toMatch(/restarted for/);
      await shop.healthy('restart');
    });

    test('a workload that is too small is scaled', patiently, async () => {
      await shop.create(aDeployment('scale', { command: sh(SLEEP) }));
      await shop.healthy('scale');
      const order = { workflow: 'scale-replicas', kind: 'Deployment', name: 'scale', parameters: { REPLICAS: '3' } };
      expect(await shop.repair(order)).toMatch(/scaled from 1 to 3 replicas/);
      await shop.healthy('scale', 3);
    });

    test('a container that is killed for its memory gets more of it', patiently, async () => {
      const command = sh(`x=$(head -c 40000000 /dev/zero | tr "\\0" x); touch /tmp/up; ${SLEEP}`);
      const resources = { limits: { memory: '32Mi' } };
      await shop.create(aDeployment('memory', { command, resources, readinessProbe: probe('[ -f /tmp/up ]') }));
      await shop.pod('memory', (pod) => endsOf(pod).includes('OOMKilled'));
      const order = { workflow: 'raise-memory-limits', kind: 'Deployment', name: 'memory', parameters: { LIMIT: '512Mi' } };
      expect(await shop.repair(order)).toMatch(/given higher memory limits: main 32Mi → 512Mi/);
      await shop.healthy('memory');
    });

    test('a container that starves for CPU gets more of it', patiently, async () => {
      const readinessProbe = { ...probe('i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'), timeoutSeconds: 4 };
      const resources = { limits: { cpu: '10m' }, requests: { cpu: '10m' } };
      await shop.create(aDeployment('cpu', { command: sh(SLEEP), resources, readinessProbe }));
      await shop.pod('cpu', isUp);
      const { status } = await shop.client.get(Deployment, { namespace: shop.shop, name: 'cpu' });
      expect(status?.availableReplicas ?? 0).toBe(0);
      const order = { workflow: 'raise-cpu-limits', kind: 'Deployment', name: 'cpu', parameters: { LIMIT: '1' } };
      expect(await shop.repair(order)).toMatch(/given higher cpu limits: main 10m → 1/);
      await shop.healthy('cpu');
    });

    test('a pod that crashes on its own leftover data is replaced', patiently, async () => {
      await shop.createMap('stuck', 'crash');
      const command = sh(`[ -f /data/left ] && exit 1; touch /data/left; [ "$MODE" = run ] || exit 1; ${SLEEP}`);
      const volumeMounts = [{ name: 'data', mountPath: '/data' }];
      const spec = { volumes: [{ name: 'data', emptyDir: {} }] };
      await shop.create(aDeployment('stuck', { command, env: modeOf('stuck'), volumeMounts }, { spec }));
      await shop.pod('stuck', (pod) => endsOf(pod).includes('Error'));
      await shop.setMap('stuck', 'run');
      // Later waits are longer: it must not be started again just when the workflow looks.
      const { metadata } = await shop.pod('stuck', (pod) => waitsOf(pod).includes('CrashLoopBackOff') && restartsOf(pod) > 1);
      const parameters = { STATE: 'CrashLoopBackOff' };
      const word = await shop.repair({ workflow: 'delete-stuck-pod', kind: 'Pod', name: metadata.name, parameters });
      expect(word).toMatch(/deleted, stuck in CrashLoopBackOff; ReplicaSet \S+ recreates it/);
      await shop.healthy('stuck');
    });

    test('pods that crash over a setting get the last good one', patiently, async () => {
      await shop.createMap('settings', 'bad');
      await shop.createMap('settings-last-good', 'good', { annotations: { 'kubernaut.ai/version-of': 'settings' } });
      const command = sh(`[ "$MODE" = good ] || exit 1; ${SLEEP}`);
      await shop.create(aDeployment('restore', { command, env: modeOf('settings') }));
      await shop.pod('restore', (pod) => waitsOf(pod).includes('CrashLoopBackOff'));
      const word = await shop.repair({ workflow: 'restore-configmap', kind: 'ConfigMap', name: 'settings' });
      expect(word).toMatch(/restored to the content of settings-last-good/);
      await shop.healthy('restore');
    });
  });
});
