import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { Objection } from './check-verdict.ts';
import { enter, type RemediationStatus } from '../status.ts';

/** What a block leaves in the status, and nothing of an earlier one. */
const NO_BLOCK = {
  blockReason: undefined,
  blockMessage: undefined,
  blockedUntil: undefined,
  blockedStartTime: undefined,
  blockingWorkflowExecution: undefined,
  duplicateOf: undefined,
} as const;

/** Holds the request back for what a check objects to. */
export function block(request: RemediationRequest, { check, message, until, blocker }: Objection, now: Instant): Decision {
  return entered(request, now, {
    blockReason: check,
    blockMessage: message,
    ...(until !== undefined && { blockedUntil: toTime(until) }),
    ...(check === 'ResourceBusy' && blocker && { blockingWorkflowExecution: blocker.name }),
    ...(check === 'DuplicateInProgress' && blocker && { duplicateOf: blocker.name }),
    ...(check === 'IneffectiveChain' && { requiresManualReview: true }),
    message,
  });
}

const entered = (request: RemediationRequest, now: Instant, also: Partial<RemediationStatus> & { readonly message: string }): Decision =>
  enter(without(request), 'Blocked', now, { ...also, blockedStartTime: toTime(now) });

/** The request as it is once its block is over: how long it took stands on record, what it was about does not. */
export function unblocked(request: RemediationRequest, now: Instant): RemediationRequest {
  const { status } = without(request);
  return { ...request, status: { ...status, ...blockedSeconds(request, now) } };
}

/** Time spent in Blocked so far, which the global time-out leaves out; nothing where it is not blocked. */
export function blockedSeconds({ status }: RemediationRequest, now: Instant): Partial<RemediationStatus> {
  const since = parseTime(status?.blockedStartTime);
  if (status?.overallPhase !== 'Blocked' || since === undefined) return {};
  return { blockedSeconds: (status.blockedSeconds ?? 0) + Math.max(0, Math.ceil((now - since) / SECOND)) };
}

function without(request: RemediationRequest): RemediationRequest {
  const status = Object.fromEntries(Object.entries(request.status ?? {}).filter(([field]) => !(field in NO_BLOCK))) as RemediationStatus;
  return { ...request, status };
}
