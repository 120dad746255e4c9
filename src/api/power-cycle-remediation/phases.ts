import type { Phases } from '../phases.ts';

export type PowerCyclePhase = 'pending' | 'power-off' | 'power-on' | 'waiting' | 'backoff' | 'escalated';

/**
 * One attempt is power-off, power-on, waiting for the Node. What did not help is tried again after a pause, for as long as the request exists;
 * only the strategy `escalate` gives up and hands the Machine to its owner. When the Node is well the health check deletes the request.
 */
export const powerCyclePhases: Phases<PowerCyclePhase> = {
  field: 'phase',
  initial: 'pending',
  terminal: ['escalated'],
  transitions: {
    pending: ['power-off'],
    'power-off': ['power-on', 'backoff', 'escalated'],
    'power-on': ['waiting', 'backoff', 'escalated'],
    waiting: ['backoff', 'escalated'],
    backoff: ['power-off'],
    escalated: [],
  },
};
