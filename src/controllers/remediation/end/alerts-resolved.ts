import type { RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { Ending } from './end-request.ts';

/** The phases in which nothing was run yet. */
const BEFORE_THE_RUN: readonly (RemediationPhase | undefined)[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Blocked'];

/**
 * The end of a request whose alerts have all gone before anything was run; undefined while one of them fires. Should they come back,
 * nothing holds the next request off.
 */
export function healed({ status }: RemediationRequest): Ending | undefined {
  // One that is blocked for its failure has come to its end.
  if (!BEFORE_THE_RUN.includes(status?.overallPhase) || status?.completedAt !== undefined) return undefined;
  const alerts = status?.deduplication?.alerts ?? [];
  if (alerts.length === 0 || alerts.some(({ resolvedAt }) => resolvedAt === undefined)) return undefined;
  const names = [...new Set(alerts.map(({ name }) => name))].join(', ');
  return {
    phase: 'Completed',
    message: `${names} resolved before anything was done: no action was needed`,
    status: { outcome: 'NoActionRequired' },
  };
}
