import type { Phases } from '../phases.ts';

export type AnalysisPhase = 'Pending' | 'Investigating' | 'Analyzing' | 'Completed' | 'Failed';

/** Investigating looks for the cause, Analyzing asks the policy; what needs no workflow is over after the first. */
export const analysisPhases: Phases<AnalysisPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Completed', 'Failed'],
  transitions: {
    Pending: ['Investigating', 'Failed'],
    Investigating: ['Analyzing', 'Completed', 'Failed'],
    Analyzing: ['Completed', 'Failed'],
    Completed: [],
    Failed: [],
  },
};
