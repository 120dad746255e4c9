import { expect, test } from 'vitest';
import { Pod } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { hasCode, MINUTE } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { describeOnControlPlane } from '../lanes.ts';
import { runErrandsForReal } from './real-run.ts';

/** This control plane has no nodes: the test says of each Pod that it succeeded, as a kubelet would. */
async function playKubelet(client: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  const lines = await client.watch(Pod, { namespace, resourceVersion: '0' }, signal);
  for await (const batch of lines) {
    for (const { type, object } of batch) if (type === 'ADDED') await succeed(client, object as Pod);
  }
}

async function succeed(client: KubeClient, pod: Pod): Promise<void> {
  try {
    await client.patchStatus(Pod, keyOf(pod), { type: 'merge', body: { status: { phase: 'Succeeded' } } });
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
  }
}

describeOnControlPlane('the sample controller, unchanged, on a real kube-apiserver', (plane) => {
  test('runs every errand once and clears up', { timeout: 2 * MINUTE }, async () => {
    const errands = [
      { name: 'one', target: 'plants' },
      { name: 'two', target: 'plants' },
      { name: 'three', target: 'letters' },
    ];
    const end = await runErrandsForReal({ kubeconfig: plane().kubeconfig, errands, deadlineMs: MINUTE, around: playKubelet });
    expect(end.errands.map(({ metadata, status }) => [metadata.name, status?.phase, status?.reason])).toEqual([
      ['one', 'Succeeded', undefined],
      ['three', 'Succeeded', undefined],
      ['two', 'Succeeded', undefined],
    ]);
    expect(new Set(end.errands.map(({ status }) => status?.runUid)).size).toBe(3);
    expect(end.jobsLeft).toBe(0);
  });
});
