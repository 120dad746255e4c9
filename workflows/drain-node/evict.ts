import { Node, Pod } from '../../src/api/builtin/index.ts';
import { after, hasCode, messageOf, PlatformError, SECOND, toTime, type Clock, type Instant } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { ApiError } from '../../src/kube/client/errors.ts';
import { podName } from '../pods.ts';
import { mustLeave } from './plan.ts';

const PAUSE_MS = 2 * SECOND;
/** How often the log says what the drain waits for. */
const REPORT_MS = 20 * SECOND;

export interface Eviction {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly node: string;
  readonly deadline: Instant;
  /** Writes to the log what the drain waits for. */
  readonly report: (line: string) => void;
}

/** A pod that has not left, and why: the disruption budget that keeps it, or undefined where it was evicted and is terminating. */
interface Remaining {
  readonly pod: string;
  readonly refusal: string | undefined;
}

/** The pods that are bound to the node. */
export const podsOn = async (client: KubeClient, node: string): Promise<readonly Pod[]> =>
  (await client.list(Pod, { fieldSelector: `spec.nodeName=${node}` })).items;

/**
 * Evicts every pod that must leave, again while a disruption budget refuses it, until all are gone. Returns how many it evicted.
 * A pod on a node that does not report is replaced once it is evicted, and gone only when the node is back: the drain does not wait for that.
 */
export async function evictAll({ client, clock, node, deadline, report }: Eviction): Promise<number> {
  const asked = new Set<string>();
  let reportAt = clock.now();
  for (;;) {
    const pods = mustLeave(await podsOn(client, node));
    const left = (await isSilent(client, node)) ? pods.filter(isStaying) : pods;
    if (left.length === 0) return asked.size;
    const remaining = await evictEach(client, left, asked);
    const now = clock.now();
    if (now >= deadline) throw tooLate(node, remaining);
    if (now >= reportAt) {
      report(`${toTime(now)} Node ${node} is cordoned; until ${toTime(deadline)} the drain waits for ${describeAll(remaining)}`);
      reportAt = after(now, REPORT_MS);
    }
    await clock.waitUntil(after(now, PAUSE_MS), NEVER);
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

async function evictEach(client: KubeClient, pods: readonly Pod[], asked: Set<string>): Promise<readonly Remaining[]> {
  const remaining: Remaining[] = [];
  for (const pod of pods) {
    const refusal = isStaying(pod) ? await evict(client, pod) : undefined;
    if (refusal === undefined && isStaying(pod)) asked.add(pod.metadata.uid);
    remaining.push({ pod: podName(pod), refusal });
  }
  return remaining;
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
    if (hasCode(error, 'TooManyRequests')) return refusalIn(error);
    throw error;
  }
}

/** The API server names the disruption budget in the causes of its answer. */
function refusalIn(error: unknown): string {
  const causes = error instanceof ApiError ? error.causes.map(({ message }) => message ?? '').filter(Boolean) : [];
  return causes.length > 0 ? causes.join(', ') : messageOf(error);
}

const MOST_PODS = 5;

/** What a disruption budget keeps comes first: it does not go by itself. */
function describeAll(remaining: readonly Remaining[]): string {
  const told = [...remaining].toSorted((a, b) => Number(a.refusal === undefined) - Number(b.refusal === undefined)).map(describe);
  const more = told.length - MOST_PODS;
  return [...told.slice(0, MOST_PODS), ...(more > 0 ? [`${more} more pods`] : [])].join('; ');
}

const describe = ({ pod, refusal }: Remaining): string => `${pod} (${refusal ?? 'evicted, terminating'})`;

const tooLate = (node: string, remaining: readonly Remaining[]): PlatformError => {
  const isKept = remaining.some(({ refusal }) => refusal !== undefined);
  const advice = isKept
    ? 'Next: make the workloads of these disruption budgets healthy or add replicas, then drain it again'
    : 'Next: check why these pods do not terminate';
  return new PlatformError(
    'Unavailable',
    `Node ${node} is cordoned, but not drained in time; pods left: ${describeAll(remaining)}. ${advice}`,
    { retry: 'never' },
  );
};
