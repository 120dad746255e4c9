import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { KubeClient } from '../../kube/client/client.ts';
import type {
  Cancelled,
  ClearedBlock,
  DecisionBody,
  RecordedDecision,
  Remediation,
  RemediationMetrics,
  SettingsView,
  Summary,
} from '../contract/index.ts';

/** Why a remediation is in its state, and what comes next. */
export type Explained = Pick<Remediation, 'gates' | 'blocker' | 'next' | 'limits'>;

/** What people ask and do beyond reading: the server knows no controller, so the process brings it. Writes are made with the client of the caller. */
export interface PeopleActions {
  explain(request: RemediationRequest): Promise<Explained>;
  /** What Prometheus measured of the target. */
  metrics(assessment: EffectivenessAssessment): Promise<RemediationMetrics>;
  decide(asCaller: KubeClient, name: string, decision: Omit<DecisionBody, 'planDigest'>): Promise<RecordedDecision>;
  cancel(asCaller: KubeClient, name: string, reason: string): Promise<Cancelled>;
  clearBlock(asCaller: KubeClient, name: string, reason: string): Promise<ClearedBlock>;
  /** How much may still be done; undefined while that cannot be read. */
  budget(): Promise<Summary['budget']>;
  /** The settings in force and the state of the connections. */
  settings(): Promise<SettingsView>;
}
