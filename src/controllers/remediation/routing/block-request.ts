import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { CheckObjection } from './check-verdict.ts';
import { enterPhase, type RemediationStatus } from '../status.ts';

/** The status fields of a block. A new block clears those of the previous one. */
const NO_BLOCK = {
  blockReason: undefined,
  blockMessage: undefined,
  blockedUntil: undefined,
  blockedStartTime: undefined,
  blockingWorkflowExecution: undefined,
  duplicateOf: undefined,
  changeWindow: undefined,
} as const;

/** Moves the request to Blocked for the objection of a check. */
export function blockRequest(
  request: RemediationRequest,
  { check, message, until, blocker, window }: CheckObjection,
  now: Instant,
): Decision {
  return entered(request, now, {
    blockReason: check,
    blockMessage: message,
    ...(until !== undefined && { blockedUntil: toTime(until) }),
    ...(check === 'ResourceBusy' && blocker && { blockingWorkflowExecution: blocker.name }),
    ...(check === 'DuplicateInProgress' && blocker && { duplicateOf: blocker.name }),
    ...(window && { changeWindow: window }),
    ...(check === 'IneffectiveChain' && { requiresManualReview: true }),
    message,
  });
}

const entered = (request: RemediationRequest, now: Instant, also: Partial<RemediationStatus> & { readonly message: string }): Decision =>
  enterPhase(withoutBlockFields(request), 'Blocked', now, { ...also, blockedStartTime: toTime(now) });

/** The request without its block: the time in Blocked stays recorded, the block's fields are cleared. */
export function withoutBlock(request: RemediationRequest, now: Instant): RemediationRequest {
  const { status } = withoutBlockFields(request);
  return { ...request, status: { ...status, ...blockedSeconds(request, now) } };
}

/** Time spent in Blocked so far, which the global timeout does not count; nothing while it is not blocked. */
export function blockedSeconds({ status }: RemediationRequest, now: Instant): Partial<RemediationStatus> {
  const since = parseTime(status?.blockedStartTime);
  if (status?.overallPhase !== 'Blocked' || since === undefined) return {};
  return { blockedSeconds: (status.blockedSeconds ?? 0) + Math.max(0, Math.ceil((now - since) / SECOND)) };
}

function withoutBlockFields(request: RemediationRequest): RemediationRequest {
  const status = Object.fromEntries(Object.entries(request.status ?? {}).filter(([field]) => !(field in NO_BLOCK))) as RemediationStatus;
  return { ...request, status };
}
