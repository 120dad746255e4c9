import { Node, Pod } from '../../src/api/builtin/index.ts';
import { after, hasCode, messageOf, PlatformError, SECOND, type Clock, type Instant } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { podNames } from '../../src/kube/objects/drain.ts';
import { podName } from '../pods.ts';
import { mustLeave } from './plan.ts';

const PAUSE_MS = 2 * SECOND;

export interface Eviction {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly node: string;
  readonly deadline: Instant;
}

/** The pods that are bound to the node. */
export const podsOn = async (client: KubeClient, node: string): Promise<readonly Pod[]> =>
  (await client.list(Pod, { fieldSelector: `spec.nodeName=${node}` })).items;

/**
 * Asks the server to let every pod go that must leave, as often as a budget says "not now", until all are gone. Says how many it asked for.
 * A pod on a node that nobody hears from is replaced once it is asked to go, and gone only when the node is back: that is not waited for.
 */
export async function evictAll({ client, clock, node, deadline }: Eviction): Promise<number> {
  const asked = new Set<string>();
  for (;;) {
    const pods = mustLeave(await podsOn(client, node));
    const left = (await isSilent(client, node)) ? pods.filter(isStaying) : pods;
    if (left.length === 0) return asked.size;
    const refusals = await evictEach(client, left, asked);
    if (clock.now() >= deadline) throw tooLate(node, left, refusals);
    await clock.waitUntil(after(clock.now(), PAUSE_MS), NEVER);
  }
}

const NEVER = new AbortController().signal;

const isStaying = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;

/** Whether the node's kubelet has stopped to report, as the cluster sees it. */
async function isSilent(client: KubeClient, node: string): Promise<boolean> {
  try {
    const { status } = await client.get(Node, { namespace: '', name: node });
    return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
  } catch (error) {
    // The cluster takes the pods of a node away that is gone.
    if (hasCode(error, 'NotFound')) return false;
    throw error;
  }
}

async function evictEach(client: KubeClient, pods: readonly Pod[], asked: Set<string>): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (const pod of pods.filter(isStaying)) {
    const refusal = await evict(client, pod);
    if (refusal === undefined) asked.add(pod.metadata.uid);
    else refusals.push(refusal);
  }
  return refusals;
}

/** Why the pod may not go now; undefined when it goes, or has gone. */
async function evict(client: KubeClient, pod: Pod): Promise<string | undefined> {
  const { name, namespace = '', uid } = pod.metadata;
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { preconditions: { uid } },
  };
  try {
    await client.subresource(Pod, { namespace, name }, { name: 'eviction', body });
    return undefined;
  } catch (error) {
    // Conflict: another pod has the name by now; the next look tells.
    if (hasCode(error, 'NotFound') || hasCode(error, 'Conflict')) return undefined;
    if (hasCode(error, 'TooManyRequests')) return `${podName(pod)}: ${messageOf(error)}`;
    throw error;
  }
}

const tooLate = (node: string, left: readonly Pod[], refusals: readonly string[]): PlatformError =>
  new PlatformError(
    'Unavailable',
    `Node ${node} is cordoned, but not drained in time; left are ${podNames(left)}${refusals.length > 0 ? ` (${refusals[0]})` : ''}`,
    { retry: 'never' },
  );
