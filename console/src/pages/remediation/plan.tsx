import type { Remediation } from '../../../../src/server/contract/index.ts';
import { Diff } from '../../parts/diff.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Target } from '../../parts/target.tsx';

type RemediationPlan = NonNullable<Remediation['plan']>;

/** What is to be run, and what it changes. */
export const Plan = ({ of }: { readonly of: RemediationPlan }) => (
  <Panel title="Plan" aside={`${Math.round(of.confidence * 100)} % sure`}>
    <p className="lead">
      <bdi className="strong">{of.workflow}</bdi> <span className="dim">{of.version}</span>
    </p>
    <p>{of.rationale}</p>
    <Facts
      of={[
        ['Changes', of.target && <Target of={of.target} />],
        ['Action', of.actionType],
        ['Engine', of.engine],
        ['Runs as', of.serviceAccount],
        ...Object.entries(of.parameters).map(([name, value]) => [name, <code key={name}>{value}</code>] as const),
        ['Bundle', <code key="bundle">{of.bundle}</code>],
        ['Digest of the plan', of.digest !== undefined && <code>{of.digest}</code>],
      ]}
    />
    {of.diff !== undefined && <Diff text={of.diff} />}
  </Panel>
);
