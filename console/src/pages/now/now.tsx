import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { millisecondsOf, useNow } from '../../clock.ts';
import { queries } from '../../data/queries.ts';
import { Panel } from '../../parts/panel.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { Figures } from './figures.tsx';
import { RemediationRow } from './remediation-row.tsx';
import { WaitingRow } from './waiting-row.tsx';

const DAY_MS = 86_400_000;

/** What needs a person first, then what runs, then what ended today. */
export const Now = () => (
  <>
    <h1 className="hidden">Now</h1>
    <Figures />
    <Waiting />
    <Running />
    <EndedToday />
  </>
);

/** Approvals with their limit, blocks, and reviews. */
function Waiting() {
  const { rows, total, state } = useRemediations('attention');
  const { data: approvals } = useQuery(queries.approvals());
  if (!rows) return <Panel title="Needs you">{state}</Panel>;
  const limits = new Map(approvals?.items.map(({ remediation, requiredBy }) => [remediation, requiredBy]));
  const sorted = rows.toSorted((a, b) => rankOf(a, limits) - rankOf(b, limits));
  return (
    <Panel title="Needs you" aside={total > 0 && `${total}`}>
      {rows.length === 0 ? (
        <Empty title="Nothing waits for a person." />
      ) : (
        <ul className="rows">
          {sorted.map((row) => (
            <WaitingRow key={row.name} row={row} limit={limits.get(row.name)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Approvals come first, those that expire first at the top; then reviews, then blocks. */
function rankOf({ name, attention }: RemediationSummary, limits: ReadonlyMap<string, string>): number {
  const limit = limits.get(name);
  if (attention === 'approval' && limit !== undefined) return millisecondsOf(limit);
  return attention === 'review' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
}

function Running() {
  const { rows, state } = useRemediations('active');
  const running = rows?.filter(({ attention }) => attention === 'none');
  return (
    <Panel title="Running" aside={running && running.length > 0 && `${running.length}`}>
      {running ? <Rows rows={running} empty={<Quiet />} /> : state}
    </Panel>
  );
}

function EndedToday() {
  const { rows, state } = useRemediations('finished');
  const now = useNow();
  const ended = rows
    ?.filter(
      ({ completedAt, attention }) => attention === 'none' && completedAt !== undefined && now - millisecondsOf(completedAt) < DAY_MS,
    )
    .toSorted((a, b) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? 1 : -1));
  return (
    <Panel
      title="Ended in the last 24 hours"
      aside={
        <Link to="/remediations" search={{ state: 'finished' }}>
          all that ended
        </Link>
      }
    >
      {ended ? <Rows rows={ended.slice(0, 50)} empty={<Empty title="Nothing ended in the last 24 hours." />} /> : state}
    </Panel>
  );
}

const Quiet = () => <Empty title="Nothing is being remediated.">Sickbay waits for alerts, Events and unhealthy Machines.</Empty>;

function Rows({ rows, empty }: { readonly rows: readonly RemediationSummary[]; readonly empty: React.ReactNode }) {
  if (rows.length === 0) return empty;
  return (
    <ul className="rows">
      {rows.map((row) => (
        <RemediationRow key={row.name} row={row} />
      ))}
    </ul>
  );
}

/** The first rows of a state, or what is shown while there are none. */
function useRemediations(of: 'attention' | 'active' | 'finished') {
  const { data, error, refetch } = useInfiniteQuery(queries.remediations({ state: of }));
  const rows = data?.pages.flatMap(({ items }) => items);
  const total = data?.pages[0]?.total ?? 0;
  return { rows, total, state: error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="remediations" /> };
}
