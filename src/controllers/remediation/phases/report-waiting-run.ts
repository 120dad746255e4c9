import type { Condition } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, parseTime } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { describeTarget } from '../../plan/remediation-plan.ts';
import { notify } from '../notifications/notify.ts';
import { reportedWait } from '../run-waits.ts';
import { ready, stayInPhase, type RemediationStatus } from '../status.ts';
import type { Waiting } from './await-child.ts';

/** Waits of seconds are usual, and nothing to notify people of. */
const NOTIFIED_AFTER_MS = MINUTE;

/** What is said of a wait whose own message changes with the place in the queue. */
const STABLE: Readonly<Record<string, string>> = {
  WaitingForBudget: 'the budget is used up',
  BudgetPaused: 'starts are paused (budget.paused)',
};

/**
 * Says in status that the run has not started, and why, instead of "running"; says "running" again once it has. One notification reports a
 * wait that lasts. Undefined where no wait is to be reported or withdrawn.
 */
export function reportWaitingRun({ status }: WorkflowExecution, waiting: Waiting): Decision | undefined {
  const { object } = waiting.seen;
  // The deadline ends the phase, with a message of its own.
  if (waiting.now >= waiting.deadline.at) return undefined;
  const wait = status?.phase === 'Running' ? undefined : reportedWait(status?.conditions);
  const reported = reportedWait(object.status?.conditions);
  if (wait) return report(wait, reported, waiting);
  return reported && stay(waiting, { reason: 'Executing', message: `running ${runText(object.status)}, which had to wait` });
}

function report(wait: Condition, reported: Condition | undefined, waiting: Waiting): Decision {
  const { seen, now } = waiting;
  const { metadata, status } = seen.object;
  const why = STABLE[wait.reason] ?? wait.message;
  const message = `${runText(status)} has not started: ${why}. It starts by itself once it may (sickbay explain ${metadata.name})`;
  const since = parseTime(status?.executingStartTime) ?? now;
  const decision = stay(waiting, { reason: wait.reason, message });
  const isDue = reported !== undefined && now >= after(since, NOTIFIED_AFTER_MS);
  return isDue ? { ...decision, effects: notify(seen).effects } : decision;
}

const stay = ({ seen: { object }, now, deadline }: Waiting, said: Pick<Condition, 'reason' | 'message'>): Decision =>
  stayInPhase(
    object,
    { now, deadline: deadline.at },
    { status: { message: said.message, conditions: ready(object, { status: 'Unknown', ...said }, now) } },
  );

const runText = ({ workflowDisplayName = 'the workflow', remediationTarget }: RemediationStatus = {}): string =>
  remediationTarget === undefined ? workflowDisplayName : `${workflowDisplayName} on ${describeTarget(remediationTarget)}`;
