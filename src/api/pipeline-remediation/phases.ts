import type { Phases } from '../phases.ts';

export type PipelineRemediationPhase = 'Pending' | 'Requested' | 'Succeeded' | 'Failed';

/** A request that did not help is opened anew for as long as the Machine stays unhealthy. */
export const pipelineRemediationPhases: Phases<PipelineRemediationPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Succeeded'],
  transitions: {
    Pending: ['Requested'],
    Requested: ['Succeeded', 'Failed'],
    Succeeded: [],
    Failed: ['Requested'],
  },
};
