import type { Approval as ApprovalView } from '../../../../src/server/contract/index.ts';
import { useSession } from '../../app/session.tsx';
import { Diff } from '../../parts/diff.tsx';
import { Command } from '../../parts/command.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Target } from '../../parts/target.tsx';
import { Ago, Countdown } from '../../parts/time.tsx';
import { DecisionForm } from './decision-form.tsx';

/** The plan that needs a decision, or the decision about it. */
export const Approval = ({ of }: { readonly of: ApprovalView }) => (of.state === 'Pending' ? <Pending of={of} /> : <Decided of={of} />);

function Pending({ of }: { readonly of: ApprovalView }) {
  const { may, user } = useSession();
  return (
    <Panel title="Approve or reject this plan" id="approval" aside={<Countdown at={of.requiredBy} />}>
      <p className="lead">{of.finding}</p>
      <Facts
        of={[
          ['Would run', `${of.workflow} ${of.workflowVersion}`],
          ['On', of.target && <Target of={of.target} />],
          ...Object.entries(of.parameters).map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
          ['Why this workflow', of.rationale],
          ['Why it needs approval', of.why],
          ['Confidence', `${Math.round(of.confidence * 100)} % (${of.confidenceLevel})`],
          ['Policy', of.policy && [of.policy.name, ...of.policy.rules].join(', ')],
        ]}
      />
      {of.diff !== undefined && <Diff text={of.diff} />}
      {may.decide ? (
        <DecisionForm of={of} />
      ) : (
        <>
          <p className="dim">
            <bdi>{user}</bdi> may not decide. An approver can (a user who may update the status of RemediationApprovalRequests), here or
            with
          </p>
          <Command text={`sickbay approve ${of.remediation}`} />
        </>
      )}
    </Panel>
  );
}

const TITLES: Readonly<Record<Exclude<ApprovalView['state'], 'Pending'>, string>> = {
  Approved: 'Approved',
  Rejected: 'Rejected',
  Expired: 'The approval expired undecided',
  Closed: 'No approval is needed any more',
};

const Decided = ({ of: { state, message, decision, planDigest } }: { readonly of: ApprovalView }) => (
  <Panel title={state === 'Pending' ? '' : TITLES[state]} id="approval">
    {message !== undefined && <p>{message}</p>}
    {decision && (
      <Facts
        of={[
          ['By', <bdi key="by">{decision.by}</bdi>],
          ['When', decision.at !== undefined && <Ago at={decision.at} />],
          ['Forwarded by', decision.via],
          ['Comment', decision.comment],
          ['Other workflow', decision.override?.workflow],
          ['Other parameters', decision.override?.parameters && parametersText(decision.override.parameters)],
          ['Digest of the plan', planDigest !== undefined && <code>{planDigest}</code>],
        ]}
      />
    )}
  </Panel>
);

const parametersText = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
