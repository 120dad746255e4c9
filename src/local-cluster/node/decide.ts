import type { Node } from '../../api/builtin/index.ts';
import { after, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { lookAgain } from '../look-again.ts';
import type { NodeSeen } from './observe.ts';

/** The handler that ends a process whose pod is gone, and forgets it. */
export const FORGET_PROCESS = 'forget-process';

const CAPACITY = { cpu: '8', memory: '16Gi', pods: '110' };

/** The node is ready as long as this process runs, and no process outlives its pod. */
export function decide({ object, orphans }: NodeSeen, now: Instant): Decision {
  const effects = orphans.map((podUid): Effect => ({ kind: 'Call', run: FORGET_PROCESS, key: podUid, input: undefined }));
  return { status: readyStatus(object, now), effects, wakeAt: orphans.length > 0 ? after(now, SECOND) : lookAgain(now) };
}

function readyStatus({ status }: Node, now: Instant): Node['status'] {
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  const lastTransitionTime = (before?.status === 'True' && before.lastTransitionTime) || toTime(now);
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the local cluster runs', lastTransitionTime } as const;
  const others = status?.conditions?.filter(({ type }) => type !== 'Ready') ?? [];
  return { capacity: CAPACITY, allocatable: CAPACITY, ...status, conditions: [...others, ready] };
}
