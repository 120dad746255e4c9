import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Workflow } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { durationText } from '../../parts/durations.ts';
import { List, type Column } from '../../parts/list.tsx';
import { itemsOf, Loaded, Together } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { RemediationRow } from '../../parts/remediation-row.tsx';
import { Empty } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { RunStrip } from './run-strip.tsx';
import { percent, StatusTag } from './workflow-columns.tsx';

type Parameter = Workflow['parameters'][number];

const PARAMETERS: readonly Column<Parameter>[] = [
  { name: 'Parameter', of: ({ name }) => <code>{name}</code> },
  { name: 'Type', of: ({ type }) => type },
  { name: 'Needed', of: ({ required }) => (required ? 'yes' : 'no') },
  {
    name: 'Default',
    of: (parameter) => parameter.default !== undefined && <code>{JSON.stringify(parameter.default)}</code>,
    isExtra: true,
  },
  {
    name: 'Meaning',
    of: ({ description, enum: values }) => (
      <>
        {description}
        {values && <span className="dim"> One of {values.join(', ')}.</span>}
      </>
    ),
  },
];

/** One workflow: what it does, how well, and its last runs. */
export function WorkflowPage() {
  const { name } = useParams({ from: '/workflows/$name' });
  const workflow = useQuery(queries.workflow(name));
  const runs = useInfiniteQuery(queries.remediations({ workflow: name }));
  return (
    <Together of={[workflow, runs]} what="the workflow and its runs">
      <Loaded query={workflow} what="the workflow">
        {(data) => <Whole of={data} />}
      </Loaded>
    </Together>
  );
}

const Whole = ({ of: data }: { readonly of: Workflow }) => (
  <>
    <p className="crumbs">
      <Link to="/workflows">Workflows</Link> / {data.name}
    </p>
    <PageHead title={data.name}>
      <StatusTag status={data.status} />
    </PageHead>
    {data.message !== undefined && <p className="blocker">{data.message}</p>}
    <p className="lead">{data.what}</p>
    {data.dryRun && <p className="blocker">Dry run: remediations that select it stop after the analysis.</p>}
    <div className="columns">
      <div>
        <Panel title="Parameters">
          <List name="Parameters" columns={PARAMETERS} items={data.parameters} keyOf={(parameter) => parameter.name} />
        </Panel>
        <LastRuns of={data.name} />
      </div>
      <div>
        <Panel title="How well it works">
          <RunsOverTime of={data.name} />
          <Facts of={resultsOf(data)} />
        </Panel>
        <Panel title="When it is used">
          <Facts of={useOf(data)} />
        </Panel>
      </div>
    </div>
  </>
);

const resultsOf = ({ statistics }: Workflow) =>
  [
    ['Finished runs', statistics.runs],
    ['Succeeded', statistics.succeeded],
    ['Failed', statistics.failed],
    ['Success rate', percent(statistics.successRate)],
    ['Remediated', statistics.remediated],
    ['Average score', statistics.averageScore?.toFixed(2) ?? '–'],
    ['Median time', statistics.medianSeconds === undefined ? '–' : durationText(statistics.medianSeconds * 1000)],
    ['Under way', statistics.active],
    ['Last run', <Ago key="last" at={statistics.lastRunAt} />],
  ] as const;

const useOf = (workflow: Workflow) =>
  [
    ['When', workflow.whenToUse],
    ['Action', workflow.actionType],
    ['Version', workflow.version],
    ['Engine', workflow.engine],
    ['Severities', choiceText(workflow.severities)],
    ['Kinds', choiceText(workflow.components)],
    ['Environments', choiceText(workflow.environments)],
  ] as const;

/** The list of the last runs reads the same. */
function RunsOverTime({ of }: { readonly of: string }) {
  const { data } = useInfiniteQuery(queries.remediations({ workflow: of }));
  return data && <RunStrip of={itemsOf(data)} />;
}

function LastRuns({ of }: { readonly of: string }) {
  const { data } = useInfiniteQuery(queries.remediations({ workflow: of }));
  const rows = data?.pages[0]?.items.slice(0, 20) ?? [];
  return (
    <Panel title="Last remediations with it">
      {rows.length === 0 ? (
        <Empty title="No remediation has selected it." />
      ) : (
        <ul className="rows">
          {rows.map((row) => (
            <RemediationRow key={row.name} row={row} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** A star stands for all. */
const choiceText = (values: readonly string[]): string => (values.includes('*') ? 'any' : values.join(', '));
