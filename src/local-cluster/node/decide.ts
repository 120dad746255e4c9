import { Node } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { after, sameJson, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/reconcile/controller.ts';
import { lookAgain } from '../look-again.ts';
import { isSilent } from './node-name.ts';
import type { NodeSeen } from './observe.ts';

/** The handler that ends a process whose pod is gone, and forgets it. */
export const FORGET_PROCESS = 'forget-process';

const CAPACITY = { cpu: '8', memory: '16Gi', pods: '110' };
const UNREACHABLE = 'node.kubernetes.io/unreachable';

const READY = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'the local cluster runs' } as const;
/** What the node controller writes about a kubelet that does not report. */
const SILENT = {
  type: 'Ready',
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
} as const;

/** A node is ready unless its kubelet was stopped, and no process outlives its pod. */
export function decide({ object, orphans }: NodeSeen, now: Instant): Decision {
  const effects = orphans.map((podUid): Effect => ({ kind: 'Call', run: FORGET_PROCESS, key: podUid, input: undefined }));
  return {
    status: statusOf(object, now),
    effects: [...taint(object), ...effects],
    wakeAt: orphans.length > 0 ? after(now, SECOND) : lookAgain(now),
  };
}

function statusOf(node: Node, now: Instant): Node['status'] {
  const { status } = node;
  const wanted = isSilent(node) ? SILENT : READY;
  const before = status?.conditions?.find(({ type }) => type === 'Ready');
  const lastTransitionTime = (before?.status === wanted.status && before.lastTransitionTime) || toTime(now);
  const others = status?.conditions?.filter(({ type }) => type !== 'Ready') ?? [];
  return { capacity: CAPACITY, allocatable: CAPACITY, ...status, conditions: [...others, { ...wanted, lastTransitionTime }] };
}

/** Taints of the node controller: a node that does not report takes no new pods. What others write into the spec meanwhile, such as a cordon, stays. */
function taint(node: Node): readonly Effect[] {
  const taints = node.spec?.taints ?? [];
  const others = taints.filter(({ key }) => key !== UNREACHABLE);
  const ours = isSilent(node) ? ['NoSchedule', 'NoExecute'].map((effect) => ({ key: UNREACHABLE, effect })) : [];
  const wanted = [...others, ...ours];
  if (sameJson(wanted, taints)) return [];
  const { uid, resourceVersion } = node.metadata;
  const patch = { kind: 'Patch', resource: Node, key: keyOf(node), uid } as const;
  if (node.spec?.taints !== undefined) {
    const test = { op: 'test', path: '/spec/taints', value: taints } as const;
    const { path } = test;
    return [{ ...patch, operations: [test, wanted.length > 0 ? { op: 'replace', path, value: wanted } : { op: 'remove', path }] }];
  }
  const operation = node.spec ? { path: '/spec/taints', value: wanted } : { path: '/spec', value: { taints: wanted } };
  return [{ ...patch, ...(resourceVersion !== undefined && { resourceVersion }), operations: [{ op: 'add', ...operation }] }];
}
