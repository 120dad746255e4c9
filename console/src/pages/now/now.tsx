import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { millisecondsOf, useNow } from '../../clock.ts';
import { queries } from '../../data/queries.ts';
import { itemsOf, Loaded, Together } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Empty } from '../../parts/states.tsx';
import { Figures } from './figures.tsx';
import { RemediationRow } from '../../parts/remediation-row.tsx';
import { WaitingRow } from './waiting-row.tsx';

const DAY_MS = 86_400_000;

/** More are a list, which has a page of its own. */
const MOST_ENDED = 50;

/** What needs a person first, then what runs, then what ended today. */
export function Now() {
  const lists = [
    useInfiniteQuery(queries.remediations({ state: 'attention' })),
    useInfiniteQuery(queries.remediations({ state: 'active' })),
    useInfiniteQuery(queries.remediations({ state: 'finished' })),
  ];
  return (
    <>
      <h1 className="hidden">Now</h1>
      <Figures />
      <Together of={lists} what="what is going on">
        <Waiting />
        <Running />
        <EndedToday />
      </Together>
    </>
  );
}

/** Approvals with their limit, blocks, and reviews. */
function Waiting() {
  const list = useInfiniteQuery(queries.remediations({ state: 'attention' }));
  const { data: approvals } = useQuery(queries.approvals());
  const limits = new Map(approvals?.items.map(({ remediation, requiredBy }) => [remediation, requiredBy]));
  const total = list.data?.pages[0]?.total;
  return (
    <Panel title="Needs you" aside={total !== 0 && total}>
      <Loaded query={list} what="what waits for you">
        {(data) => <WaitingRows of={itemsOf(data).toSorted((a, b) => rankOf(a, limits) - rankOf(b, limits))} limits={limits} />}
      </Loaded>
    </Panel>
  );
}

/** The limits of approvals, by remediation. */
type Limits = ReadonlyMap<string, string>;

const WaitingRows = ({ of, limits }: { readonly of: readonly RemediationSummary[]; readonly limits: Limits }) =>
  of.length === 0 ? (
    <Empty title="Nothing waits for a person." />
  ) : (
    <ul className="rows">
      {of.map((row) => (
        <WaitingRow key={row.name} row={row} limit={limits.get(row.name)} />
      ))}
    </ul>
  );

/** Approvals come first, those that expire first at the top; then reviews, then blocks. */
function rankOf({ name, attention }: RemediationSummary, limits: Limits): number {
  const limit = limits.get(name);
  if (attention === 'approval' && limit !== undefined) return millisecondsOf(limit);
  return attention === 'review' ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER;
}

function Running() {
  const list = useInfiniteQuery(queries.remediations({ state: 'active' }));
  return (
    <Panel title="Running">
      <Loaded query={list} what="what runs">
        {(data) => <Rows rows={itemsOf(data).filter(({ attention }) => attention === 'none')} empty={<Quiet />} />}
      </Loaded>
    </Panel>
  );
}

function EndedToday() {
  const list = useInfiniteQuery(queries.remediations({ state: 'finished' }));
  const now = useNow();
  return (
    <Panel
      title="Ended in the last 24 hours"
      aside={
        <Link to="/remediations" search={{ state: 'finished' }}>
          all that ended
        </Link>
      }
    >
      <Loaded query={list} what="what ended">
        {(data) => <Rows rows={endedSince(itemsOf(data), now - DAY_MS)} empty={<Empty title="Nothing ended in the last 24 hours." />} />}
      </Loaded>
    </Panel>
  );
}

/** What ended since then and waits for no person, the last first. */
const endedSince = (rows: readonly RemediationSummary[], since: number): readonly RemediationSummary[] =>
  rows
    .filter(({ completedAt, attention }) => attention === 'none' && completedAt !== undefined && millisecondsOf(completedAt) > since)
    .toSorted((a, b) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? 1 : -1))
    .slice(0, MOST_ENDED);

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
