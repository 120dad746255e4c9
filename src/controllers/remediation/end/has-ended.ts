import { isTerminal } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';

/**
 * Whether a request has ended. The failure that reaches the threshold of failures in a row has ended too, although its phase is Blocked
 * until its cooldown is over; `completedAt` tells it from a request that is blocked before its end.
 */
export const hasEnded = ({ status }: RemediationRequest): boolean =>
  isTerminal(remediationPhases, status?.overallPhase) || status?.completedAt !== undefined;
