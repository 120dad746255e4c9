import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { MachineView } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { List, type Column } from '../../parts/list.tsx';
import type { Look } from '../../parts/looks.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { RemediationRow } from '../../parts/remediation-row.tsx';
import { Empty } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { targetText } from '../../parts/target.tsx';
import { Ago } from '../../parts/time.tsx';
import { wordsOf } from './machine-grid.tsx';

type Condition = MachineView['conditions'][number];

const LOOKS: Readonly<Record<MachineView['healthy'], Look>> = { True: 'success', False: 'failure', Unknown: 'quiet' };

const CONDITIONS: readonly Column<Condition>[] = [
  { name: 'Condition', of: ({ type }) => <span className="strong">{type}</span> },
  { name: 'Status', of: ({ status }) => status },
  { name: 'Since', of: ({ since }) => <Ago at={since} /> },
  {
    name: 'Why',
    of: ({ reason, message }) => (
      <>
        {reason}
        <div className="dim">{message}</div>
      </>
    ),
  },
];

/** One Machine: its health, its remediation, and what happened to it. */
export function MachinePage() {
  const key = useParams({ from: '/machines/$namespace/$name' });
  return (
    <Loaded query={useQuery(queries.machine(key))} what="the Machine">
      {(data) => <Whole of={data} />}
    </Loaded>
  );
}

const Whole = ({ of: data }: { readonly of: MachineView }) => (
  <>
    <p className="crumbs">
      <Link to="/machines">Machines</Link> / {data.namespace} / {data.name}
    </p>
    <PageHead title={data.name}>
      <Tag look={data.remediation ? 'warning' : LOOKS[data.healthy]}>{wordsOf(data)}</Tag>
    </PageHead>
    {data.message !== undefined && <p className="lead">{data.message}</p>}
    <Panel title="Machine">
      <Facts of={factsOf(data)} />
    </Panel>
    <Panel title="Conditions">
      {data.conditions.length === 0 ? (
        <Empty title="It has no conditions." />
      ) : (
        <List name="Conditions" columns={CONDITIONS} items={data.conditions} keyOf={({ type }) => type} />
      )}
    </Panel>
    <Remediations of={data.name} />
  </>
);

const factsOf = ({ cluster, node, phase, check, since, excluded, remediation }: MachineView) =>
  [
    ['Cluster', cluster],
    ['Node', node],
    ['Phase', phase],
    ['Watched by', check ?? 'no check'],
    ['Since', since !== undefined && <Ago at={since} />],
    ['Excluded', excluded && 'an annotation excludes it from remediation'],
    ...(remediation ? requestOf(remediation) : []),
  ] as const;

const requestOf = ({ since, by, object, message, phase }: NonNullable<MachineView['remediation']>) =>
  [
    ['Remediation requested', <Ago key="since" at={since} />],
    ['Remediated by', by],
    ['Request', object && targetText(object)],
    ['State of the request', message ?? phase],
  ] as const;

/** Remediations through the pipeline that were about it. */
function Remediations({ of }: { readonly of: string }) {
  const { data } = useInfiniteQuery(queries.remediations({ search: of }));
  const rows = data?.pages[0]?.items.slice(0, 20) ?? [];
  if (rows.length === 0) return undefined;
  return (
    <Panel title="Remediations that name it">
      <ul className="rows">
        {rows.map((row) => (
          <RemediationRow key={row.name} row={row} />
        ))}
      </ul>
    </Panel>
  );
}
