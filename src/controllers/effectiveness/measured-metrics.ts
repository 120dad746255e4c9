import type { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { after, instant, MINUTE, parseTime, type Instant } from '../../base/index.ts';
import { alignedWindow, type Prometheus } from '../../monitoring/index.ts';
import type { Settings } from '../settings.ts';
import { metricsOf } from './scorers/metric-queries.ts';
import { averagesOf, type Measured, type MetricSpan } from './scorers/metrics.ts';
import { faultSpan, timingOf } from './timing.ts';

/** So much of the time before the fault and after the end is shown too. */
const AROUND_MS = 10 * MINUTE;

/** What was measured of a target, for people to look at. */
export interface MeasuredMetrics {
  readonly from: Instant;
  readonly to: Instant;
  readonly span: MetricSpan;
  readonly measured: readonly (Measured & ReturnType<typeof averagesOf>)[];
  /** Why there are none, or not all. */
  readonly problem?: string;
}

export interface MeasureDeps {
  readonly now: Instant;
  readonly settings: Settings;
  readonly prometheus: Prometheus | undefined;
}

/** The metrics that the score compares, from before the fault until after the assessment. */
export async function readMeasuredMetrics(object: EffectivenessAssessment, deps: MeasureDeps): Promise<MeasuredMetrics> {
  const { now, settings, prometheus } = deps;
  const { scrapeIntervalMs } = settings.external;
  const fault = faultSpan(object, scrapeIntervalMs);
  const span = { ...fault, from: timingOf(object, settings).checkAfter };
  const end = parseTime(object.status?.completedAt);
  const window = alignedWindow({
    from: after(fault.faultFrom ?? fault.faultTo, -AROUND_MS),
    to: end === undefined ? now : instant(Math.min(now, after(end, AROUND_MS))),
    stepMs: scrapeIntervalMs,
  });
  const seen = { from: window.from, to: window.to, span };
  const metrics = metricsOf(object.spec.remediationTarget, object.spec);
  if (!prometheus) return { ...seen, measured: [], problem: 'Prometheus is not configured (effectivenessAssessment.prometheusUrl)' };
  if (metrics.length === 0) return { ...seen, measured: [], problem: `no metrics are known for a ${object.spec.remediationTarget.kind}` };
  const answers = await Promise.all(metrics.map(({ query }) => prometheus.range({ query, ...window })));
  const measured = metrics.flatMap((metric, index) => {
    const answer = answers[index];
    if (answer?.kind !== 'value') return [];
    // What came after the assessment is shown, and counts for nothing.
    const judged = answer.value.filter(({ at }) => end === undefined || at <= end);
    return [{ metric, samples: answer.value, ...averagesOf(judged, span) }];
  });
  const unreadable = answers.find((answer) => answer.kind !== 'value');
  return { ...seen, measured, ...(unreadable?.kind === 'unreadable' && { problem: unreadable.reason }) };
}
