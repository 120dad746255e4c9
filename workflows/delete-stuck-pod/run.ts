import { Node, Pod } from '../../src/api/builtin/index.ts';
import { hasCode, systemClock } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/kube/client/client.ts';
import { controllerOf } from '../../src/kube/objects/owner-references.ts';
import { required, wholeNumberWithin } from '../environment.ts';
import { notMet } from '../refusal.ts';
import { nameOf, targetOf, type Target } from '../target.ts';
import type { How, Workflow } from '../workflow.ts';
import { judgePod, STATES, type StuckState } from './judge.ts';

/** The status of an unhealthy pod changes often; each change makes our view stale. */
const MOST_ATTEMPTS = 5;

interface Order {
  readonly target: Target;
  readonly state: StuckState;
  readonly forSeconds: number;
}

/** The workflow `delete-stuck-pod`: deletes a pod so that its controller recreates it. It cannot be undone. */
export const deleteStuckPod: Workflow = async (client, env, how = {}) => {
  const target = targetOf(env, ['Pod']);
  const state = required(env, 'STATE', STATES) as StuckState;
  const forSeconds = wholeNumberWithin(env, 'STUCK_FOR_SECONDS', { least: 0, most: 86_400 }) ?? 300;
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryOnce(client, { target, state, forSeconds }, how);
    } catch (error) {
      if (!hasCode(error, 'Conflict') || attempt === MOST_ATTEMPTS) throw error;
    }
  }
};

async function tryOnce(client: KubeClient, order: Order, how: How): Promise<string> {
  const { target } = order;
  const what = nameOf(target);
  const pod = await orAbsent(client.get(Pod, target));
  if (!pod || (target.uid ?? pod.metadata.uid) !== pod.metadata.uid) return `${what} is already gone`;
  const verdict = judgePod(pod, { ...order, nodeExists: await hasNode(client, pod), now: (how.clock ?? systemClock).now() });
  if (verdict.kind === 'refused') throw notMet(`${what} is not deleted: ${verdict.why}`);
  if (verdict.kind === 'already') return `${what} ${verdict.why}`;
  const told = whatIsDone(pod, order.state, verdict.force);
  if (how.dryRun === true) return `${what} would be ${told}\n- ${what} (uid ${pod.metadata.uid})`;
  await remove(client, pod, verdict.force);
  return `${what} ${told}`;
}

async function hasNode(client: KubeClient, { spec: { nodeName } }: Pod): Promise<boolean> {
  return nodeName !== undefined && (await orAbsent(client.get(Node, { namespace: '', name: nodeName }))) !== undefined;
}

function whatIsDone(pod: Pod, state: StuckState, force: boolean): string {
  const { kind, name } = controllerOf(pod) ?? { kind: 'its controller', name: '' };
  return `deleted${force ? ' by force' : ''}, stuck in ${state}; ${kind} ${name} recreates it`;
}

async function remove(client: KubeClient, { metadata }: Pod, force: boolean): Promise<void> {
  const { uid, resourceVersion, name, namespace = '' } = metadata;
  const options = { preconditions: { uid, resourceVersion }, ...(force ? { gracePeriodSeconds: 0 } : {}) };
  await orAbsent(client.delete(Pod, { namespace, name }, options));
}

async function orAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (hasCode(error, 'NotFound')) return undefined;
    throw error;
  }
}
