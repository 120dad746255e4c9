import { Link, useNavigate } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { SeverityTag, StateTag } from '../../parts/tag.tsx';
import { Target } from '../../parts/target.tsx';
import { Ago } from '../../parts/time.tsx';
import type { ListSearch } from './filters.ts';

/** Every row is as high as the others, so that the list can be scrolled to any of them at once. */
const ROW_HEIGHT = 44;

/** The next page is read when the last row is this near. */
const AHEAD = 120;

interface TableProps {
  readonly rows: readonly RemediationSummary[];
  readonly sort: NonNullable<ListSearch['sort']>;
  /** What is shown belongs to the filters before. */
  readonly isOld: boolean;
  readonly onEnd: () => void;
}

/** A long list: only the rows in view are in the page. */
export function RemediationTable({ rows, sort, isOld, onEnd }: TableProps) {
  const body = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) onEnd();
  });
  return (
    <div role="table" aria-label="Remediations" aria-rowcount={rows.length} className="table" data-old={isOld || undefined}>
      <Head sort={sort} />
      <div ref={body} role="rowgroup" className="table-body" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          return row && <Row key={row.uid} row={row} index={index} top={start - virtual.options.scrollMargin} />;
        })}
      </div>
    </div>
  );
}

const COLUMNS = [
  { name: 'State', by: 'phase' },
  { name: 'Severity', by: 'severity' },
  { name: 'Alert', by: 'signal' },
  { name: 'Target', by: 'target' },
  { name: 'Workflow', by: undefined },
  { name: 'Opened', by: 'created' },
] as const;

function Head({ sort }: { readonly sort: string }) {
  const navigate = useNavigate({ from: '/remediations' });
  return (
    <div role="rowgroup">
      <div role="row" className="table-row table-head">
        {COLUMNS.map(({ name, by }) => (
          <div key={name} role="columnheader" aria-sort={by === undefined ? undefined : directionOf(sort, by)}>
            {by === undefined ? (
              name
            ) : (
              <button
                type="button"
                onClick={() =>
                  void navigate({ replace: true, search: (before) => ({ ...before, sort: sort === `-${by}` ? by : `-${by}` }) })
                }
              >
                {name}
                {ARROWS[directionOf(sort, by)]}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const ARROWS = { ascending: ' ↑', descending: ' ↓', none: '' } as const;

function directionOf(sort: string, by: string): keyof typeof ARROWS {
  if (sort === by) return 'ascending';
  return sort === `-${by}` ? 'descending' : 'none';
}

function Row({ row, index, top }: { readonly row: RemediationSummary; readonly index: number; readonly top: number }) {
  return (
    <div role="row" aria-rowindex={index + 1} className="table-row" style={{ transform: `translateY(${top}px)` }}>
      <div role="cell">
        <StateTag of={row} />
      </div>
      <div role="cell">
        <SeverityTag severity={row.severity} />
      </div>
      <div role="cell">
        <Link to="/remediations/$name" params={{ name: row.name }} className="row-link">
          <bdi>{row.signal.name}</bdi>
        </Link>
      </div>
      <div role="cell">
        <Target of={row.target} />
      </div>
      <div role="cell" className="dim">
        {row.workflow}
      </div>
      <div role="cell" className="dim figures">
        <Ago at={row.createdAt} />
      </div>
    </div>
  );
}
