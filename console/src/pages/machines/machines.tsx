import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { MachineCheck } from '../../../../src/server/contract/index.ts';
import { useSession } from '../../app/session.tsx';
import { queries } from '../../data/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { itemsOf, Loaded, Together } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { Check } from './check.tsx';
import { MachineGrid } from './machine-grid.tsx';
import { HEALTH, type MachineSearch } from './machine-filters.ts';

/** Machine health: every check with its gate, and every Machine. */
export function Machines() {
  const { may, user } = useSession();
  if (may.readMachines) return <Whole />;
  return (
    <Empty title="You may not see Machines.">
      <bdi>{user}</bdi> needs the right to list Machines (cluster.x-k8s.io) in all namespaces.
    </Empty>
  );
}

function Whole() {
  const filters = useSearch({ from: '/machines' });
  const navigate = useNavigate({ from: '/machines' });
  const set = (change: MachineSearch) => void navigate({ replace: true, search: (before) => ({ ...before, ...change }) });
  const parts = [
    useInfiniteQuery(queries.machineChecks()),
    useInfiniteQuery({ ...queries.machines(filters), placeholderData: keepPreviousData }),
  ];
  return (
    <Together of={parts} what="the Machines and their checks">
      <PageHead title="Machines" />
      <Checks />
      <div className="filters" role="search">
        <SearchField
          label="Search Machines"
          placeholder="Search Machine and Node"
          value={filters.search}
          onChange={(search) => set({ search })}
        />
        <Choice
          name="Health"
          data={[...HEALTH]}
          value={filters.healthy}
          onChange={(healthy) => set({ healthy: healthy as MachineSearch['healthy'] })}
        />
      </div>
      <Grid filters={filters} />
    </Together>
  );
}

function Checks() {
  const list = useInfiniteQuery(queries.machineChecks());
  return (
    <Panel title="Health checks" aside={list.data?.pages[0]?.total}>
      <Loaded query={list} what="the checks">
        {(data) => <CheckList of={itemsOf(data)} />}
      </Loaded>
    </Panel>
  );
}

const CheckList = ({ of }: { readonly of: readonly MachineCheck[] }) =>
  of.length === 0 ? (
    <Empty title="There is no MachineHealthCheck.">Machines that no check watches are never remediated.</Empty>
  ) : (
    <ul className="checks">
      {of.map((check) => (
        <Check key={check.uid} of={check} />
      ))}
    </ul>
  );

function Grid({ filters }: { readonly filters: MachineSearch }) {
  const list = useInfiniteQuery({ ...queries.machines(filters), placeholderData: keepPreviousData });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  // The grid shows all of them: every page is read.
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Panel title="All Machines" aside={list.data?.pages[0]?.total}>
      <Loaded query={list} what="the Machines">
        {(data) => (data.pages[0]?.total === 0 ? <Empty title="No Machine fits." /> : <MachineGrid of={itemsOf(data)} />)}
      </Loaded>
    </Panel>
  );
}
