import { kinds, mayMove, type Phases } from '../api/index.ts';
import type { KubeObject } from '../api/meta.ts';
import type { Invariant, MirrorChange, Simulation } from '../simulation/index.ts';

/** Every kind's phases move along its table, from its first phase on, and what is terminal stays so. */
export function legalMoves(simulation: Simulation): Invariant {
  const illegal: string[] = [];
  simulation.mirror.onChange((change) => {
    const move = illegalMove(change);
    if (move !== undefined) illegal.push(move);
  });
  return { name: 'phases move along their tables', check: () => illegal.shift() };
}

function illegalMove({ resource, before, after }: MirrorChange): string | undefined {
  const phases = kinds.find(({ kind }) => kind === resource.kind)?.phases;
  if (!phases || !after) return undefined;
  // Another object may have taken the name.
  const from = before?.metadata.uid === after.metadata.uid ? phaseOf(before, phases.field) : undefined;
  const to = phaseOf(after, phases.field);
  return from === to || isLegal(phases, from, to)
    ? undefined
    : `${resource.kind} ${after.metadata.name}: ${from ?? 'none'} → ${to ?? 'none'}`;
}

function isLegal(phases: Phases, from: string | undefined, to: string | undefined): boolean {
  if (to === undefined) return false;
  return from === undefined ? to === phases.initial : mayMove(phases, from, to);
}

/** The phase that an object stands in. */
export const phaseOf = (object: KubeObject & { readonly status?: unknown }, field: string): string | undefined =>
  (object.status as Readonly<Record<string, string>> | undefined)?.[field];
