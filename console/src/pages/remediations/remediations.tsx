import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RemediationSummary } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { outcomeChoices } from '../../parts/looks.ts';
import { itemsOf, Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty } from '../../parts/states.tsx';
import type { ListSearch } from './filters.ts';
import { RemediationTable } from './remediation-table.tsx';

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'attention', label: 'Need you' },
  { value: 'active', label: 'Open' },
  { value: 'finished', label: 'Ended' },
];
const SEVERITIES = ['critical', 'high', 'warning', 'medium', 'low', 'info', 'unknown'];
/** All remediations, with filters that stand in the address. */
export function Remediations() {
  const filters = useSearch({ from: '/remediations' });
  const list = useInfiniteQuery({ ...queries.remediations(filters), placeholderData: keepPreviousData });
  return (
    <>
      <PageHead title="Remediations" count={list.data?.pages[0]?.total} />
      <Filters of={filters} />
      <Loaded query={list} what="remediations">
        {(data) => <Rows of={itemsOf(data)} list={list} filters={filters} />}
      </Loaded>
    </>
  );
}

interface RowsProps {
  readonly of: readonly RemediationSummary[];
  readonly list: Pick<UseInfiniteQueryResult, 'isPlaceholderData' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  readonly filters: ListSearch;
}

function Rows({ of, list, filters }: RowsProps) {
  if (of.length === 0) return <NoRows filters={filters} />;
  const readOn = () => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
  };
  return <RemediationTable rows={of} sort={filters.sort ?? '-created'} isOld={list.isPlaceholderData} onEnd={readOn} />;
}

function NoRows({ filters }: { readonly filters: ListSearch }) {
  const isFiltered = Object.keys(filters).some((key) => key !== 'sort');
  if (isFiltered) return <Empty title="No remediation fits these filters." />;
  return (
    <Empty title="There are no remediations yet.">
      They appear here as soon as an alert, an Event or an unhealthy Machine comes in. To try it: <code>npm start -- --demo</code>
    </Empty>
  );
}

/** Sets some of the filters; undefined takes one away. */
type Change = { readonly [K in keyof ListSearch]?: ListSearch[K] | undefined };

function useFilters(): (change: Change) => void {
  const navigate = useNavigate({ from: '/remediations' });
  return (change) =>
    void navigate({
      replace: true,
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)) as ListSearch,
    });
}

function Filters({ of }: { readonly of: ListSearch }) {
  const set = useFilters();
  return (
    <div className="filters" role="search">
      <SegmentedControl
        size="xs"
        aria-label="State"
        data={STATES}
        value={of.state ?? 'all'}
        onChange={(value) => set({ state: value === 'all' ? undefined : (value as ListSearch['state']) })}
      />
      <SearchField
        label="Search remediations"
        placeholder="Search name, alert, target, workflow, message"
        value={of.search}
        onChange={(search) => set({ search })}
      />
      <Choice name="Severity" data={SEVERITIES} value={of.severity} onChange={(severity) => set({ severity })} />
      <Choice name="Outcome" data={outcomeChoices} value={of.outcome} onChange={(outcome) => set({ outcome })} />
    </div>
  );
}
