import { targetTextOf } from '../request-target.ts';
import { Lease } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { findBlock, storedBlock, type ActiveBlock, type TargetState } from '../../execution/history/index.ts';
import type { Settings } from '../../settings.ts';
import { isBlockCleared } from './suppress-until-cleared.ts';

/** The block on the target of a request. */
export interface TargetBlock {
  /** The block that is not cleared, if there is one. */
  readonly block?: ActiveBlock;
  /** Whether an operator cleared the block by this request's own run. */
  readonly isOwnCleared: boolean;
}

/** What cannot be read may be a block. */
export type TargetBlockRead =
  { readonly kind: 'value'; readonly value: TargetBlock } | { readonly kind: 'unreadable'; readonly reason: string };

/** Selects the Leases that lock targets; some of them store a block. */
export const TARGET_LOCKS = LABELS.workflowExecutionUid;

/** How locks are found by their target. */
export const lockIndexes = { target: (lock: Lease): readonly string[] => [targetOfLock(lock)] };

const targetOfLock = ({ metadata }: Lease): string => metadata.annotations?.[ANNOTATIONS.targetResource] ?? '';

/** Which requests to reconcile when an execution or a lock of their target changes. */
export const suppressedByTarget = (object: WorkflowExecution | Lease): { readonly index: 'held'; readonly value: string } => ({
  index: 'held',
  value: object.kind === WorkflowExecution.kind ? (object as WorkflowExecution).spec.targetResource : targetOfLock(object as Lease),
});

/** Reads the block from the cache while it stands, and from the server before it counts as cleared. */
export async function readTargetBlock(reader: Reader, request: RemediationRequest, settings: Settings): Promise<TargetBlockRead> {
  const target = targetTextOf(request);
  const executions = reader.list(WorkflowExecution, { index: 'target', value: target });
  const cached = targetBlockIn(request, { executions, locks: reader.list(Lease, { index: 'target', value: target }) }, settings);
  const isSettled = cached.kind === 'unreadable' || !isBlockCleared(request, cached.value);
  return isSettled ? cached : fetchTargetBlock(reader, request, settings);
}

/** The block from a live read. */
export async function fetchTargetBlock(reader: Reader, request: RemediationRequest, settings: Settings): Promise<TargetBlockRead> {
  const target = targetTextOf(request);
  const { namespace = settings.namespace } = request.metadata;
  const [executions, locks] = await Promise.all([
    reader.fetchList(WorkflowExecution, { namespace, fieldSelector: `spec.targetResource=${target}` }),
    reader.fetchList(Lease, { namespace: settings.executionNamespace, labelSelector: TARGET_LOCKS }),
  ]);
  const onTarget = locks.kind === 'value' ? { ...locks, value: locks.value.filter((lock) => targetOfLock(lock) === target) } : locks;
  return targetBlockIn(request, { executions, locks: onTarget }, settings);
}

type PastRead = { readonly [K in keyof TargetState]: Listed<TargetState[K][number]> };

function targetBlockIn(request: RemediationRequest, { executions, locks }: PastRead, settings: Settings): TargetBlockRead {
  if (executions.kind === 'unreadable') return executions;
  if (locks.kind === 'unreadable') return locks;
  const past: TargetState = { executions: executions.value, locks: locks.value };
  const block = findBlock(past, settings);
  return { kind: 'value', value: { ...(block && { block }), isOwnCleared: isOwnCleared(request, past) } };
}

/** By the UID of the execution while it exists, and by its name on the lock that stores its block. */
function isOwnCleared({ status }: RemediationRequest, { executions, locks }: TargetState): boolean {
  const { uid, name } = status?.workflowExecutionRef ?? {};
  const isSigned = executions.some((one) => one.metadata.uid === uid && one.status?.blockClearance !== undefined);
  return isSigned || locks.map(storedBlock).some((kept) => kept?.clearance !== undefined && kept.name === name);
}
