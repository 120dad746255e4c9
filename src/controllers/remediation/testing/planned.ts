import type { RemediationSeen } from '../observe.ts';
import { anEvidence } from '../routing/testing/builders.ts';
import { ABSENT, aDeployment, anAnalysis, value } from './builders.ts';

/** Everything that stands between a plan and its run lets it through. */
export const FREE = {
  target: value(aDeployment()),
  namespace: ABSENT,
  workflow: ABSENT,
  execution: ABSENT,
  evidence: anEvidence(),
} as const;

/** A plan that may be carried out, unless what is changed keeps it from that. */
export const planned = (change: Partial<RemediationSeen> = {}): Partial<RemediationSeen> => ({
  analysis: value(anAnalysis()),
  ...FREE,
  ...change,
});

/** The same where a person has to approve first, and was not asked yet. */
export const awaitingApproval = (change: Partial<RemediationSeen> = {}): Partial<RemediationSeen> =>
  planned({ analysis: value(anAnalysis({ approvalRequired: true, approvalReason: 'production' })), approval: ABSENT, ...change });
