import { after, toTime, type Instant } from '../../../../base/index.ts';
import { targetText } from '../../../target/index.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { endOfRun, mayHaveActed, isOf } from '../execution-state.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { noPlan, pass, unknown } from './pass.ts';

const CHECK = 'RecentlyRemediated';

/** Check 6: the same workflow is not run on the same target again within the cooldown, whether it succeeded or not. An undo is exempt. */
export function recentlyRemediatedCheck({ request, planned, routing }: RoutingEvidence, now: Instant): CheckVerdict {
  if (!planned || planned.workflowId === '') return noPlan(CHECK);
  const { workflowId, executions } = planned;
  const target = targetText(planned.target);
  if (request.spec.undoOf) return pass(CHECK, { target, workflowId, undoOf: request.spec.undoOf.name });
  if (executions.kind === 'unreadable') return unknown(CHECK, executions.reason, { target, workflowId });
  const [last] = executions.value
    .filter((execution) => execution.spec.workflowRef.workflowId === workflowId && mayHaveActed(execution) && !isOf(execution, request))
    .toSorted((a, b) => endOfRun(b) - endOfRun(a) || (a.metadata.name < b.metadata.name ? -1 : 1));
  if (!last) return pass(CHECK, { target, workflowId });
  const inputs = { target, workflowId, lastRun: last.metadata.name, lastRunEnded: toTime(endOfRun(last)) };
  const until = after(endOfRun(last), routing.recentlyRemediatedCooldownMs);
  if (until <= now) return pass(CHECK, inputs);
  return {
    kind: 'block',
    check: CHECK,
    inputs,
    message: `${last.metadata.name} ran the same workflow on ${target} at ${toTime(endOfRun(last))}: not again before ${toTime(until)}`,
    blocker: { kind: last.kind, name: last.metadata.name },
    until,
    lookAgainAt: until,
  };
}
