import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { RecordedEvent } from '../../../../src/server/contract/index.ts';
import { clockTime } from '../../clock.ts';
import { queries } from '../../data/queries.ts';
import { saveAs } from '../../parts/save-as.ts';
import { List, More, type Column } from '../../parts/list.tsx';
import { itemsOf, Loaded, Together } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { targetText } from '../../parts/target.tsx';
import { Ago } from '../../parts/time.tsx';
import type { AuditSearch } from './audit-filters.ts';
import { TrailProof } from './trail-proof.tsx';

const COLUMNS: readonly Column<RecordedEvent>[] = [
  {
    name: 'When',
    of: ({ at }) => (
      <>
        <span className="figures">{clockTime(at)}</span>
        <div className="dim">
          <Ago at={at} />
        </div>
      </>
    ),
  },
  { name: 'Event', of: ({ type }) => <code>{type}</code> },
  {
    name: 'Remediation',
    of: ({ remediation }) => (
      <Link to="/remediations/$name" params={{ name: remediation }}>
        {remediation}
      </Link>
    ),
  },
  { name: 'Object', of: ({ object }) => targetText(object), isExtra: true },
  {
    name: 'Data',
    of: ({ data }) => (
      <details>
        <summary>show</summary>
        <pre className="data">{JSON.stringify(data, undefined, 2)}</pre>
      </details>
    ),
    isExtra: true,
  },
];

/** What was recorded, the newest first. */
export function Audit() {
  const filters = useSearch({ from: '/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const set = (change: AuditSearch) => void navigate({ replace: true, search: (before) => ({ ...before, ...change }) });
  const list = useInfiniteQuery({ ...queries.audit(filters), placeholderData: keepPreviousData });
  const items = list.data ? itemsOf(list.data) : [];
  const proof = useQuery(queries.auditVerification());
  return (
    <Together of={[list, proof]} what="the audit trail">
      <PageHead title="Audit" count={list.data?.pages[0]?.total}>
        <div className="page-actions">
          <Button variant="default" size="xs" disabled={items.length === 0} onClick={() => saveAs('sickbay-audit.jsonl', linesOf(items))}>
            Export what is shown
          </Button>
        </div>
      </PageHead>
      <TrailProof />
      <div className="filters" role="search">
        <SearchField
          label="Remediation"
          placeholder="Name of a remediation"
          value={filters.remediation}
          onChange={(remediation) => set({ remediation })}
        />
        <SearchField
          label="Types"
          placeholder="Types, separated by commas, e.g. orchestrator.approval.approved"
          value={filters.type}
          onChange={(type) => set({ type })}
        />
      </div>
      <Loaded query={list} what="the audit trail">
        {() => <EventList of={items} />}
      </Loaded>
      <More list={list} />
    </Together>
  );
}

const EventList = ({ of }: { readonly of: readonly RecordedEvent[] }) =>
  of.length === 0 ? <Empty title="No event fits." /> : <List name="Audit" columns={COLUMNS} items={of} keyOf={({ id }) => id} />;

const linesOf = (events: readonly RecordedEvent[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
