import { after, HOUR, instant, parseTime, toTime, type Instant } from '../../base/index.ts';
import { isTerminal } from '../../api/phases.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import type { Approval, MachineCheck, MachineView, RemediationSummary, Summary } from '../contract/index.ts';

/** What the figures are computed from. */
export interface SummaryInput {
  readonly remediations: readonly RemediationSummary[];
  readonly approvals: readonly Approval[];
  readonly machines: readonly MachineView[];
  readonly checks: readonly MachineCheck[];
  readonly signals: Readonly<Record<string, number>>;
  /** Undefined while it cannot be read. */
  readonly budget: Summary['budget'];
}

const HOURS = 24;

/** Figures over everything. */
export function summarize({ remediations, approvals, machines, checks, signals, budget }: SummaryInput, now: Instant): Summary {
  const since = after(now, -HOURS * HOUR);
  const pending = approvals.filter(({ state }) => state === 'Pending');
  const [nextExpiry] = pending.map(({ requiredBy }) => requiredBy).toSorted();
  return {
    at: toTime(now),
    remediations: {
      total: remediations.length,
      active: remediations.filter(({ phase }) => !isTerminal(remediationPhases, phase)).length,
      attention: remediations.filter(({ attention }) => attention !== 'none').length,
      byPhase: countBy(remediations, ({ phase }) => phase),
      byOutcome: countBy(remediations, ({ outcome }) => outcome),
    },
    approvals: { pending: pending.length, ...(nextExpiry !== undefined && { nextExpiry }) },
    lastDay: lastDay(remediations, since),
    hours: hoursOf(remediations, now),
    machines: {
      total: machines.length,
      unhealthy: machines.filter(({ healthy }) => healthy === 'False').length,
      remediating: machines.filter(({ remediation }) => remediation).length,
      checks: checks.length,
      stopped: checks.filter(({ allowed }) => allowed === 'False').length,
    },
    ...(budget && { budget }),
    signals: { ...signals },
  };
}

function countBy<T>(items: readonly T[], by: (item: T) => string | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const name = by(item);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const isFailure = ({ phase }: RemediationSummary): boolean => phase === 'Failed' || phase === 'TimedOut' || phase === 'Skipped';
const isRemediated = ({ outcome }: RemediationSummary): boolean => outcome === 'Remediated';

function lastDay(remediations: readonly RemediationSummary[], since: Instant): Summary['lastDay'] {
  const from = toTime(since);
  const finished = remediations.filter(({ phase, completedAt = '' }) => isTerminal(remediationPhases, phase) && completedAt >= from);
  const remediated = finished.filter(isRemediated);
  const ran = finished.filter(
    ({ score, outcome, failureReason }) => score !== undefined || outcome === 'Remediated' || failureReason !== undefined,
  );
  const scores = finished.flatMap(({ score }) => score ?? []);
  const medianSeconds = median(remediated.flatMap(secondsOf));
  return {
    opened: remediations.filter(({ createdAt }) => createdAt >= from).length,
    finished: finished.length,
    remediated: remediated.length,
    failed: finished.filter(isFailure).length,
    ...(medianSeconds !== undefined && { medianSeconds }),
    ...(ran.length > 0 && { successRate: remediated.length / ran.length }),
    ...(scores.length > 0 && { averageScore: scores.reduce((sum, score) => sum + score, 0) / scores.length }),
  };
}

const secondsOf = ({ createdAt, completedAt }: RemediationSummary): readonly number[] => {
  const [from, to] = [parseTime(createdAt), parseTime(completedAt)];
  return from === undefined || to === undefined ? [] : [Math.max(0, (to - from) / 1000)];
};

/** The middle one; undefined without any. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : sorted.length === 0 ? undefined : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function hoursOf(remediations: readonly RemediationSummary[], now: Instant): Summary['hours'] {
  const current = Math.floor(now / HOUR);
  const hours = Array.from({ length: HOURS }, (_, index) => ({
    from: toTime(instant((current - HOURS + 1 + index) * HOUR)),
    opened: 0,
    remediated: 0,
    failed: 0,
    other: 0,
  }));
  const hourOf = (time: string | undefined) => hours[Math.floor((parseTime(time) ?? 0) / HOUR) - (current - HOURS + 1)];
  for (const row of remediations) {
    const opened = hourOf(row.createdAt);
    if (opened) opened.opened++;
    const ended = isTerminal(remediationPhases, row.phase) ? hourOf(row.completedAt) : undefined;
    if (ended) ended[isRemediated(row) ? 'remediated' : isFailure(row) ? 'failed' : 'other']++;
  }
  return hours;
}
