import type { Lease, Pod } from '../../../api/builtin/index.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, parseTime } from '../../../base/index.ts';
import type { Listed, Read } from '../../../runtime/reconcile/controller.ts';
import { askBudget } from '../../budget/index.ts';
import { whyStop } from '../admission/stop-reason.ts';
import { engineOf } from '../engines/index.ts';
import { keptUntil } from '../lock/cooldown.ts';
import { otherOccupant } from '../lock/judge-lock.ts';
import { executionUidOf } from '../names.ts';
import type { NotRead, PendingExecution, ReadContext } from '../observed-execution.ts';
import { isLate } from '../run/deadlines.ts';
import { RECHECK_INTERVAL_MS } from '../status/execution-status.ts';

/**
 * Which objects a pass reads, and from where, as far as that follows from what it read before. Everything here is pure and chooses reads; it
 * decides nothing about the execution. What is final (a start, a skip, a failure, a deletion) rests on a live read, so where
 * the next step may be one of these, the API server is asked instead of the cache.
 */

type LockAndRun = Pick<PendingExecution, 'lock' | 'run'>;

/** UID of the other execution to read: the one that has the lock or the run of this target. */
export const otherHolder = ({ metadata }: WorkflowExecution, { lock, run }: LockAndRun): string | undefined =>
  otherOccupant(metadata.uid, lock, run.kind === 'value' ? executionUidOf(run.value) : undefined);

/** The budget, the dependencies and the engine are read under its own lock only. */
export const holdsLock = ({ metadata }: WorkflowExecution, lock: Read<Lease>): boolean =>
  lock.kind === 'value' && lock.value.spec?.holderIdentity === metadata.uid;

/** Whether the pass may start the run: history and catalogue are then read live. */
export const mayStartNow = ({ object, settings, now }: ReadContext, { lock, budget }: Pick<PendingExecution, 'lock' | 'budget'>): boolean =>
  holdsLock(object, lock) && budget.kind !== 'not-read' && askBudget(budget, settings, now).kind !== 'Wait';

/** Pods of an earlier run delay the start, and the cleanup of a lock that another execution left; without room in the budget neither is next. */
export const needsEarlierPods = (context: ReadContext, read: Pick<PendingExecution, 'lock' | 'run' | 'budget'>): boolean =>
  read.lock.kind === 'value' && read.run.kind === 'absent' && (!holdsLock(context.object, read.lock) || mayStartNow(context, read));

/** Watch events may be lost, so an execution that has waited for some time reads its request live. */
export const hasWaited = ({ object, now }: ReadContext): boolean =>
  now >= after(parseTime(object.status?.startTime ?? object.metadata.creationTimestamp) ?? now, RECHECK_INTERVAL_MS);

export const isSuspended = (run: Read<KubeObject>): boolean => run.kind === 'value' && engineOf(run.value).isSuspended(run.value);

/** Whether the pods of a run under way are read: where they can report something new, or where the run may be stopped. */
export function needsPods(
  { object, now }: ReadContext,
  run: KubeObject,
  { request, cachedPods }: { readonly request: Read<RemediationRequest> | NotRead; readonly cachedPods: () => Listed<Pod> },
): boolean {
  if (request.kind !== 'not-read' && whyStop(object, request) !== undefined) return true;
  const engine = engineOf(run);
  if (engine.isSuspended(run)) return false;
  if (engine.needsPods(run) || object.status?.executionStatus?.status === 'Waiting' || isLate(object, now)) return true;
  const cached = cachedPods();
  return cached.kind === 'value' && cached.value.some(isDisrupted);
}

/** Deleted or evicted before its end: soon nothing will be left of the pod that reports why. */
const isDisrupted = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined || (status?.conditions ?? []).some(({ type }) => type === 'DisruptionTarget');

/** Whether the lock may be deleted in this pass: that the run is gone is then read live, with its pods. */
export function mayUnlock({ object, settings, now }: ReadContext, { lock, run }: LockAndRun): boolean {
  const isOurs = (read: Read<KubeObject>): boolean => read.kind === 'value' && executionUidOf(read.value) === object.metadata.uid;
  return isOurs(lock) && !isOurs(run) && now >= keptUntil(object, settings);
}
