import { isTerminal } from '../../api/phases.ts';
import { remediationPhases, type RemediationPhase } from '../../api/remediation-request/phases.ts';
import type { Instant } from '../../base/index.ts';
import type { Decision } from '../../runtime/reconcile/controller.ts';
import { cancelledEnding } from './end/cancel.ts';
import { decideAnalyzing } from './phases/decide-analyzing.ts';
import { decideAwaitingApproval } from './phases/decide-awaiting-approval.ts';
import { decideBlocked } from './phases/decide-blocked.ts';
import { decideEndedRequest } from './phases/decide-ended.ts';
import { decideExecuting } from './phases/decide-executing.ts';
import { startRequest, decidePendingRequest } from './phases/decide-pending.ts';
import { decideProcessing } from './phases/decide-processing.ts';
import { decideVerifying } from './phases/decide-verifying.ts';
import { recordOverride } from './routing/freeze-override.ts';
import { duplicatesOf } from './routing/recorded-duplicates.ts';
import { endRequest } from './end/end-request.ts';
import { endRefusalOnceChanged } from './end/refusal.ts';
import { alertsResolvedEnding, wakeByGrace } from './end/alerts-resolved.ts';
import { endSuppressionOnceChanged } from './suppression/limited-suppression.ts';
import { uncordonOnceRecovered } from './uncordon/uncordon-recovered.ts';
import { liftSuppressionOnceCleared } from './suppression/suppress-until-cleared.ts';
import type { RemediationSeen } from './observe.ts';
import { resumeAfterWait } from './resume/resume.ts';
import { refuseIllegalTransition } from './refuse-illegal-transition.ts';
import { stayInPhase } from './status.ts';
import { recordUrgency } from './urgency.ts';

type Decide = (seen: RemediationSeen, now: Instant) => Decision;

/** The phases of a remediation, from the signal to its end. */
const PHASES: Readonly<Record<RemediationPhase, Decide>> = {
  Pending: decidePendingRequest,
  Processing: decideProcessing,
  Analyzing: decideAnalyzing,
  AwaitingApproval: decideAwaitingApproval,
  Executing: decideExecuting,
  Verifying: decideVerifying,
  Blocked: decideBlocked,
  Completed: decideEndedRequest,
  Failed: decideEndedRequest,
  TimedOut: decideEndedRequest,
  Skipped: decideEndedRequest,
  Cancelled: decideEndedRequest,
};

/** Decides the next step of a request from what was observed. */
export const decide: Decide = (seen, now) =>
  refuseIllegalTransition(seen, afterEnd(seen, recorded(seen, decideByPhase(seen, now), now), now), now);

/** What every status write records. */
const recorded = (seen: RemediationSeen, decision: Decision, now: Instant): Decision =>
  recordOverride(seen, recordUrgency(seen, withDuplicates(seen, decision)), now);

/** What goes on once a request has ended: the suppression of its signal and the refusal of its plan may end early, a Node is uncordoned, and its signal is resumed. */
function afterEnd(seen: RemediationSeen, decision: Decision, now: Instant): Decision {
  const lifted = endSuppressionOnceChanged(seen, liftSuppressionOnceCleared(seen, decision, now), now);
  return resumeAfterWait(seen, uncordonOnceRecovered(seen, endRefusalOnceChanged(seen, lifted, now), now), now);
}

/** Every status write also records the requests that wait for this one. */
function withDuplicates({ object, siblings }: RemediationSeen, decision: Decision): Decision {
  const isOver = isTerminal(remediationPhases, object.status?.overallPhase);
  if (isOver || decision.status === undefined || siblings.kind !== 'value') return decision;
  return { ...decision, status: { ...decision.status, ...duplicatesOf(object, siblings.value) } };
}

function decideByPhase(seen: RemediationSeen, now: Instant): Decision {
  const { object } = seen;
  // Its children are deleted with it: creating one now would create orphans.
  if (object.metadata.deletionTimestamp !== undefined) return stayInPhase(object, { now });
  const phase = object.status?.overallPhase;
  if (phase === undefined) return startRequest(seen, now);
  const ending = isTerminal(remediationPhases, phase) ? undefined : (cancelledEnding(seen, now) ?? alertsResolvedEnding(seen, now));
  return ending ? endRequest(seen, ending, now) : wakeByGrace(seen, PHASES[phase](seen, now), now);
}
