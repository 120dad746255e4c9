import { isTerminal } from '../phases.ts';
import { after, parseTime, type Instant } from '../../base/index.ts';
import { remediationPhases } from './phases.ts';
import type { RemediationRequest } from './remediation-request.ts';

/**
 * Whether a request blocks others of its fingerprint: it does until it is completed. One that an ineffective chain blocks
 * no longer blocks others once its interval has passed, although it is not completed: the next signal opens a new one, which ends it. A request that is
 * being deleted still counts, because the run that it started may still be active.
 */
export function isActive({ status }: RemediationRequest, now: Instant, chainIntervalMs: number): boolean {
  if (isTerminal(remediationPhases, status?.overallPhase)) return false;
  if (status?.overallPhase !== 'Blocked' || status.blockReason !== 'IneffectiveChain') return true;
  const since = parseTime(status.blockedStartTime);
  return since === undefined || now < after(since, chainIntervalMs);
}
