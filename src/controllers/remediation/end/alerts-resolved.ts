import { hasEnded } from './has-ended.ts';
import type { RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import type { RequestEnding } from './end-request.ts';

/** The phases in which nothing has run yet. */
const BEFORE_THE_RUN: readonly (RemediationPhase | undefined)[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Blocked'];

const alertsOf = ({ status }: RemediationRequest) => status?.deduplication?.alerts ?? [];

/** The alerts of a request and how many of them still fire. */
export function countAlerts(request: RemediationRequest): { readonly alerts: number; readonly firing: number } {
  const alerts = alertsOf(request);
  return { alerts: alerts.length, firing: alerts.filter(({ resolvedAt }) => resolvedAt === undefined).length };
}

/** Whether every alert of the request is resolved. A request without alerts was not opened by one. */
export function areAlertsResolved(request: RemediationRequest): boolean {
  const { alerts, firing } = countAlerts(request);
  return alerts > 0 && firing === 0;
}

/**
 * The end of a request whose alerts were all resolved before anything was run; undefined while one of them fires. If they fire again,
 * nothing suppresses the next request.
 */
export function alertsResolvedEnding(request: RemediationRequest): RequestEnding | undefined {
  // One that is blocked for its failure has come to its end.
  if (!BEFORE_THE_RUN.includes(request.status?.overallPhase) || hasEnded(request)) return undefined;
  if (!areAlertsResolved(request)) return undefined;
  const names = [...new Set(alertsOf(request).map(({ name }) => name))].join(', ');
  return {
    phase: 'Completed',
    message: `${names} resolved before anything was done: no action was needed`,
    status: { outcome: 'NoActionRequired' },
  };
}
