import { assertNever, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { approvalOf, followNo, followYes, heldBack, verdictOn } from '../plan/request-approval-or-execute.ts';
import { childOf } from '../children/read-child.ts';
import { end, failed } from '../end/end-request.ts';
import type { Waiting } from './await-child.ts';
import { tell } from '../notifications/notify.ts';
import type { RemediationSeen } from '../observe.ts';
import { planOf, type RemediationPlan } from '../../plan/remediation-plan.ts';
import { stay } from '../status.ts';
import { deadlineIn, timedOut } from '../timeouts.ts';

/** Waits for a person. Nothing is run on silence, and a yes is followed only as long as everything else still lets it through. */
export function decideAwaitingApproval(seen: RemediationSeen, now: Instant): Decision {
  const { object, settings } = seen;
  const waiting: Waiting = { seen, phase: 'AwaitingApproval', deadline: deadlineIn('AwaitingApproval', object, settings), now };
  const approval = approvalOf(seen);
  switch (approval.kind) {
    case 'unknown':
      return stay(object, { now });
    case 'none':
    case 'lost':
    case 'leftOver':
    case 'foreign':
      return end(
        seen,
        failed('Approval', 'the RemediationApprovalRequest on record was deleted before anybody decided: nothing was run'),
        now,
      );
    case 'ours':
      return followAnswer(waiting, approval.object);
    default:
      return assertNever(approval);
  }
}

function followAnswer(waiting: Waiting, approval: Parameters<typeof verdictOn>[0]): Decision {
  const { seen, now } = waiting;
  const source = childOf(seen.analysis, { owner: seen.object, recordedUid: seen.object.status?.aiAnalysisRef?.uid });
  if (source.kind === 'unknown') return stay(seen.object, { now });
  const plan = source.kind === 'ours' ? planOf(source.object) : undefined;
  if (!plan) return end(seen, failed('Approval', 'the analysis that approval was asked for was deleted: nothing was run'), now);
  const verdict = verdictOn(approval, plan, seen, now);
  if (verdict.kind === 'approved') return followedThrough(waiting, verdict, plan);
  const ending = followNo(verdict, plan);
  return ending ? end(seen, ending, now) : wait(waiting);
}

function followedThrough(waiting: Waiting, verdict: Parameters<typeof followYes>[0], plan: RemediationPlan): Decision {
  const held = heldBack(plan, waiting);
  const next = held === 'free' ? followYes(verdict, waiting) : held;
  return next ?? wait(waiting);
}

/** Until somebody decides, or time runs out; people are told that they are asked. */
function wait({ seen, now, deadline }: Waiting): Decision {
  const { object } = seen;
  if (now >= deadline.at) return end(seen, timedOut('AwaitingApproval', deadline, 'nobody decided; nothing was run'), now);
  return stay(object, { now, deadline: deadline.at }, { effects: tell(seen).effects });
}
