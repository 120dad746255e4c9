import type { Phases } from '../phases.ts';

/** Empty while the decision is pending. */
export type ApprovalDecision = '' | 'Approved' | 'Rejected' | 'Expired';

/** A decision is final. */
export const approvalPhases: Phases<ApprovalDecision> = {
  field: 'decision',
  initial: '',
  terminal: ['Approved', 'Rejected', 'Expired'],
  transitions: { '': ['Approved', 'Rejected', 'Expired'], Approved: [], Rejected: [], Expired: [] },
};
