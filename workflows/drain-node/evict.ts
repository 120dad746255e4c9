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
 * Evicts every pod that must leave, again while a disruption budget refuses it, until all are gone. Returns how many it evicted.
 * A pod on a node that does not report is replaced once it is evicted, and gone only when the node is back: the drain does not wait for that.
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

/** Whether the node's kubelet has stopped reporting, by its Ready condition. */
async function isSilent(client: KubeClient, node: string): Promise<boolean> {
  try {
    const { status } = await client.get(Node, { namespace: '', name: node });
    return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'Unknown';
  } catch (error) {
    // The cluster deletes the pods of a deleted node.
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

/** Why the pod cannot be evicted now; undefined when it is evicted, or gone. */
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
    // Conflict: another pod has the name by now; the next read shows it.
    if (hasCode(error, 'NotFound') || hasCode(error, 'Conflict')) return undefined;
    if (hasCode(error, 'TooManyRequests')) return `${podName(pod)}: ${messageOf(error)}`;
    throw error;
  }
}

const tooLate = (node: string, left: readonly Pod[], refusals: readonly string[]): PlatformError =>
  new PlatformError(
    'Unavailable',
    `Node ${node} is cordoned, but not drained in time; pods left: ${podNames(left)}${refusals.length > 0 ? ` (${refusals[0]})` : ''}`,
    { retry: 'never' },
  );
