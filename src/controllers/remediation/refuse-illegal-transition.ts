import { mayMove } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { after, type Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { warningEvent } from '../kubernetes-events.ts';
import { RECHECK_INTERVAL_MS } from '../retry-times.ts';
import type { RemediationSeen } from './observe.ts';
import type { RemediationStatus } from './status.ts';

/**
 * Checks every phase change against the table of transitions. A change that it does not allow is a bug: nothing is written or done, and a
 * warning Event reports it.
 */
export function refuseIllegalTransition({ object }: RemediationSeen, decision: Decision, now: Instant): Decision {
  const from = object.status?.overallPhase;
  const to = (decision.status as RemediationStatus | undefined)?.overallPhase;
  const isLegal =
    to === from || (to !== undefined && (from === undefined ? to === remediationPhases.initial : mayMove(remediationPhases, from, to)));
  if (isLegal || decision.status === undefined) return decision;
  const message = `a move from ${from ?? 'no phase'} to ${to ?? 'no phase'} is not allowed and was not made: please report this bug`;
  return { effects: [warningEvent('IllegalTransition', message)], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}
