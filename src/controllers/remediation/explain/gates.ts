import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { BlockReason } from '../../../api/remediation-request/status.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { assertNever, parseTime } from '../../../base/index.ts';
import type { Freshness } from '../../target/index.ts';
import { CHECK_ORDER, type Verdict } from '../routing/index.ts';
import type { ExplainSeen, Gate } from './explanation.ts';

/** Every gate on the way to an execution, in the order in which they are met. */
export const gatesOf = ({ request, verdicts = [], approval, freshness, execution }: ExplainSeen): readonly Gate[] => [
  healedGate(request),
  ...CHECK_ORDER.map((check) => checkGate(check, verdicts)),
  approvalGate(approval),
  stalenessGate(freshness),
  budgetGate(execution),
];

/** A check that was not asked is one of the later ones. */
function checkGate(name: BlockReason, verdicts: readonly Verdict[]): Gate {
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

/** Nothing is done about what is over already. */
function healedGate({ status }: RemediationRequest): Gate {
  const alerts = status?.deduplication?.alerts ?? [];
  const firing = alerts.filter(({ resolvedAt }) => resolvedAt === undefined).length;
  const inputs = { alerts: alerts.length, firing };
  if (alerts.length === 0 || firing > 0) return { name: 'Healed', state: 'open', inputs };
  return { name: 'Healed', state: 'closed', inputs, message: 'all of its alerts are resolved: nothing needs to be run' };
}

function approvalGate(approval: RemediationApprovalRequest | undefined): Gate {
  const name = 'Approval';
  if (!approval) return ahead(name);
  const { spec, metadata } = approval;
  const { decision = '', decidedBy, decisionMessage } = approval.status ?? {};
  const asked = { request: metadata.name, requiredBy: spec.requiredBy };
  if (decision === '') {
    const message = `${spec.whyApprovalRequired}: approve or reject ${metadata.name} by ${spec.requiredBy}`;
    const until = parseTime(spec.requiredBy);
    return { name, state: 'closed', inputs: asked, message, ...(until !== undefined && { until }) };
  }
  const inputs = { ...asked, decision, decidedBy: decidedBy ?? 'somebody' };
  if (decision === 'Approved') return { name, state: 'open', inputs };
  return { name, state: 'closed', inputs, message: decisionMessage ?? `it was ${decision.toLowerCase()}` };
}

/** A plan holds for the target as it was analysed. */
function stalenessGate(freshness: Freshness | undefined): Gate {
  const name = 'Staleness';
  if (!freshness) return ahead(name);
  switch (freshness.kind) {
    case 'same':
      return { name, state: 'open', inputs: { target: 'as it was analysed' } };
    case 'unknown':
      return { name, state: 'unknown', inputs: {}, message: freshness.reason };
    case 'stale':
      return { name, state: 'closed', inputs: {}, message: `the target ${freshness.why}: it is analysed anew` };
    default:
      return assertNever(freshness);
  }
}

/** Whether the execution may start: it says so itself while it waits. */
function budgetGate(execution: WorkflowExecution | undefined): Gate {
  const name = 'Budget';
  if (!execution) return ahead(name);
  const { phase = 'Pending', queuePosition, conditions } = execution.status ?? {};
  const inputs = { execution: execution.metadata.name, phase, ...(queuePosition !== undefined && { queuePosition }) };
  const ready = conditions?.find(({ type }) => type === 'Ready');
  if (phase !== 'Pending' || ready?.status !== 'False') return { name, state: 'open', inputs };
  return { name, state: 'closed', inputs: { ...inputs, reason: ready.reason }, message: ready.message };
}

const ahead = (name: Gate['name']): Gate => ({ name, state: 'ahead', inputs: {} });
