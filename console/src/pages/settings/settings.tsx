import { useQuery } from '@tanstack/react-query';
import type { SettingsView } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import { List, type Column } from '../../parts/list.tsx';
import type { Look } from '../../parts/looks.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Tag } from '../../parts/tag.tsx';

type Setting = SettingsView['values'][number];
type Connection = SettingsView['connections'][number];

const LOOKS: Readonly<Record<Connection['state'], Look>> = { ok: 'success', failing: 'failure', unknown: 'warning', off: 'quiet' };

const CONNECTIONS: readonly Column<Connection>[] = [
  { name: 'State', of: ({ state }) => <Tag look={LOOKS[state]}>{state}</Tag> },
  { name: 'Connection', of: ({ name }) => <span className="strong">{name}</span> },
  { name: 'Address', of: ({ url }) => url !== undefined && <code>{url}</code>, isExtra: true },
  { name: 'What is known', of: ({ message }) => message },
];

const VALUES: readonly Column<Setting>[] = [
  { name: 'Setting', of: ({ key }) => <code>{key}</code> },
  { name: 'Value', of: ({ value }) => <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code> },
  { name: 'From', of: ({ isDefault }) => (isDefault ? <span className="dim">default</span> : <Tag look="info">set</Tag>) },
  { name: 'Meaning', of: ({ description }) => <span className="dim">{description}</span>, isExtra: true },
];

/** What Sickbay runs with, and what it is connected to. */
export function Settings() {
  return (
    <Loaded query={useQuery(queries.settings())} what="the settings">
      {(data) => <InForce of={data} />}
    </Loaded>
  );
}

const InForce = ({ of: data }: { readonly of: SettingsView }) => (
  <>
    <PageHead title="Settings" />
    {data.configProblem !== undefined && (
      <p className="blocker">
        The last change of the config file was refused, and the settings before it stay in force: {data.configProblem}
      </p>
    )}
    <Panel title="Sickbay">
      <Facts
        of={[
          ['Version', data.version],
          ['Runs', data.mode === 'local' ? 'with its own API server' : 'on a Kubernetes cluster'],
          ['Namespace', data.namespace],
          ['Namespace of workflows', data.executionNamespace],
          ['Name of the cluster in alerts', data.cluster],
          ['Config file', data.configFile ?? 'none: the defaults are in force'],
        ]}
      />
    </Panel>
    <Panel title="Connections">
      <List name="Connections" columns={CONNECTIONS} items={data.connections} keyOf={({ name }) => name} />
    </Panel>
    <Panel title="Values in force" aside={`${data.values.filter(({ isDefault }) => !isDefault).length} set, the others default`}>
      <List name="Values in force" columns={VALUES} items={data.values} keyOf={({ key }) => key} />
    </Panel>
  </>
);
