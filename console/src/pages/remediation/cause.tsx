import type { Remediation, ResourceRef } from '../../../../src/server/contract/index.ts';
import { Panel } from '../../parts/panel.tsx';
import { Target } from '../../parts/target.tsx';

type Analysis = NonNullable<Remediation['analysis']>;

/** What was found, and what the finding rests on. */
export const Cause = ({ of, cause }: { readonly of: Analysis; readonly cause: ResourceRef | undefined }) => (
  <Panel title="Cause" aside={of.completedAt === undefined && of.phase}>
    <p className="lead">{of.cause ?? of.summary ?? of.message ?? 'The analysis has not found a cause yet.'}</p>
    {cause && (
      <p>
        <Target of={cause} />
      </p>
    )}
    {of.needsReview && <p className="blocker">A person has to review it: {of.reviewReason}</p>}
    <Lines title="Contributing factors" of={of.factors.filter((factor) => !of.evidence.includes(factor))} />
    <Evidence of={of.evidence} />
    <Lines title="Warnings" of={of.warnings} />
    {of.alternatives.length > 0 && (
      <details>
        <summary>What was considered as well</summary>
        <dl className="stack">
          {of.alternatives.map(({ what, why }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd className="dim">{why}</dd>
            </div>
          ))}
        </dl>
      </details>
    )}
  </Panel>
);

function Evidence({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return undefined;
  return (
    <>
      <h3>Evidence</h3>
      <ul className="evidence">
        {of.map((line) => (
          <li key={line}>
            <code>{line}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

function Lines({ title, of }: { readonly title: string; readonly of: readonly string[] }) {
  if (of.length === 0) return undefined;
  return (
    <>
      <h3>{title}</h3>
      <ul className="lines">
        {of.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
