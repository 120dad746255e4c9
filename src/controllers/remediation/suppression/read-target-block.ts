import { Lease } from '../../../api/builtin/index.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { findBlock, storedBlock, type ActiveBlock, type TargetState } from '../../execution/history/index.ts';
import type { Settings } from '../../settings.ts';
import { targetText } from '../../target/index.ts';
import { isCleared } from './hold-until-cleared.ts';

/** What keeps workflows off the target of a request. */
export interface SeenBlock {
  /** The block that nobody has cleared, if there is one. */
  readonly block?: ActiveBlock;
  /** Whether somebody signed that the run of this very request no longer stands in the way. */
  readonly isOwnCleared: boolean;
}

/** What cannot be read may be a block. */
export type BlockRead = { readonly kind: 'value'; readonly value: SeenBlock } | { readonly kind: 'unreadable'; readonly reason: string };

/** The locks of targets: those that keep a block are among them. */
export const LOCKS = LABELS.workflowExecutionUid;

/** How locks are found by their target. */
export const lockIndexes = { target: (lock: Lease): readonly string[] => [targetOfLock(lock)] };

const targetOfLock = ({ metadata }: Lease): string => metadata.annotations?.[ANNOTATIONS.targetResource] ?? '';

/** Who is woken when something happens to what may keep workflows off a target. */
export const heldOn = (object: WorkflowExecution | Lease): { readonly index: 'held'; readonly value: string } => ({
  index: 'held',
  value: object.kind === WorkflowExecution.kind ? (object as WorkflowExecution).spec.targetResource : targetOfLock(object as Lease),
});

/** Looks at the block: as long as it stands, the cache's word will do; that it is cleared is for the server to say. */
export async function readBlock(reader: Reader, request: RemediationRequest, settings: Settings): Promise<BlockRead> {
  const target = targetOf(request);
  const executions = reader.list(WorkflowExecution, { index: 'target', value: target });
  const cached = judge(request, { executions, locks: reader.list(Lease, { index: 'target', value: target }) }, settings);
  const isSettled = cached.kind === 'unreadable' || !isCleared(request, cached.value);
  return isSettled ? cached : fetchBlock(reader, request, settings);
}

/** The block on the server's word. */
export async function fetchBlock(reader: Reader, request: RemediationRequest, settings: Settings): Promise<BlockRead> {
  const target = targetOf(request);
  const { namespace = settings.namespace } = request.metadata;
  const [executions, locks] = await Promise.all([
    reader.fetchList(WorkflowExecution, { namespace, fieldSelector: `spec.targetResource=${target}` }),
    reader.fetchList(Lease, { namespace: settings.executionNamespace, labelSelector: LOCKS }),
  ]);
  const onTarget = locks.kind === 'value' ? { ...locks, value: locks.value.filter((lock) => targetOfLock(lock) === target) } : locks;
  return judge(request, { executions, locks: onTarget }, settings);
}

const targetOf = ({ status, spec }: RemediationRequest): string => targetText(status?.remediationTarget ?? spec.targetResource);

type PastRead = { readonly [K in keyof TargetState]: Listed<TargetState[K][number]> };

function judge(request: RemediationRequest, { executions, locks }: PastRead, settings: Settings): BlockRead {
  if (executions.kind === 'unreadable') return executions;
  if (locks.kind === 'unreadable') return locks;
  const past: TargetState = { executions: executions.value, locks: locks.value };
  const block = findBlock(past, settings);
  return { kind: 'value', value: { ...(block && { block }), isOwnCleared: isOwnCleared(request, past) } };
}

/** By UID while it is there, and by its name on the lock that keeps what it said. */
function isOwnCleared({ status }: RemediationRequest, { executions, locks }: TargetState): boolean {
  const { uid, name } = status?.workflowExecutionRef ?? {};
  const isSigned = executions.some((one) => one.metadata.uid === uid && one.status?.blockClearance !== undefined);
  return isSigned || locks.map(storedBlock).some((kept) => kept?.clearance !== undefined && kept.name === name);
}
