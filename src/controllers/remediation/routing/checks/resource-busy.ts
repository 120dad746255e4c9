import { after, type Instant } from '../../../../base/index.ts';
import { targetText } from '../../../target/index.ts';
import type { RoutingEvidence } from '../evidence.ts';
import { isExecutionActive, isOf } from '../execution-state.ts';
import type { CheckVerdict } from '../check-verdict.ts';
import { noPlan, pass, unknown } from './pass.ts';

const CHECK = 'ResourceBusy';

/** Check 5: no other execution may be active on the target. */
export function resourceBusyCheck({ request, planned, routing }: RoutingEvidence, now: Instant): CheckVerdict {
  if (!planned) return noPlan(CHECK);
  const target = targetText(planned.target);
  if (planned.executions.kind === 'unreadable') return unknown(CHECK, planned.executions.reason, { target });
  const active = planned.executions.value.filter((execution) => isExecutionActive(execution) && !isOf(execution, request));
  // The first by name, so that every check names the same one.
  const [first] = active.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const inputs = { target, activeExecutions: active.length };
  if (!first) return pass(CHECK, inputs);
  return {
    kind: 'block',
    check: CHECK,
    inputs,
    message: `WorkflowExecution ${first.metadata.name} works on ${target}: this one waits until it has ended`,
    blocker: { kind: first.kind, name: first.metadata.name },
    lookAgainAt: after(now, routing.requeueResourceBusyMs),
  };
}
