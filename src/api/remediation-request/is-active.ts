import { isTerminal } from '../phases.ts';
import { after, parseTime, type Instant } from '../../base/index.ts';
import { remediationPhases } from './phases.ts';
import type { RemediationRequest } from './remediation-request.ts';

/**
 * Whether a request stands in the way of others of its fingerprint: it does until it is over. One that an ineffective chain holds back stands
 * in nobody's way once its interval has passed, although it is not over: the next signal opens a new one, which ends it. A request that is
 * being deleted still counts, since what it has set going may still run.
 */
export function isActive({ status }: RemediationRequest, now: Instant, chainIntervalMs: number): boolean {
  if (isTerminal(remediationPhases, status?.overallPhase)) return false;
  if (status?.overallPhase !== 'Blocked' || status.blockReason !== 'IneffectiveChain') return true;
  const since = parseTime(status.blockedStartTime);
  return since === undefined || now < after(since, chainIntervalMs);
}
