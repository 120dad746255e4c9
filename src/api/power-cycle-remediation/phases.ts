import type { Phases } from '../phases.ts';

export type PowerCyclePhase = 'pending' | 'power-off' | 'freeing' | 'power-on' | 'waiting' | 'backoff' | 'escalated';

/**
 * One attempt is power-off, freeing the workloads of a host that is surely off, power-on, waiting for the Node. What did not help is tried
 * again after a pause, for as long as the request exists; only the strategy `escalate` gives up and hands the Machine to its owner. When the
 * Node is well the health check deletes the request.
 */
export const powerCyclePhases: Phases<PowerCyclePhase> = {
  field: 'phase',
  initial: 'pending',
  terminal: ['escalated'],
  transitions: {
    pending: ['power-off'],
    'power-off': ['freeing', 'backoff', 'escalated'],
    // An operator may switch it on before we do.
    freeing: ['power-on', 'waiting'],
    'power-on': ['waiting', 'backoff', 'escalated'],
    waiting: ['backoff', 'escalated'],
    backoff: ['power-off'],
    // Terminal for the failure that the owner was asked to remediate; the next failure starts a new cycle.
    escalated: ['pending'],
  },
};
