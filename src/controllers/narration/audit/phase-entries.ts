import { remediationPhases, type RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { isTerminal } from '../../../api/phases.ts';

/** A phase and when it was last entered, as the status says. */
export interface PhaseEntry {
  readonly phase: RemediationPhase;
  readonly at: string;
  /** Whether the work was over then. */
  readonly isEnd: boolean;
}

/** The phases that the status has a time for. Those that nothing was written of are not there. */
export function phaseEntries(status: NonNullable<RemediationRequest['status']>): readonly PhaseEntry[] {
  const times: readonly (readonly [RemediationPhase | undefined, string | undefined])[] = [
    ['Pending', status.startTime],
    ['Processing', status.processingStartTime],
    ['Analyzing', status.analyzingStartTime],
    ['AwaitingApproval', status.awaitingApprovalStartTime],
    ['Executing', status.executingStartTime],
    ['Verifying', status.verifyingStartTime],
    ['Blocked', status.blockedStartTime],
    [endOf(status), status.completedAt],
  ];
  return times.flatMap(([phase, at]) =>
    phase === undefined || at === undefined ? [] : [{ phase, at, isEnd: isTerminal(remediationPhases, phase) }],
  );
}

/** How it ended. Only a failure can be held back after its end. */
function endOf({ overallPhase }: NonNullable<RemediationRequest['status']>): RemediationPhase | undefined {
  if (isTerminal(remediationPhases, overallPhase)) return overallPhase;
  return overallPhase === 'Blocked' ? 'Failed' : undefined;
}
