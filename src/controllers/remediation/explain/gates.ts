import { countAlerts } from '../end/alerts-resolved.ts';
import { targetTextOf } from '../request-target.ts';
import type { Condition } from '../../../api/meta.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, parseTime, toTime } from '../../../base/index.ts';
import type { ApprovalVerdict } from '../../approval/index.ts';
import { skipFor } from '../../execution/history/index.ts';
import type { Freshness } from '../../target/index.ts';
import type { DryRun } from '../plan/dry-run.ts';
import { CHECK_ORDER, type CheckVerdict } from '../routing/index.ts';
import type { ExplainSeen, ExplainedGate } from './explanation.ts';

/** Every gate on the way to an execution, in the order in which they are met. */
export function gatesOf(seen: ExplainSeen): readonly ExplainedGate[] {
  const { request, verdicts = [], dryRun, freshness, execution, unreadable = {} } = seen;
  const gates = [
    healedGate(seen),
    dryRunGate(dryRun),
    ...CHECK_ORDER.map((check) => checkGate(check, verdicts)),
    approvalGate(seen),
    stalenessGate(freshness),
    blockGate(seen),
    budgetGate(execution),
  ];
  return gates.map((gate) => unknownIf(unreadable[gate.name], recordedIf(request, passedIf(request, gate))));
}

/** A recorded block lasts until it ends, also where its check would pass by now. */
function recordedIf({ status }: RemediationRequest, gate: ExplainedGate): ExplainedGate {
  if (status?.overallPhase !== 'Blocked' || status.blockReason !== gate.name || gate.state !== 'open') return gate;
  const until = parseTime(status.blockedUntil);
  return { ...gate, state: 'closed', message: status.blockMessage ?? 'it is blocked', ...(until !== undefined && { until }) };
}

const unknownIf = (reason: string | undefined, gate: ExplainedGate): ExplainedGate =>
  reason === undefined ? gate : { name: gate.name, state: 'unknown', inputs: {}, message: reason };

/** The gates that the execution itself checks when it starts. */
export const AT_THE_START: readonly ExplainedGate['name'][] = ['TargetBlock', 'Budget'];

/** An execution is recorded only after every earlier gate let the request pass: what those gates say now no longer matters. */
function passedIf({ status }: RemediationRequest, gate: ExplainedGate): ExplainedGate {
  if (!status?.workflowExecutionRef || AT_THE_START.includes(gate.name)) return gate;
  if (gate.name === 'Approval') return gate.state === 'ahead' ? { ...gate, state: 'open', message: 'not required' } : gate;
  const { executingStartTime } = status;
  return { name: gate.name, state: 'open', inputs: {}, message: executingStartTime ? `passed at ${executingStartTime}` : 'passed' };
}

/** The gate of a check. A check without a verdict comes later. */
function checkGate(name: BlockReason, verdicts: readonly CheckVerdict[]): ExplainedGate {
  const verdict = verdicts.find(({ check }) => check === name);
  if (!verdict) return ahead(name);
  const { inputs } = verdict;
  switch (verdict.kind) {
    case 'pass':
      return { name, state: 'open', inputs };
    case 'unknown':
      return { name, state: 'unknown', inputs, message: verdict.reason };
    case 'block':
      return { name, state: 'closed', inputs, message: verdict.message, ...(verdict.until !== undefined && { until: verdict.until }) };
    default:
      return assertNever(verdict);
  }
}

/** Nothing is run once all alerts have stayed resolved and the target is healthy. */
function healedGate({ request, resolved }: ExplainSeen): ExplainedGate {
  const name = 'Healed';
  const inputs = countAlerts(request);
  if (!resolved) return { name, state: 'open', inputs };
  const { grace, health } = resolved;
  const since = `no alert has fired since ${toTime(grace.since)}`;
  if (!health)
    return {
      name,
      state: 'open',
      inputs,
      message: `${since}: it ends if none fires until then and its target is healthy`,
      until: grace.endsAt,
    };
  if (health.kind === 'healthy' || health.kind === 'gone')
    return { name, state: 'closed', inputs, message: `${since}, and ${health.message}: nothing needs to be run` };
  return { name, state: 'open', inputs, message: `${since}, but ${health.message}: it continues` };
}

function dryRunGate(dryRun: DryRun | undefined): ExplainedGate {
  const name = 'DryRun';
  if (!dryRun) return ahead(name);
  switch (dryRun.kind) {
    case 'no':
      return { name, state: 'open', inputs: {} };
    case 'yes':
      return { name, state: 'closed', inputs: {}, message: `nothing is run: dry run, set by ${dryRun.by}` };
    case 'unreadable':
      return { name, state: 'unknown', inputs: {}, message: 'the namespace of the target or the workflow cannot be read' };
    default:
      return assertNever(dryRun);
  }
}

function approvalGate({ approval, answer }: ExplainSeen): ExplainedGate {
  const name = 'Approval';
  if (!approval) return ahead(name);
  const { spec, metadata } = approval;
  const { decision = '', decidedBy, decisionMessage } = approval.status ?? {};
  const asked = { request: metadata.name, requiredBy: spec.requiredBy };
  if (decision === '') {
    const until = parseTime(spec.requiredBy);
    return { name, state: 'closed', inputs: asked, message: spec.whyApprovalRequired, ...(until !== undefined && { until }) };
  }
  const inputs = { ...asked, decision, decidedBy: decidedBy ?? 'an unknown user' };
  if (decision === 'Approved') return { name, inputs, ...worthOf(answer) };
  return { name, state: 'closed', inputs, message: decisionMessage ?? `it was ${decision.toLowerCase()}` };
}

/** The state of the Approval gate for an approval, which does not always count. */
function worthOf(answer: ApprovalVerdict | undefined): Pick<ExplainedGate, 'state' | 'message'> {
  if (answer?.kind === 'void' || answer?.kind === 'expired') return { state: 'closed', message: answer.why };
  return answer?.kind === 'unknown' ? { state: 'unknown', message: answer.reason } : { state: 'open' };
}

/** A plan holds only for the target as it was analysed. */
function stalenessGate(freshness: Freshness | undefined): ExplainedGate {
  const name = 'Staleness';
  if (!freshness) return ahead(name);
  switch (freshness.kind) {
    case 'same':
      return { name, state: 'open', inputs: { target: 'as it was analysed' } };
    case 'unknown':
      return { name, state: 'unknown', inputs: {}, message: freshness.reason };
    case 'stale':
      return { name, state: 'closed', inputs: {}, message: `the target ${freshness.why}: it is analysed again` };
    default:
      return assertNever(freshness);
  }
}

/** A failed run, or too many failed starts, block the target until an operator clears it. */
function blockGate({ block, request }: ExplainSeen): ExplainedGate {
  const name = 'TargetBlock';
  if (!block) return ahead(name);
  if (block.kind === 'unreadable') return { name, state: 'unknown', inputs: {}, message: block.reason };
  const standing = block.value.block;
  if (!standing) return { name, state: 'open', inputs: {} };
  const { name: execution, reason, completedAt: since, keptOn } = standing;
  const inputs = { execution, reason, since, ...(keptOn !== undefined && { keptOn }) };
  return { name, state: 'closed', inputs, message: skipFor(targetTextOf(request), standing).message };
}

/** Whether the execution may start: its Ready condition reports it while it waits. */
function budgetGate(execution: WorkflowExecution | undefined): ExplainedGate {
  const name = 'Budget';
  if (!execution) return ahead(name);
  const { phase = 'Pending', queuePosition, conditions } = execution.status ?? {};
  const inputs = { execution: execution.metadata.name, phase, ...(queuePosition !== undefined && { queuePosition }) };
  const ready = conditions?.find(({ type }) => type === 'Ready');
  if (phase !== 'Pending' || ready?.status !== 'False' || !isAboutBudget(ready)) return { name, state: 'open', inputs };
  return { name, state: 'closed', inputs: { ...inputs, reason: ready.reason }, message: ready.message };
}

/** An execution may wait for other reasons: its lock, its cooldown, or rights that are missing. */
const isAboutBudget = ({ reason }: Pick<Condition, 'reason'>): boolean => reason.includes('Budget');

const ahead = (name: ExplainedGate['name']): ExplainedGate => ({ name, state: 'ahead', inputs: {} });
