import type { Phases } from '../phases.ts';

export type RemediationPhase =
  | 'Pending'
  | 'Processing'
  | 'Analyzing'
  | 'AwaitingApproval'
  | 'Executing'
  | 'Verifying'
  | 'Blocked'
  | 'Completed'
  | 'Failed'
  | 'TimedOut'
  | 'Skipped'
  | 'Cancelled';

/**
 * The whole life of a RemediationRequest. An operator may cancel whatever is not over. The global time-out ends every active phase
 * except Verifying, which has its own deadline, and Blocked, where its clock stands still.
 */
const transitions = {
  Pending: ['Processing', 'Blocked', 'TimedOut', 'Cancelled'],
  Processing: ['Analyzing', 'Failed', 'TimedOut', 'Cancelled'],
  Analyzing: ['AwaitingApproval', 'Executing', 'Completed', 'Failed', 'TimedOut', 'Blocked', 'Cancelled'],
  AwaitingApproval: ['Executing', 'Failed', 'TimedOut', 'Blocked', 'Cancelled'],
  Executing: ['Verifying', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'],
  Verifying: ['Completed', 'Cancelled'],
  Blocked: ['Failed', 'Analyzing', 'Pending', 'Cancelled'],
  Completed: [],
  // The failure that reaches the threshold of consecutive failures holds its signal back at once: the one way out of a terminal phase.
  Failed: ['Blocked'],
  TimedOut: [],
  Skipped: [],
  Cancelled: [],
} as const satisfies Record<RemediationPhase, readonly RemediationPhase[]>;

export const remediationPhases: Phases<RemediationPhase> = {
  field: 'overallPhase',
  initial: 'Pending',
  terminal: ['Completed', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'],
  transitions,
};
