import { Node, Pod } from '../../api/builtin/index.ts';
import type { Draft } from '../../api/meta.ts';
import { after, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import { SHOP, type PodState } from './plot.ts';

/** What each state is worth, by the table of the specification. */
export const WORTH: Readonly<Record<PodState, number>> = {
  ready: 1,
  restarted: 0.75,
  half: 0.5,
  killed: 0.25,
  unready: 0,
  looping: 0,
  none: 0,
};

/** The same of a Node, which is short of memory where some of its pods would not be ready. */
export const NODE_WORTH: Readonly<Record<PodState, number>> = {
  ready: 1,
  restarted: 0.5,
  half: 0.5,
  killed: 0.5,
  unready: 0,
  looping: 0,
  none: 0,
};

/** Lets a Node be as worth as the pods of a workload in that state. Its conditions change right now. */
export async function setNode(client: KubeClient, name: string, state: PodState, now: Instant): Promise<void> {
  const worth = NODE_WORTH[state];
  const at = toTime(now);
  const condition = (type: string, holds: boolean): object => ({
    type,
    status: holds ? 'True' : 'False',
    reason: 'Kubelet',
    lastTransitionTime: at,
    lastHeartbeatTime: at,
  });
  const conditions = [condition('Ready', worth > 0), condition('MemoryPressure', worth === 0.5)];
  await client.patchStatus(Node, { namespace: '', name }, { type: 'merge', body: { status: { conditions } } });
}

const podNames = (workload: string): readonly [string, string] => [`${workload}-6b7f9c-bcdfg`, `${workload}-6b7f9c-hjklm`];

/** Lets the two pods of a workload be as they are told; restarts happen right now. */
export async function setPods(client: KubeClient, workload: string, state: PodState, now: Instant): Promise<void> {
  const names = podNames(workload);
  const { items } = await client.list(Pod, { namespace: SHOP, labelSelector: `app=${workload}` });
  for (const [index, name] of names.entries()) {
    const isThere = items.some(({ metadata }) => metadata.name === name);
    if (state === 'none') {
      if (isThere) await client.delete(Pod, { namespace: SHOP, name }, { gracePeriodSeconds: 0 });
      continue;
    }
    if (!isThere) await client.create(Pod, draft(workload, name));
    const body = [{ op: 'add', path: '/status', value: statusOf(state, index, now) }] as const;
    await client.patchStatus(Pod, { namespace: SHOP, name }, { type: 'json', body });
  }
}

const draft = (workload: string, name: string): Draft<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: SHOP, labels: { app: workload } },
  spec: { containers: [{ name: 'main', image: 'sickbay.test/busybox:1' }] },
});

function statusOf(state: Exclude<PodState, 'none'>, index: number, now: Instant): NonNullable<Pod['status']> {
  const isSecond = index === 1;
  const isReady = state === 'ready' || state === 'restarted' || state === 'killed' || (state === 'half' && !isSecond);
  const ended = { finishedAt: toTime(now), startedAt: toTime(after(now, -SECOND)), exitCode: 1 };
  const running = { state: { running: { startedAt: toTime(now) } } };
  const container = { name: 'main', image: 'sickbay.test/busybox:1', imageID: '', ready: isReady, restartCount: 0, ...running };
  const ofState: Readonly<Partial<Record<PodState, object>>> = {
    looping: isSecond ? { restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } } : {},
    restarted: { restartCount: 1, lastState: { terminated: { ...ended, reason: 'Error' } } },
    killed: isSecond ? { restartCount: 1, lastState: { terminated: { ...ended, reason: 'OOMKilled', exitCode: 137 } } } : {},
  };
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: toTime(now) }],
    containerStatuses: [{ ...container, ...ofState[state] }],
  } as NonNullable<Pod['status']>;
}
