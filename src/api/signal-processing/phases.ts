import type { Phases } from '../phases.ts';

export type SignalProcessingPhase = 'Pending' | 'Enriching' | 'Classifying' | 'Categorizing' | 'Completed' | 'Failed';

export const signalProcessingPhases: Phases<SignalProcessingPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Completed', 'Failed'],
  transitions: {
    Pending: ['Enriching', 'Failed'],
    Enriching: ['Classifying', 'Failed'],
    Classifying: ['Categorizing', 'Failed'],
    Categorizing: ['Completed', 'Failed'],
    Completed: [],
    Failed: [],
  },
};
