import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Explanation } from '../../controllers/remediation/explain/index.ts';

/** The approval request for a person: the plan, its confidence, why it needs approval, the deadline, and how to decide. */
export function questionText({ metadata, spec }: RemediationApprovalRequest, { next }: Explanation): readonly string[] {
  const [action] = spec.recommendedActions;
  const [yes, no] = next.commands ?? [];
  return [
    `Approval requested (RemediationApprovalRequest ${metadata.name}):`,
    row('plan', action?.action ?? `run ${spec.recommendedWorkflow.workflowId}`),
    row('cause', spec.investigationSummary),
    row('confidence', `${spec.confidence.toFixed(2)} (${spec.confidenceLevel})`),
    row('why', spec.whyApprovalRequired),
    row('until', spec.requiredBy),
    ...(yes === undefined ? [] : [row('yes', yes)]),
    ...(no === undefined ? [] : [row('no', no)]),
  ];
}

/** An explanation in a few lines: what blocks it, what comes next, and the state of the gates. */
export function inShort({ name, namespace, blocker, next, gates }: Explanation): readonly string[] {
  const asked = gates.filter(({ state }) => state !== 'ahead');
  const shut = asked.filter(({ state }) => state !== 'open');
  return [
    `sickbay explain ${name} -n ${namespace}   (in short)`,
    ...(blocker ? [row('held by', blocker.gate)] : []),
    row('next', next.what),
    row('gates', [`${asked.length - shut.length} of ${asked.length} open`, ...shut.map((gate) => `${gate.name} ${gate.state}`)].join(', ')),
  ];
}

const row = (label: string, text: string): string => `  ${label.padEnd(10)} ${text}`;
