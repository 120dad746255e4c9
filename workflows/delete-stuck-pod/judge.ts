import type { Pod } from '../../src/api/builtin/index.ts';
import { LABELS } from '../../src/api/well-known.ts';
import { assertNever, parseTime, SECOND, type Instant } from '../../src/base/index.ts';
import { isMirrorPod } from '../../src/kube/builtin/pod-state.ts';
import { controllerOf } from '../../src/kube/objects/owner-references.ts';
import { isCrashLooping } from './crash-loop.ts';

/** In which way a pod may be stuck. */
export const STATES = ['Terminating', 'Pending', 'CrashLoopBackOff'] as const;
export type StuckState = (typeof STATES)[number];

/** What the parameters claim about the pod, and what is known. */
export interface StuckCase {
  readonly state: StuckState;
  /** How long it must have been so. */
  readonly forSeconds: number;
  readonly now: Instant;
  /** Whether the node that the pod is bound to still exists. */
  readonly nodeExists: boolean;
}

export type Verdict =
  | { readonly kind: 'delete'; readonly force: boolean }
  | { readonly kind: 'already'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

const refused = (why: string): Verdict => ({ kind: 'refused', why });

/** Whether the pod may be deleted: a controller recreates it, and it is stuck in the named state. */
export function judgePod(pod: Pod, stuck: StuckCase): Verdict {
  const objection = objectionTo(pod);
  if (objection !== undefined) return refused(objection);
  switch (stuck.state) {
    case 'Terminating':
      return judgeTerminating(pod, stuck);
    case 'Pending':
      return judgeWaiting(pod, stuck, pod.status?.phase === 'Pending' && hasPassed(pod.metadata.creationTimestamp, stuck));
    case 'CrashLoopBackOff':
      return judgeWaiting(pod, stuck, isCrashLooping(pod, stuck.now));
    default:
      return assertNever(stuck.state);
  }
}

function objectionTo(pod: Pod): string | undefined {
  const controller = controllerOf(pod);
  if (!controller) return 'it has no controller, so it would not be recreated';
  if (isMirrorPod(pod) || controller.kind === 'Node') return 'it is a static pod, which its kubelet would show again unchanged';
  return pod.metadata.labels?.[LABELS.workflowExecution] === undefined ? undefined : 'it is the run of a workflow';
}

function judgeTerminating(pod: Pod, stuck: StuckCase): Verdict {
  const { deletionTimestamp, finalizers = [] } = pod.metadata;
  if (deletionTimestamp === undefined) return refused('it has no deletionTimestamp, so it is not stuck in Terminating');
  if (!hasPassed(deletionTimestamp, stuck)) return refused(`it is not overdue for ${stuck.forSeconds} s yet; its node may still stop it`);
  if (finalizers.length > 0)
    return refused(`the finalizers ${finalizers.join(', ')} block its deletion; check why their controllers do not remove them`);
  if (controllerOf(pod)?.kind === 'StatefulSet' && stuck.nodeExists)
    return refused('it belongs to a StatefulSet and its node may still run it: a second pod of the same name could damage its data');
  return { kind: 'delete', force: true };
}

function judgeWaiting({ metadata }: Pod, { state, forSeconds }: StuckCase, isStuck: boolean): Verdict {
  if (metadata.deletionTimestamp !== undefined) return { kind: 'already', why: 'is already being deleted' };
  const time = state === 'Pending' ? ` for ${forSeconds} s` : '';
  return isStuck ? { kind: 'delete', force: false } : refused(`it is not stuck in ${state}${time}`);
}

function hasPassed(since: string, { now, forSeconds }: StuckCase): boolean {
  const from = parseTime(since);
  return from !== undefined && now - from >= forSeconds * SECOND;
}
