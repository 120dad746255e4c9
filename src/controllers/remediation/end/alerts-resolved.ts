import { hasEnded } from './has-ended.ts';
import type { RemediationPhase } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { after, instant, parseTime, toTime, type Instant } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import type { Settings } from '../../settings.ts';
import type { RemediationSeen } from '../observe.ts';
import type { RequestEnding } from './end-request.ts';
import { judgeTargets, type TargetHealth } from './target-health.ts';

/** The phases in which nothing has run yet. */
const BEFORE_THE_RUN: readonly (RemediationPhase | undefined)[] = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Blocked'];

const alertsOf = ({ status }: RemediationRequest) => status?.deduplication?.alerts ?? [];

/** The alerts of a request and how many of them still fire. */
export function countAlerts(request: RemediationRequest): { readonly alerts: number; readonly firing: number } {
  const alerts = alertsOf(request);
  return { alerts: alerts.length, firing: alerts.filter(({ resolvedAt }) => resolvedAt === undefined).length };
}

/** Since when no alert of the request fires; undefined while one fires, and for a request that no alert opened. */
function resolvedSince(request: RemediationRequest): Instant | undefined {
  const { alerts, firing } = countAlerts(request);
  if (alerts === 0 || firing > 0) return undefined;
  return instant(Math.max(...alertsOf(request).map(({ resolvedAt }) => parseTime(resolvedAt) ?? 0)));
}

/** The grace of a request that may end because its alerts resolved: nothing has run, and no alert fires. */
export interface ResolvedGrace {
  readonly since: Instant;
  /** From then on the alerts count as resolved. Alerts of crash loops resolve between two restarts. */
  readonly endsAt: Instant;
}

export function resolvedGrace(request: RemediationRequest, { gateway }: Settings): ResolvedGrace | undefined {
  // One that is blocked for its failure has come to its end.
  if (!BEFORE_THE_RUN.includes(request.status?.overallPhase) || hasEnded(request)) return undefined;
  const since = resolvedSince(request);
  return since === undefined ? undefined : { since, endsAt: after(since, gateway.resolvedGraceMs) };
}

/** Whether the alerts count as resolved: only then the health of the target matters, and is read. */
export function isGraceOver(request: RemediationRequest, settings: Settings, now: Instant): boolean {
  const grace = resolvedGrace(request, settings);
  return grace !== undefined && now >= grace.endsAt;
}

/** The health of the target of a request whose grace is over; undefined where it does not matter or was not read. */
function healthAfterGrace({ object, health, settings }: RemediationSeen, now: Instant): TargetHealth | undefined {
  const grace = resolvedGrace(object, settings);
  return grace && health && now >= grace.endsAt ? judgeTargets(health, grace.since) : undefined;
}

/**
 * The end of a request whose alerts stayed resolved for `gateway.resolvedGrace` before anything ran, and whose target is seen healthy, or
 * gone, afterwards; undefined otherwise: then the remediation continues. If the alerts fire again, nothing suppresses the next request.
 */
export function alertsResolvedEnding(seen: RemediationSeen, now: Instant): RequestEnding | undefined {
  const { object, settings } = seen;
  const health = healthAfterGrace(seen, now);
  const grace = resolvedGrace(object, settings);
  if (!grace || (health?.kind !== 'healthy' && health?.kind !== 'gone')) return undefined;
  const names = [...new Set(alertsOf(object).map(({ name }) => name))].join(', ');
  return {
    phase: 'Completed',
    message: `${names} resolved at ${toTime(grace.since)} before anything was done, and ${health.message}: no action was needed`,
    status: { outcome: 'NoActionRequired' },
  };
}

/** Wakes at the end of the grace, an absolute moment, and at intervals as long as the grace while the target is not healthy afterwards. */
export function wakeByGrace({ object, settings }: RemediationSeen, decision: Decision, now: Instant): Decision {
  const grace = resolvedGrace(object, settings);
  if (!grace || decision.wakeAt === undefined) return decision;
  const next = now < grace.endsAt ? grace.endsAt : after(now, settings.gateway.resolvedGraceMs);
  return { ...decision, wakeAt: instant(Math.min(decision.wakeAt, next)) };
}
