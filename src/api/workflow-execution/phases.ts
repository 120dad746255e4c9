import type { Phases } from '../phases.ts';

export type ExecutionPhase = 'Pending' | 'Running' | 'Completed' | 'Failed' | 'Skipped';

/** Whatever keeps an execution from starting leaves it Pending, or skips it; once it runs it ends in success or failure. */
export const executionPhases: Phases<ExecutionPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Completed', 'Failed', 'Skipped'],
  transitions: {
    Pending: ['Running', 'Failed', 'Skipped'],
    Running: ['Completed', 'Failed'],
    Completed: [],
    Failed: [],
    Skipped: [],
  },
};
