import { Link } from '@tanstack/react-router';
import type { RemediationSummary } from '../../../src/server/contract/index.ts';
import { SeverityTag, StateTag } from './tag.tsx';
import { Target } from './target.tsx';
import { Ago, Took } from './time.tsx';

/** One remediation, as two lines. */
export const RemediationRow = ({ row }: { readonly row: RemediationSummary }) => (
  <li>
    <Link to="/remediations/$name" params={{ name: row.name }} className="row">
      <span className="row-state">
        <StateTag of={row} />
      </span>
      <span className="row-main">
        <span className="row-title">
          <bdi className="strong">{row.signal.name}</bdi> <Target of={row.target} />
        </span>
        {row.message !== undefined && <span className="row-message">{row.message}</span>}
      </span>
      <span className="row-end">
        <SeverityTag severity={row.severity} />
        <span className="dim">
          {row.completedAt === undefined ? (
            <>
              for <Took from={row.startedAt ?? row.createdAt} to={undefined} />
            </>
          ) : (
            <Ago at={row.completedAt} />
          )}
        </span>
      </span>
    </Link>
  </li>
);
