import type { Phases } from '../phases.ts';

export type AssessmentPhase = 'Pending' | 'WaitingForPropagation' | 'Stabilizing' | 'Assessing' | 'Completed' | 'Failed';

export const assessmentPhases: Phases<AssessmentPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Completed', 'Failed'],
  transitions: {
    Pending: ['WaitingForPropagation', 'Stabilizing', 'Assessing', 'Failed'],
    WaitingForPropagation: ['Stabilizing', 'Failed'],
    Stabilizing: ['Assessing', 'Failed'],
    Assessing: ['Completed', 'Failed'],
    Completed: [],
    Failed: [],
  },
};
