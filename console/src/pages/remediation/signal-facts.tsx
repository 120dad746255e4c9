import { Link } from '@tanstack/react-router';
import type { Remediation } from '../../../../src/server/contract/index.ts';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Ago } from '../../parts/time.tsx';

/** The signal as it came in, and other remediations of the problem. */
export const SignalFacts = ({ of: { signal, summary, related } }: { readonly of: Remediation }) => (
  <Panel title="Signal">
    <Facts
      of={[
        ['Alert', <bdi key="name">{summary.signal.name}</bdi>],
        ['Source', summary.signal.source],
        ['Received', `${summary.signal.count} ${summary.signal.count === 1 ? 'time' : 'times'}`],
        ['Began', <Ago key="began" at={signal.firingTime} />],
        ['Last', summary.signal.lastSeenAt !== undefined && <Ago at={summary.signal.lastSeenAt} />],
        ['Environment', summary.environment],
        ['Priority', summary.priority],
        ['Cluster', summary.cluster],
        ['Duplicate of', related.duplicateOf !== undefined && <Other name={related.duplicateOf} />],
        ['Rolls back', related.undoOf !== undefined && <Other name={related.undoOf} />],
        ['Rolled back by', related.undoneBy !== undefined && <Other name={related.undoneBy} />],
        ['Duplicates', related.duplicates.length > 0 && related.duplicates.map((name) => <Other key={name} name={name} />)],
      ]}
    />
    <Texts title="Labels" of={signal.labels} />
    <Texts title="Annotations" of={signal.annotations} />
  </Panel>
);

const Other = ({ name }: { readonly name: string }) => (
  <Link to="/remediations/$name" params={{ name }} className="other">
    {name}
  </Link>
);

/** Longer values are shown in part: an annotation may have a megabyte. */
const MOST_SHOWN = 4000;

function Texts({ title, of }: { readonly title: string; readonly of: Readonly<Record<string, string>> }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return undefined;
  return (
    <details>
      <summary>
        {title} ({entries.length})
      </summary>
      <dl className="facts">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="wrap">
              <bdi>{value.slice(0, MOST_SHOWN)}</bdi>
              {value.length > MOST_SHOWN && <span className="dim"> … {value.length - MOST_SHOWN} more characters</span>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
