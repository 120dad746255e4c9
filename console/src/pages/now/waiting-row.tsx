import { Link } from '@tanstack/react-router';
import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { SeverityTag, Tag } from '../../parts/tag.tsx';
import { Target } from '../../parts/target.tsx';
import { Ago, Countdown } from '../../parts/time.tsx';

const WORDS = { approval: 'Approve or reject', review: 'Review', blocked: 'Blocked', none: '' } as const;

/** One remediation that waits for a person: what has to be done, until when. */
export const WaitingRow = ({ row, limit }: { readonly row: RemediationSummary; readonly limit: string | undefined }) => (
  <li>
    <Link to="/remediations/$name" params={{ name: row.name }} className="row" data-attention={row.attention}>
      <span className="row-state">
        <Tag look="warning">{WORDS[row.attention]}</Tag>
      </span>
      <span className="row-main">
        <span className="row-title">
          <bdi className="strong">{row.signal.name}</bdi> <Target of={row.target} />
          {row.workflow !== undefined && <span className="dim"> → {row.workflow}</span>}
        </span>
        {row.message !== undefined && <span className="row-message">{row.message}</span>}
      </span>
      <span className="row-end">
        <SeverityTag severity={row.severity} />
        <Waits row={row} limit={limit} />
      </span>
    </Link>
  </li>
);

function Waits({ row, limit }: { readonly row: RemediationSummary; readonly limit: string | undefined }) {
  if (limit !== undefined) return <Countdown at={limit} />;
  const { blockedUntil, completedAt, createdAt } = row;
  return (
    <span className="dim">
      {blockedUntil === undefined ? (
        <Ago at={completedAt ?? createdAt} />
      ) : (
        <>
          until <Ago at={blockedUntil} />
        </>
      )}
    </span>
  );
}
