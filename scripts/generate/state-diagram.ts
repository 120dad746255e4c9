import { phaseNames, type Phases } from '../../src/api/index.ts';

/** The phases of a kind as a mermaid state diagram. Phases with a dash or without a name get an alias, since mermaid accepts only words. */
export function stateDiagram(phases: Phases): string {
  const names = phaseNames(phases);
  const aliases = names.filter((name) => word(name) !== name).map((name) => `  state "${shown(name)}" as ${word(name)}`);
  const moves = names.flatMap((from) => (phases.transitions[from] ?? []).map((to) => `  ${word(from)} --> ${word(to)}`));
  const ends = phases.terminal.map((name) => `  ${word(name)} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...aliases, `  [*] --> ${word(phases.initial)}`, ...moves, ...ends, '```'].join('\n');
}

const shown = (name: string): string => (name === '' ? 'undecided' : name);

const word = (name: string): string => shown(name).replaceAll('-', '_');
