import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import { hasCode, PlatformError, toTime, type Clock } from '../base/index.ts';
import { failuresOf, runName } from '../controllers/execution/index.ts';
import type { KubeClient } from '../kube/client/client.ts';
import { whoAmI } from '../kube/identity/who-am-i.ts';
import { clearKept, keptBlocks, type Kept } from './blocks-in-locks.ts';
import { liftSuppression, requestsSuppressing } from './suppressing-requests.ts';

/** Which block a person clears, and why. */
export interface Clearing {
  readonly namespace: string;
  /** Where the locks of targets are. */
  readonly executionNamespace: string;
  /** A WorkflowExecution on the target, or the target itself, e.g. shop/Deployment/checkout. */
  readonly name: string;
  readonly reason: string;
}

/** What was cleared, for people and for programs. */
export interface Cleared {
  readonly target: string;
  readonly namespace: string;
  /** The executions that blocked the target. */
  readonly executions: readonly string[];
  /** The requests that suppressed signals about the target. */
  readonly requests: readonly string[];
  readonly clearedBy: string;
}

/**
 * Clears the block of a target and the suppression of its signals, signed by the user. Earlier failures no longer count from then on.
 */
export async function clearBlock(client: KubeClient, clock: Clock, clearing: Clearing): Promise<Cleared> {
  const { namespace, reason } = clearing;
  const allKept = await keptBlocks(client, clearing.executionNamespace);
  const target = await targetOf(client, clearing, allKept);
  const kept = allKept.filter((one) => one.target === target);
  const inTheWay = await standingOn(client, { namespace, target });
  const suppressing = await requestsSuppressing(client, { namespace, target }, clock.now());
  if (inTheWay.length + kept.length + suppressing.length === 0)
    throw new PlatformError('NotFound', `${target} is not blocked in the namespace ${namespace}, and none of its signals is suppressed`, {
      retry: 'never',
    });
  const clearedBy = await whoAmI(client);
  const at = toTime(clock.now());
  for (const { metadata } of inTheWay) {
    const blockClearance = { clearedBy, clearReason: reason, clearMethod: 'StatusField', clearedAt: at };
    // A conflict means that it changed: the user has to check again.
    const body = { metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion }, status: { blockClearance } };
    await client.patchStatus(WorkflowExecution, { namespace, name: metadata.name }, { type: 'merge', body });
  }
  for (const one of kept) await clearKept(client, one, { by: clearedBy, reason, at });
  for (const request of suppressing) await liftSuppression(client, request, { by: clearedBy, reason, at });
  const executions = [...inTheWay.map(({ metadata }) => metadata.name), ...kept.map(({ block }) => block.name)];
  return { target, namespace, executions, requests: suppressing.map(({ metadata }) => metadata.name), clearedBy };
}

/** The target: by its own name, or by the name of an execution on it, which may be deleted. */
async function targetOf(client: KubeClient, { namespace, name }: Clearing, kept: readonly Kept[]): Promise<string> {
  // No object has a slash in its name, but every target does.
  if (name.includes('/')) return name;
  try {
    return (await client.get(WorkflowExecution, { namespace, name })).spec.targetResource;
  } catch (error) {
    if (!hasCode(error, 'NotFound')) throw error;
    const ofOne = kept.find(({ block }) => block.name === name);
    if (ofOne) return ofOne.target;
    throw new PlatformError('NotFound', `there is no WorkflowExecution ${name} in the namespace ${namespace}`, {
      retry: 'never',
      cause: error,
    });
  }
}

/** The same name in several clusters is several targets; the command clears all of them. */
async function standingOn(
  client: KubeClient,
  { namespace, target }: { readonly namespace: string; readonly target: string },
): Promise<readonly WorkflowExecution[]> {
  const { items } = await client.list(WorkflowExecution, { namespace, fieldSelector: `spec.targetResource=${target}` });
  return [...Map.groupBy(items, ({ spec }) => runName(spec)).values()].flatMap((executions) => {
    const { blocker, last } = failuresOf(executions);
    return [blocker, last].filter((one) => one !== undefined);
  });
}

/** The printed result. */
export const clearedText = (cleared: Cleared, form: 'text' | 'json'): string =>
  form === 'json'
    ? JSON.stringify(cleared, undefined, 2)
    : `${cleared.target} is free again, cleared by ${cleared.clearedBy}, after ${[...cleared.executions, ...cleared.requests].join(' and ')}`;
