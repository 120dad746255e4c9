import { expect, test } from 'vitest';
import { Deployment, Namespace } from '../api/builtin/index.ts';
import { after, MINUTE, SECOND, systemClock, systemRandom } from '../base/index.ts';
import { createClient, httpTransport, loadConfig, type KubeClient } from '../kube/index.ts';
import { createObservationReader } from '../runtime/index.ts';
import { describeOnCluster } from '../testkit/lanes.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnosis } from './diagnosis.ts';
import { gatherEvidence } from './gather-evidence.ts';

const LOOK_MS = 500;
const signal = new AbortController().signal;
const wait = (): Promise<void> => systemClock.waitUntil(after(systemClock.now(), LOOK_MS), signal);

const template = (script: string) => ({
  metadata: { labels: { app: 'checkout' } },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'app', image: 'sickbay.test/busybox:1', imagePullPolicy: 'Never' as const, command: ['sh', '-c', script] }],
  },
});

/** Looks until the diagnosis is of this kind. */
async function lookFor(look: () => Promise<Diagnosis>, kind: Diagnosis['kind']): Promise<Diagnosis> {
  const deadline = after(systemClock.now(), 2 * MINUTE);
  for (;;) {
    const diagnosis = await look();
    if (diagnosis.kind === kind) return diagnosis;
    if (systemClock.now() > deadline) throw new Error(`still ${JSON.stringify(diagnosis)}`);
    await wait();
  }
}

async function onCluster(kubeconfig: string, story: (client: KubeClient, namespace: string) => Promise<void>): Promise<void> {
  const transport = httpTransport(await loadConfig({ clock: systemClock, kubeconfig }));
  const client = createClient(transport);
  const namespace = `analyst-${systemRandom.uuid().slice(0, 8)}`;
  await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  try {
    await story(client, namespace);
  } finally {
    await client.delete(Namespace, { namespace: '', name: namespace });
    await transport.close();
  }
}

describeOnCluster('the analyst on a cluster with real nodes', (kubeconfig) => {
  // Without a probe the pods are ready for a moment in every attempt, so that the rollout even completes.
  test('knows a rollout that crashes, and does not change its mind between two attempts', { timeout: 5 * MINUTE }, () =>
    onCluster(kubeconfig(), async (client, namespace) => {
      const reader = createObservationReader({ stores: new Map(), client, signal });
      const target = { kind: 'Deployment', name: 'checkout', namespace };
      const look = async () => diagnose(await gatherEvidence(target, reader), systemClock.now());
      await client.create(Deployment, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'checkout', namespace },
        spec: { replicas: 2, selector: { matchLabels: { app: 'checkout' } }, template: template('sleep 3600') },
      });
      await lookFor(look, 'NothingWrong');
      await client.patch(
        Deployment,
        { namespace, name: 'checkout' },
        { type: 'merge', body: { spec: { template: template('sleep 2; exit 3') } } },
      );
      expect(await lookFor(look, 'Diagnosed')).toMatchObject({
        actionType: 'RollbackDeployment',
        parameters: { REVISION: '1' },
        cause: expect.stringContaining('(exit code 3)') as string,
      });
      const until = after(systemClock.now(), 20 * SECOND);
      const others = new Set<string>();
      while (systemClock.now() < until) {
        others.add((await look()).kind);
        await wait();
      }
      // A pod that has only just been started may make it wait, never say that all is well.
      expect([...others].filter((kind) => kind !== 'Diagnosed' && kind !== 'NotYet')).toEqual([]);
      await lookFor(look, 'Diagnosed');
    }),
  );
});
