import { useQuery } from '@tanstack/react-query';
import type { WorkflowList } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { List } from '../../parts/list.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Empty } from '../../parts/states.tsx';
import { workflowColumns } from './workflow-columns.tsx';

/** The catalogue, with how well each workflow did. */
export function Workflows() {
  return (
    <Loaded query={useQuery(queries.workflows())} what="the workflows">
      {(data) => <Catalogue of={data} />}
    </Loaded>
  );
}

const Catalogue = ({ of: data }: { readonly of: WorkflowList }) => (
  <>
    <PageHead title="Workflows" count={data.total} />
    <Panel title="Catalogue">
      {data.items.length === 0 ? (
        <Empty title="The catalogue is empty.">
          Without workflows every alert is handed over. <code>sickbay run --install</code> installs the library.
        </Empty>
      ) : (
        <List name="Workflows" columns={workflowColumns} items={data.items} keyOf={({ name }) => name} />
      )}
    </Panel>
  </>
);
