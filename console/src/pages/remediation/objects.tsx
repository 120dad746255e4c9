import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queries } from '../../data/queries.ts';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loading } from '../../parts/states.tsx';

/** The objects behind the page, as they are stored; read when they are asked for. */
export function Objects({ remediation }: { readonly remediation: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Objects">
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>YAML</summary>
        {isOpen && <ObjectList remediation={remediation} />}
      </details>
    </Panel>
  );
}

function ObjectList({ remediation }: { readonly remediation: string }) {
  const { data, error, refetch } = useQuery(queries.objects(remediation));
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loading what="the objects" />;
  return data.objects.map(({ kind, name, yaml, problem }) => (
    <details key={`${kind}/${name}`}>
      <summary>
        {kind} <bdi>{name}</bdi>
      </summary>
      {yaml === undefined ? <p className="problem">{problem}</p> : <pre className="data">{yaml}</pre>}
    </details>
  ));
}
