import type { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { Ending } from './status.ts';

/**
 * The end of a request whose alerts have all gone before anything was run; undefined while one of them fires. Should they come back,
 * nothing holds the next request off.
 */
export function healed({ status }: RemediationRequest): Ending | undefined {
  const alerts = status?.deduplication?.alerts ?? [];
  if (alerts.length === 0 || alerts.some(({ resolvedAt }) => resolvedAt === undefined)) return undefined;
  const names = [...new Set(alerts.map(({ name }) => name))].join(', ');
  return {
    phase: 'Completed',
    message: `${names} resolved before anything was done: no action was needed`,
    status: { outcome: 'NoActionRequired' },
  };
}
