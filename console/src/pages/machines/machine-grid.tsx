import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { MachineView } from '../../../../src/server/contract/index.ts';

/** More than this many are drawn as squares without names. */
const MOST_NAMED = 200;

/** All Machines, one cell each; with many of them the cells are small and the name is on hover. */
export function MachineGrid({ of }: { readonly of: readonly MachineView[] }) {
  const isNamed = of.length <= MOST_NAMED;
  return (
    <ul className="grid" data-named={isNamed || undefined}>
      {of.map((machine) => (
        <Cell key={machine.uid} of={machine} isNamed={isNamed} />
      ))}
    </ul>
  );
}

const Cell = memo(({ of, isNamed }: { readonly of: MachineView; readonly isNamed: boolean }) => {
  const words = `${of.name}: ${wordsOf(of)}`;
  return (
    <li>
      <Link
        to="/machines/$namespace/$name"
        params={{ namespace: of.namespace, name: of.name }}
        preload={false}
        className="cell"
        data-state={stateOf(of)}
        title={words}
        aria-label={words}
      >
        {isNamed && <span>{of.name}</span>}
      </Link>
    </li>
  );
});

function stateOf({ healthy, remediation }: MachineView): string {
  if (remediation) return 'remediating';
  return { True: 'healthy', False: 'unhealthy', Unknown: 'unknown' }[healthy];
}

/** The health of a Machine in words. */
export function wordsOf({ healthy, remediation, reason, check }: MachineView): string {
  if (remediation) return 'in remediation';
  if (healthy === 'False') return `unhealthy${reason === undefined ? '' : ` (${reason})`}`;
  if (healthy === 'True') return 'healthy';
  return check === undefined ? 'not watched by a check' : 'health unknown';
}
