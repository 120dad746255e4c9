import type { Remediation } from '../../../../src/server/contract/index.ts';
import type { Look } from '../../parts/looks.ts';
import { Panel } from '../../parts/panel.tsx';
import { Tag } from '../../parts/tag.tsx';
import { Ago } from '../../parts/time.tsx';

type Gate = Remediation['gates'][number];

const WORDS: Readonly<Record<Gate['state'], { readonly text: string; readonly look: Look }>> = {
  open: { text: 'passes', look: 'success' },
  closed: { text: 'blocks', look: 'failure' },
  unknown: { text: 'unknown', look: 'warning' },
  ahead: { text: 'later', look: 'quiet' },
};

/** Every condition on the way to a run: what was compared, and what opens it. */
export function Gates({ of, isOver }: { readonly of: readonly Gate[]; readonly isOver: boolean }) {
  const passing = of.filter(({ state }) => state === 'open');
  const [others, rest] = isOver ? [[], of] : [of.filter(({ state }) => state !== 'open'), passing];
  return (
    <Panel title="Checks before a run" aside={`${passing.length} of ${of.length} pass`}>
      {others.length > 0 && <GateList of={others} />}
      {rest.length > 0 && (
        <details>
          <summary>{isOver ? 'All checks' : `${rest.length} that pass`}</summary>
          <GateList of={rest} />
        </details>
      )}
    </Panel>
  );
}

const GateList = ({ of }: { readonly of: readonly Gate[] }) => (
  <ul className="gates">
    {of.map((gate) => (
      <li key={gate.name}>
        <Tag look={WORDS[gate.state].look}>{WORDS[gate.state].text}</Tag>
        <div>
          <div className="strong">{gate.name}</div>
          {gate.message !== undefined && <div className="dim">{gate.message}</div>}
          {gate.until !== undefined && (
            <div className="dim">
              ends by itself <Ago at={gate.until} />
            </div>
          )}
          <Inputs of={gate.inputs} />
        </div>
      </li>
    ))}
  </ul>
);

function Inputs({ of }: { readonly of: Gate['inputs'] }) {
  const entries = Object.entries(of);
  if (entries.length === 0) return undefined;
  return (
    <details>
      <summary>what was compared</summary>
      <dl className="facts">
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
