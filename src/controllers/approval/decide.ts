import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { after, assertNever, parseTime, toTime, type Instant } from '../../base/index.ts';
import { setCondition } from '../../kube/objects/conditions.ts';
import { controllerOf } from '../../kube/objects/owner-references.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { isPastDeadline, RECHECK_INTERVAL_MS } from '../retry-times.ts';
import type { ApprovalRequestSeen } from './observe.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;

/**
 * Reports the state of an approval request, in two writes: when it is created, and when it is decided. A decision is never changed; without
 * one the request expires here, decided by `account`. What follows from a decision is up to the orchestrator.
 */
export function decide(seen: ApprovalRequestSeen, now: Instant, account: string): Decision {
  const { object } = seen;
  // An object without a RemediationRequest as its owner is ignored.
  if (controllerOf(object)?.kind !== RemediationRequest.kind) return { effects: [] };
  const status = object.status ?? {};
  return status.decision ? { status: withStanding(object, status, now), effects: [] } : decideUndecided(seen, now, account);
}

function decideUndecided({ object, doubt }: ApprovalRequestSeen, now: Instant, account: string): Decision {
  if (doubt !== undefined) return { effects: [], wakeAt: after(now, RECHECK_INTERVAL_MS) };
  if (isPastDeadline(object.spec.requiredBy, now)) return { status: withStanding(object, expired(object, account, now), now), effects: [] };
  const wakeAt = parseTime(object.spec.requiredBy) ?? after(now, RECHECK_INTERVAL_MS);
  return { status: withStanding(object, object.status ?? {}, now), effects: [], wakeAt };
}

const expired = ({ status }: RemediationApprovalRequest, account: string, now: Instant): Status => ({
  ...status,
  decision: 'Expired',
  decidedBy: account,
  decidedAt: toTime(now),
  expired: true,
});

interface Standing {
  readonly reason: string;
  readonly message: string;
  readonly conditions: readonly (readonly [type: string, holds: boolean, reason: string])[];
}

/** The status with reason, message and conditions. */
export function withStanding({ metadata, spec }: RemediationApprovalRequest, status: Status, now: Instant): Status {
  const { reason, message, conditions } = standingOf(status, spec.requiredBy);
  const observedGeneration = metadata.generation ?? 0;
  const wanted = conditions.map(([type, holds, why]) => ({
    type,
    status: holds ? ('True' as const) : ('False' as const),
    reason: why,
    message,
    observedGeneration,
  }));
  return {
    ...status,
    createdAt: metadata.creationTimestamp,
    reason,
    message,
    observedGeneration,
    conditions: wanted.reduce((all, condition) => setCondition(all, condition, now), status.conditions ?? []),
  };
}

function standingOf({ decision = '', decidedBy = 'an unnamed approver', decisionMessage = '' }: Status, requiredBy: string): Standing {
  switch (decision) {
    case '':
      return standing('AwaitingDecision', `waits for an approver to decide before ${requiredBy}`, { isDecided: false, isExpired: false });
    case 'Approved':
    case 'Rejected':
      return standing(decision, `${decision.toLowerCase()} by ${decidedBy}`, { isDecided: true, isExpired: false });
    case 'Expired':
      return decisionMessage === ''
        ? standing(decision, `no approver decided before ${requiredBy}`, { isDecided: false, isExpired: true })
        : standing('Closed', `closed without a decision: ${decisionMessage}`, { isDecided: false, isExpired: true });
    default:
      return assertNever(decision);
  }
}

function standing(
  reason: string,
  message: string,
  { isDecided, isExpired }: { readonly isDecided: boolean; readonly isExpired: boolean },
): Standing {
  const isOver = isDecided || isExpired;
  return {
    reason,
    message,
    conditions: [
      ['ApprovalPending', !isOver, isOver ? 'DecisionMade' : reason],
      ['ApprovalDecided', isDecided, isDecided || isExpired ? reason : 'PendingDecision'],
      ['ApprovalExpired', isExpired, expiredReason(reason, isExpired)],
      ['Ready', isOver, reason],
    ],
  };
}

/** A request is closed before its deadline when its remediation ends. */
function expiredReason(reason: string, isExpired: boolean): string {
  if (!isExpired) return 'NotExpired';
  return reason === 'Closed' ? reason : 'Timeout';
}
