import { after, type Instant } from '../../../../base/index.ts';
import { targetText } from '../../../target/index.ts';
import type { Evidence } from '../evidence.ts';
import { isAtWork, isOf } from '../execution-state.ts';
import type { Verdict } from '../check-verdict.ts';
import { noPlan, pass, unknown } from './pass.ts';

const CHECK = 'ResourceBusy';

/** Check 5: nothing else may be at work on the target. */
export function resourceBusy({ request, planned, routing }: Evidence, now: Instant): Verdict {
  if (!planned) return noPlan(CHECK);
  const target = targetText(planned.target);
  if (planned.executions.kind === 'unreadable') return unknown(CHECK, planned.executions.reason, { target });
  const active = planned.executions.value.filter((execution) => isAtWork(execution) && !isOf(execution, request));
  // The first by name, so that every look names the same one while it lasts.
  const [first] = active.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const inputs = { target, activeExecutions: active.length };
  if (!first) return pass(CHECK, inputs);
  return {
    kind: 'block',
    check: CHECK,
    inputs,
    message: `WorkflowExecution ${first.metadata.name} is at work on ${target}: this one waits until it is over`,
    blocker: { kind: first.kind, name: first.metadata.name },
    lookAgainAt: after(now, routing.requeueResourceBusyMs),
  };
}
