import type { EarlierRemediation } from '../remediation-history.ts';

/** A rollback of the checkout that helped, by default. */
export const anEffective = (more: Partial<EarlierRemediation> = {}): EarlierRemediation => ({
  remediation: 'rr-1',
  target: 'shop/Deployment/checkout',
  isSameTarget: true,
  completedAt: '2026-03-02T10:05:00Z',
  workflow: { id: 'wf-rollback', name: 'rollback', version: '1.0.0' },
  execution: 'Completed',
  outcome: 'Remediated',
  effectivenessScore: 1,
  measuredShare: 1,
  signalResolved: true,
  assessmentReason: 'Full',
  hashMatch: 'none',
  preRemediationSpecHash: 'sha256:a',
  postRemediationSpecHash: 'sha256:b',
  ...more,
});

/** One whose alert went on. */
export const anIneffective = (more: Partial<EarlierRemediation> = {}): EarlierRemediation =>
  anEffective({ outcome: 'Inconclusive', effectivenessScore: 0.27, signalResolved: false, ...more });
