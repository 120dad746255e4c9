import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import type { Explanation } from '../../controllers/remediation/explain/index.ts';

/** What a person is asked: what would be done to what, how sure that is, why nobody does it without them, until when, and how to answer. */
export function questionText({ metadata, spec }: RemediationApprovalRequest, { next }: Explanation): readonly string[] {
  const [action] = spec.recommendedActions;
  const [yes, no] = next.commands ?? [];
  return [
    `A person is asked (RemediationApprovalRequest ${metadata.name}):`,
    row('plan', action?.action ?? `run ${spec.recommendedWorkflow.workflowId}`),
    row('cause', spec.investigationSummary),
    row('confident', `${spec.confidence.toFixed(2)} (${spec.confidenceLevel})`),
    row('why', spec.whyApprovalRequired),
    row('until', spec.requiredBy),
    ...(yes === undefined ? [] : [row('yes', yes)]),
    ...(no === undefined ? [] : [row('no', no)]),
  ];
}

/** An explanation in a few lines: what holds it up, what comes next, and how the gates stand. */
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

const row = (label: string, text: string): string => `  ${label.padEnd(9)} ${text}`;
