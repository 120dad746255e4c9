import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { approvalOf, executeApproved, stopOrReplan, approvalVerdictOn } from '../plan/request-approval-or-execute.ts';
import { childOf } from '../children/read-child.ts';
import type { ApprovalVerdict } from '../../approval/index.ts';
import { endRequest, failedAt, type RequestEnding } from '../end/end-request.ts';
import { recordRefusal } from '../end/refusal.ts';
import type { Waiting } from './await-child.ts';
import { notify } from '../notifications/notify.ts';
import type { RemediationSeen } from '../observe.ts';
import { describePlan, planOf, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { stayInPhase } from '../status.ts';
import { deadlineIn, timedOut } from '../timeouts.ts';

/** Waits for an approver. Without a decision nothing is run, and an approval is carried out only if all other checks still pass. */
export function decideAwaitingApproval(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const waiting: Waiting = { seen, phase: 'AwaitingApproval', deadline: deadlineIn('AwaitingApproval', object, settings), now };
  const approval = approvalOf(seen);
  switch (approval.kind) {
    case 'unknown':
      return stayInPhase(object, { now });
    case 'none':
    case 'lost':
    case 'leftOver':
    case 'foreign':
      return endRequest(
        seen,
        failedAt('Approval', 'the RemediationApprovalRequest was deleted before an approver decided: nothing was run'),
        now,
      );
    case 'ours':
      return followAnswer(waiting, approval.object);
    default:
      return assertNever(approval);
  }
}

function followAnswer(waiting: Waiting, approval: Parameters<typeof approvalVerdictOn>[0]): Decision {
  const { seen, now } = waiting;
  const source = childOf(seen.analysis, { owner: seen.object, recordedUid: seen.object.status?.aiAnalysisRef?.uid });
  if (source.kind === 'unknown') return stayInPhase(seen.object, { now });
  const plan = source.kind === 'ours' ? planOf(source.object) : undefined;
  if (!plan)
    return endRequest(seen, failedAt('Approval', 'the AIAnalysis that approval was requested for was deleted: nothing was run'), now);
  const verdict = approvalVerdictOn(approval, plan, seen, now);
  if (verdict.kind === 'approved') return followedThrough(waiting, verdict, plan);
  const ending = endWithoutApproval(verdict, plan, waiting);
  return ending ? endRequest(seen, ending, now) : wait(waiting);
}

function followedThrough(waiting: Waiting, verdict: Parameters<typeof executeApproved>[0], plan: RemediationPlan): Decision {
  const held = stopOrReplan(plan, waiting);
  const next = held === 'free' ? executeApproved(verdict, waiting) : held;
  return next ?? wait(waiting);
}

/** Waits until an approver decides or the time limit passes; a notification says that an approval is required. */
function wait({ seen, now, deadline }: Waiting): Decision {
  const { object } = seen;
  if (now >= deadline.at) return endRequest(seen, timedOut('AwaitingApproval', deadline, 'no approver decided; nothing was run'), now);
  return stayInPhase(object, { now, deadline: deadline.at }, { effects: notify(seen).effects });
}

/** How any decision but an approval ends the request; undefined waits. */
function endWithoutApproval(
  verdict: Exclude<ApprovalVerdict, { kind: 'approved' }>,
  plan: RemediationPlan,
  { seen, now }: Waiting,
): RequestEnding | undefined {
  const what = describePlan(plan);
  switch (verdict.kind) {
    case 'undecided':
    case 'unknown':
      return undefined;
    case 'rejected':
      return failedAt(
        'Approval',
        `${verdict.by} rejected ${what}${verdict.why === '' ? '' : `: ${verdict.why}`}; nothing was run`,
        recordRefusal(verdict.by, seen.object, seen.settings, now),
      );
    case 'expired':
    case 'void':
      return failedAt('Approval', `${what} was not run: ${verdict.why}`);
    default:
      return assertNever(verdict);
  }
}
