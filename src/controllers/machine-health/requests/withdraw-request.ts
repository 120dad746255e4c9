import { Machine } from '../../../api/machine/machine.ts';
import { keyOf, type KubeObject } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND, type Instant } from '../../../base/index.ts';
import type { OptionalRead } from '../../../kube/client/read.ts';
import type { Effect } from '../../../runtime/reconcile/controller.ts';
import { isRequestOfCheck, reportsNoRequest } from './claim.ts';
import { resourceOf } from './external-request.ts';
import type { PlannedAction } from './request-remediation.ts';
import { isClaimedByOtherCheck } from './requests-of-other-checks.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import type { DeselectedMachine } from './observe-requests.ts';
import { conditionOf, withoutCondition } from '../conditions/cluster-api-conditions.ts';

/** The remediator may have to clean up before the request is deleted, and its kind is not watched. */
const DELETION_RECHECK_MS = 10 * SECOND;
/** The check gets no event for a Machine that it does not select; until the next evaluation the Machine keeps its slot in the gate. */
const PAUSED_RECHECK_MS = MINUTE;

/** Whether this check and, for all checks, the condition on the Machine report it healthy. */
export const isReportedHealthy = ({ verdict, target: { machine } }: TargetObservation): boolean =>
  verdict.kind === 'healthy' && hasHealthyCondition(machine);

const hasHealthyCondition = ({ status = {} }: Machine): boolean => conditionOf(status, 'HealthCheckSucceeded')?.status === 'True';

/**
 * Whether a Machine without a Node fails no more because its check sets no startup timeout any more: nothing would ever report it healthy,
 * and its record would keep its slot for ever. An owner that has started is waited for.
 */
export const isNoLongerFailing = ({ verdict, target: { machine } }: TargetObservation): boolean =>
  isWithoutLimit(verdict) && reportsNoFailure(machine);

const isWithoutLimit = (verdict: TargetObservation['verdict']): boolean => verdict.kind === 'unjudged' && verdict.isUnlimited === true;

const reportsNoFailure = ({ status = {} }: Machine): boolean =>
  conditionOf(status, 'HealthCheckSucceeded')?.status !== 'False' && conditionOf(status, 'OwnerRemediated') === undefined;

/** Whether the request may be withdrawn if the live Machine reports the same. */
export const mayBeWithdrawn = (target: TargetObservation): boolean => target.verdict.kind === 'healthy' || isNoLongerFailing(target);

/** Whether the live Machine reports the same: the cached one may be older than the request. */
function isWithdrawableLive({ verdict, target: { machine }, liveMachine }: TargetObservation): boolean {
  if (liveMachine.kind !== 'value' || liveMachine.value.metadata.uid !== machine.metadata.uid) return false;
  return isWithoutLimit(verdict) ? reportsNoFailure(liveMachine.value) : hasHealthyCondition(liveMachine.value);
}

/** Withdraws the request for a Machine that has recovered or fails no more, even while no new remediation may start. */
export function withdrawRequest(target: TargetObservation, check: string, now: Instant): PlannedAction {
  const { machine } = target.target;
  if (isClaimedByOtherCheck(target, check)) return { effects: [] };
  if (target.requestKind === undefined) return { effects: hasStaleCondition(target) ? clearClaim(machine) : [] };
  return deleteRequest({ machine, request: target.request, entry: target.entry, mayDelete: isWithdrawableLive(target) }, now);
}

/** Whether a healthy Machine still reports why no remediation was requested. */
const hasStaleCondition = ({ others, target: { machine } }: TargetObservation): boolean =>
  reportsNoRequest(machine) && others.every(({ isManagedByOther }) => !isManagedByOther);

/**
 * Withdraws the request for a Machine that the check no longer selects. A paused Machine is left unchanged, and the request of another check
 * stays.
 */
export function withdrawFromDeselected({ entry, machine, request, isClaimedElsewhere }: DeselectedMachine, now: Instant): PlannedAction {
  if (!machine || isClaimedElsewhere) return { effects: [] };
  if (ANNOTATIONS.paused in (machine.metadata.annotations ?? {})) return { entry, effects: [], wakeAt: after(now, PAUSED_RECHECK_MS) };
  if (entry.request === undefined) return { effects: [] };
  return deleteRequest({ machine, request, entry, mayDelete: true }, now);
}

interface Withdrawal {
  readonly machine: Machine;
  readonly request: OptionalRead<KubeObject>;
  readonly entry: PlannedAction['entry'];
  /** Whether the request may be deleted now. */
  readonly mayDelete: boolean;
}

/** Deletes the request; the record stays until the server reports that the request does not exist. */
function deleteRequest({ machine, request, entry, mayDelete: isDue }: Withdrawal, now: Instant): PlannedAction {
  const later: PlannedAction = { ...(entry && { entry }), effects: [], wakeAt: after(now, DELETION_RECHECK_MS) };
  if (request.kind === 'not-read' || request.kind === 'unreadable') return later;
  if (request.kind === 'absent') return { effects: clearClaim(machine) };
  const { value } = request;
  if (!isRequestOfCheck(value, machine)) return { effects: reportsNoRequest(machine) ? clearClaim(machine) : [] };
  if (!isDue || value.metadata.deletionTimestamp !== undefined) return later;
  const resource = resourceOf(value.apiVersion, value.kind);
  return { ...later, effects: [{ kind: 'Delete', resource, key: keyOf(value), uid: value.metadata.uid }], wakeAt: after(now, SECOND) };
}

/** Clears the condition ExternallyRemediated. */
function clearClaim(machine: Machine): readonly Effect[] {
  const status = withoutCondition(machine.status ?? {}, 'ExternallyRemediated');
  if (machine.status === undefined || status === machine.status) return [];
  return [{ kind: 'PatchStatus', resource: Machine, key: keyOf(machine), resourceVersion: machine.metadata.resourceVersion, status }];
}
