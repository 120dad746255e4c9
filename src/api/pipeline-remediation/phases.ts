import type { Phases } from '../phases.ts';

export type PipelineRemediationPhase = 'Pending' | 'Requested' | 'Succeeded' | 'Failed' | 'Ending';

/**
 * A RemediationRequest that ended is followed by another for as long as the Machine stays unhealthy, whatever came of it. Ending begins when
 * the request is withdrawn: what still runs is cancelled, and the Node is uncordoned if a workflow had cordoned it.
 */
export const pipelineRemediationPhases: Phases<PipelineRemediationPhase> = {
  field: 'phase',
  initial: 'Pending',
  terminal: ['Ending'],
  transitions: {
    Pending: ['Requested', 'Ending'],
    Requested: ['Succeeded', 'Failed', 'Ending'],
    Succeeded: ['Requested', 'Ending'],
    Failed: ['Requested', 'Ending'],
    Ending: [],
  },
};
