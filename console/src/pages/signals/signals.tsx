import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Signal } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { List, More, type Column } from '../../parts/list.tsx';
import { itemsOf, Loaded, Together } from '../../parts/loaded.tsx';
import type { Look } from '../../parts/looks.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { SeverityTag, Tag } from '../../parts/tag.tsx';
import { Target } from '../../parts/target.tsx';
import { Ago } from '../../parts/time.tsx';
import { VERDICTS, type SignalSearch } from './signal-filters.ts';

const LOOKS: Readonly<Record<Signal['verdict'], Look>> = {
  created: 'success',
  duplicate: 'quiet',
  suppressed: 'quiet',
  'out-of-scope': 'quiet',
  outdated: 'quiet',
  resolved: 'info',
  rejected: 'failure',
  'put-off': 'warning',
};

const COLUMNS: readonly Column<Signal>[] = [
  { name: 'Received', of: ({ at }) => <Ago at={at} /> },
  { name: 'Verdict', of: ({ verdict }) => <Tag look={LOOKS[verdict]}>{verdict}</Tag> },
  {
    name: 'Alert',
    of: ({ name, message }) => (
      <>
        <bdi className="strong">{name}</bdi>
        <div className="dim">{message}</div>
      </>
    ),
  },
  { name: 'Severity', of: ({ severity }) => severity !== undefined && <SeverityTag severity={severity} />, isExtra: true },
  { name: 'Target', of: ({ target }) => target && <Target of={target} />, isExtra: true },
  {
    name: 'Remediation',
    of: ({ remediation }) =>
      remediation !== undefined && (
        <Link to="/remediations/$name" params={{ name: remediation }}>
          {remediation}
        </Link>
      ),
    isExtra: true,
  },
];

/** Every signal that came in, with what was decided about it and why. */
export function Signals() {
  const filters = useSearch({ from: '/signals' });
  const navigate = useNavigate({ from: '/signals' });
  const set = (change: SignalSearch) => void navigate({ replace: true, search: (before) => ({ ...before, ...change }) });
  const list = useInfiniteQuery({ ...queries.signals(filters), placeholderData: keepPreviousData });
  const summary = useQuery(queries.summary());
  return (
    <Together of={[list, summary]} what="the signals">
      <PageHead title="Signals" count={list.data?.pages[0]?.total} />
      <Verdicts onChoose={(verdict) => set({ verdict })} />
      <div className="filters" role="search">
        <SearchField
          label="Search signals"
          placeholder="Search alert and message"
          value={filters.search}
          onChange={(search) => set({ search })}
        />
        <Choice
          name="Verdict"
          data={[...VERDICTS]}
          value={filters.verdict}
          onChange={(verdict) => set({ verdict: verdict as Signal['verdict'] | undefined })}
        />
      </div>
      <Loaded query={list} what="the signals">
        {(data) => <SignalList of={itemsOf(data)} />}
      </Loaded>
      <More list={list} />
    </Together>
  );
}

const SignalList = ({ of }: { readonly of: readonly Signal[] }) =>
  of.length === 0 ? (
    <Empty title="No signal fits.">This process shows the signals that it received since it started.</Empty>
  ) : (
    <List name="Signals" columns={COLUMNS} items={of} keyOf={({ id }) => id} />
  );

/** How many signals there were of each verdict: in a storm most of them are duplicates. */
function Verdicts({ onChoose }: { readonly onChoose: (verdict: Signal['verdict']) => void }) {
  const { data } = useQuery(queries.summary());
  const counts = VERDICTS.map((verdict) => ({ verdict, count: data?.signals[verdict] ?? 0 })).filter(({ count }) => count > 0);
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return (
    <ul className="verdicts" aria-label="Signals by verdict">
      {counts.map(({ verdict, count }) => (
        <li key={verdict}>
          <button type="button" onClick={() => onChoose(verdict)}>
            {verdict}
          </button>
          <progress max={most} value={count} aria-label={`${count} ${verdict}`} />
          <span className="figures">{count}</span>
        </li>
      ))}
    </ul>
  );
}
