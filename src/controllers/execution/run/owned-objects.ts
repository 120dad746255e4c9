import type { Pod } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { isPodActive } from '../engines/evidence/pod-evidence.ts';
import { executionUidOf } from '../names.ts';
import { needed, type DeletedExecution, type FinishedExecution } from '../observed-execution.ts';

/** Why a run of this name may still be at work, although its Job has gone; undefined when none is. */
export function whyRunMayBeActive(pods: Listed<Pod>): string | undefined {
  if (pods.kind === 'unreadable') return `the pods of an earlier run cannot be read: ${pods.reason}`;
  const pod = pods.value.find(isPodActive);
  return pod && `pod ${pod.metadata.name} of an earlier run has not ended yet`;
}

/** Another execution's pods are no reason to keep our lock. */
export const ownPods = ({ object, pods }: Pick<FinishedExecution | DeletedExecution, 'object' | 'pods'>): Listed<Pod> =>
  pods.kind === 'value' ? { ...pods, value: pods.value.filter((pod) => executionUidOf(pod) === object.metadata.uid) } : needed(pods);

/** Ours by its mark or, where that was removed from outside, by its UID in our status. */
export function ownRun(seen: Pick<FinishedExecution, 'object' | 'run'>): KubeObject | undefined {
  const { run, object } = seen;
  const recorded = object.status?.executionRef?.uid;
  return run.kind === 'value' && run.value.metadata.uid === recorded ? run.value : ours(seen, run);
}

export const ours = <T extends KubeObject>({ object }: Pick<FinishedExecution, 'object'>, read: Read<T>): T | undefined =>
  read.kind === 'value' && executionUidOf(read.value) === object.metadata.uid ? read.value : undefined;
