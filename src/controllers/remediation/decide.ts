import { isTerminal, mayMove } from '../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../api/remediation-request/phases.ts';
import { after, type Instant } from '../../base/index.ts';
import { RECHECK_INTERVAL_MS } from '../retry-times.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { cancelled } from './end/cancel.ts';
import { decideAnalyzing } from './phases/decide-analyzing.ts';
import { decideAwaitingApproval } from './phases/decide-awaiting-approval.ts';
import { decideBlocked } from './phases/decide-blocked.ts';
import { decideEnded } from './phases/decide-ended.ts';
import { decideExecuting } from './phases/decide-executing.ts';
import { decideNew, decidePending } from './phases/decide-pending.ts';
import { decideProcessing } from './phases/decide-processing.ts';
import { decideVerifying } from './phases/decide-verifying.ts';
import { duplicatesOf } from './routing/recorded-duplicates.ts';
import { end } from './end/end-request.ts';
import { healed } from './end/alerts-resolved.ts';
import { withoutHold } from './suppression/hold-until-cleared.ts';
import type { RemediationSeen } from './observe.ts';
import { stay, type RemediationStatus } from './status.ts';
import { warningEvent } from '../kubernetes-events.ts';

type Decide = (seen: RemediationSeen, now: Instant) => Decision;

/** The life of a remediation, from the signal to its end. */
const PHASES: Readonly<Record<RemediationPhase, Decide>> = {
  Pending: decidePending,
  Processing: decideProcessing,
  Analyzing: decideAnalyzing,
  AwaitingApproval: decideAwaitingApproval,
  Executing: decideExecuting,
  Verifying: decideVerifying,
  Blocked: decideBlocked,
  Completed: decideEnded,
  Failed: decideEnded,
  TimedOut: decideEnded,
  Skipped: decideEnded,
  Cancelled: decideEnded,
};

/** What is to be done about a request as it stands. */
export const decide: Decide = (seen, now) => lawful(seen, withoutHold(seen, withDuplicates(seen, decideFreely(seen, now)), now), now);

/** Whatever is written has the requests that wait for this one on record too. */
function withDuplicates({ object, siblings }: RemediationSeen, decision: Decision): Decision {
  const isOver = isTerminal(remediationPhases, object.status?.overallPhase);
  if (isOver || decision.status === undefined || siblings.kind !== 'value') return decision;
  return { ...decision, status: { ...decision.status, ...duplicatesOf(object, siblings.value) } };
}

function decideFreely(seen: RemediationSeen, now: Instant): Decision {
  const { object } = seen;
  // Its children go with it: creating one now would keep them coming.
  if (object.metadata.deletionTimestamp !== undefined) return stay(object, { now });
  const phase = object.status?.overallPhase;
  if (phase === undefined) return decideNew(seen, now);
  const ending = isTerminal(remediationPhases, phase) ? undefined : (cancelled(object, now) ?? healed(object));
  return ending ? end(seen, ending, now) : PHASES[phase](seen, now);
}

/**
 * Every write of the phase goes through the one table. What it does not allow would be a mistake of ours: nothing is written or done, and the
 * mistake is told.
 */
export function lawful({ object }: RemediationSeen, decision: Decision, now: Instant): Decision {
  const from = object.status?.overallPhase;
  const to = (decision.status as RemediationStatus | undefined)?.overallPhase;
  const isLegal =
    to === from || (to !== undefined && (from === undefined ? to === remediationPhases.initial : mayMove(remediationPhases, from, to)));
  if (isLegal || decision.status === undefined) return decision;
  const message = `a move from ${from ?? 'no phase'} to ${to ?? 'no phase'} is not allowed and was not made: please report this`;
  return { effects: [warningEvent('IllegalTransition', message)], wakeAt: after(now, RECHECK_INTERVAL_MS) };
}
