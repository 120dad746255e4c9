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
 * except Verifying, which has its own deadline, and Blocked, where its clock stands still. What healed by itself before anything was
 * executed is Completed from wherever it is, and a plan that went stale while it waited for approval is analysed again (decision 0020).
 */
const transitions = {
  Pending: ['Processing', 'Blocked', 'Completed', 'TimedOut', 'Cancelled'],
  Processing: ['Analyzing', 'Completed', 'Failed', 'TimedOut', 'Cancelled'],
  Analyzing: ['AwaitingApproval', 'Executing', 'Completed', 'Failed', 'TimedOut', 'Blocked', 'Cancelled'],
  AwaitingApproval: ['Executing', 'Analyzing', 'Completed', 'Failed', 'TimedOut', 'Blocked', 'Cancelled'],
  Executing: ['Verifying', 'Failed', 'TimedOut', 'Skipped', 'Cancelled'],
  Verifying: ['Completed', 'Cancelled'],
  Blocked: ['Failed', 'Analyzing', 'Pending', 'Completed', 'Cancelled'],
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
