import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Remediation } from '../../../../src/server/contract/index.ts';
import { queries } from '../../data/queries.ts';
import type { Look } from '../../parts/looks.ts';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Failure } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { targetText } from '../../parts/target.tsx';
import { Ago, Took } from '../../parts/time.tsx';
import { ClearBlock } from './clear-block.tsx';

type Execution = NonNullable<Remediation['execution']>;

const LOOKS: Readonly<Record<Execution['phase'], Look>> = {
  Pending: 'active',
  Running: 'active',
  Completed: 'success',
  Failed: 'failure',
  Skipped: 'quiet',
};

/** The run of the workflow with its logs. */
export const Run = ({ of, remediation }: { readonly of: Execution; readonly remediation: string }) => (
  <Panel title="Run" aside={<Tag look={LOOKS[of.phase]}>{of.phase}</Tag>}>
    {of.message !== undefined && <p>{of.message}</p>}
    {of.failure && (
      <div className="blocker">
        <p className="strong">{of.failure.summary}</p>
        <p className="dim wrap">{of.failure.message}</p>
        {of.failure.mayHaveChangedTarget && of.clearance === undefined && (
          <>
            <p>The workflow may have changed the target: nothing runs on it until a person clears the block.</p>
            <ClearBlock execution={of.name} />
          </>
        )}
      </div>
    )}
    <Facts
      of={[
        ['Run', of.run && targetText(of.run)],
        ['Place in the queue', of.queuePosition],
        ['Started', of.startedAt !== undefined && <Ago at={of.startedAt} />],
        ['Took', of.startedAt !== undefined && <Took from={of.startedAt} to={of.completedAt} />],
        ['Block cleared by', of.clearance && `${of.clearance.by}: ${of.clearance.reason}`],
      ]}
    />
    <Logs remediation={remediation} isRunning={of.phase === 'Running'} />
  </Panel>
);

function Logs({ remediation, isRunning }: { readonly remediation: string; readonly isRunning: boolean }) {
  const [isOpen, setIsOpen] = useState(isRunning);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Logs</summary>
      {isOpen && <LogText remediation={remediation} isRunning={isRunning} />}
    </details>
  );
}

function LogText({ remediation, isRunning }: { readonly remediation: string; readonly isRunning: boolean }) {
  const { data, error, refetch } = useQuery(queries.logs(remediation, isRunning));
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <p className="dim">Reading logs…</p>;
  if (data.containers.length === 0) return <p className="dim">{data.message ?? 'There are no logs.'}</p>;
  return data.containers.map(({ pod, container, text, truncated }) => (
    <figure key={`${pod}/${container}`} className="logs">
      <figcaption className="dim">
        {pod}, container {container}
        {truncated && ': the last lines'}
      </figcaption>
      <pre tabIndex={0}>{text === '' ? 'It wrote nothing.' : text}</pre>
    </figure>
  ));
}
