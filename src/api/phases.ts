/** The life of a kind as data: which phase may follow which. Diagrams, enums and tests come from it. */
export interface Phases<P extends string = string> {
  /** Member of `status` that holds the phase. */
  readonly field: string;
  readonly initial: P;
  /** Where the work is over. */
  readonly terminal: readonly P[];
  readonly transitions: Readonly<Record<P, readonly P[]>>;
}

/** All phases, in the order of the table. */
export const phaseNames = <P extends string>(phases: Phases<P>): readonly P[] => Object.keys(phases.transitions) as P[];

/** Whether the table lets `from` be followed by `to`. Staying is no transition. */
export const mayMove = <P extends string>(phases: Phases<P>, from: P, to: P): boolean => phases.transitions[from].includes(to);

export const isTerminal = <P extends string>(phases: Phases<P>, phase: P | undefined): boolean =>
  phase !== undefined && phases.terminal.includes(phase);
