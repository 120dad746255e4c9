import type { Instant } from '../../../base/index.ts';
import type { Sample } from '../../../monitoring/index.ts';
import type { Metric } from './metric-queries.ts';

/** A metric with what was measured, in the order of time. */
export interface Measured {
  readonly metric: Metric;
  readonly samples: readonly Sample[];
}

/** The two moments between which the remediation lies. */
export interface MetricSpan {
  /** What was measured earlier is from before. */
  readonly before: Instant;
  /** What was measured from here on is from after. */
  readonly from: Instant;
}

/**
 * How much the metrics improved, from 0 to 1; without a score where they say nothing. `missing` where there is nothing to compare: for good
 * where nothing was measured before, since the past does not change any more.
 */
export type MetricsFinding =
  | { readonly kind: 'compared'; readonly score?: number; readonly message: string }
  | { readonly kind: 'missing'; readonly reason: string; readonly isForGood: boolean };

interface Comparison {
  readonly name: string;
  readonly improvement: number | undefined;
}

/** The plain average over the metrics that were measured before and after. */
export function scoreMetrics(measured: readonly Measured[], span: MetricSpan): MetricsFinding {
  const compared = measured.flatMap((one) => compare(one, span));
  if (compared.length === 0) return whatIsMissing(measured, span);
  const scored = compared.flatMap(({ improvement }) => (improvement === undefined ? [] : [improvement]));
  if (scored.length === 0) return { kind: 'compared', message: 'its metrics are zero before and after' };
  const score = scored.reduce((sum, one) => sum + one, 0) / scored.length;
  return { kind: 'compared', score: Number(score.toFixed(9)), message: `improvement of its metrics: ${compared.map(inWords).join(', ')}` };
}

function compare({ metric, samples }: Measured, { before, from }: MetricSpan): readonly Comparison[] {
  const pre = samples.find(({ at }) => at < before);
  const post = samples.findLast(({ at }) => at >= from);
  return pre && post ? [{ name: metric.name, improvement: improvementOf(pre.value, post.value, metric.isBetter) }] : [];
}

/**
 * From 0 (no better, or worse) to 1. Undefined where it was zero and still is, and where one of them is no number: that says nothing.
 * @example improvementOf(200, 50, 'lower') === 0.75
 */
export function improvementOf(pre: number, post: number, isBetter: Metric['isBetter']): number | undefined {
  if (!Number.isFinite(pre) || !Number.isFinite(post)) return undefined;
  if (pre === 0) return post === 0 ? undefined : post > 0 === (isBetter === 'higher') ? 1 : 0;
  const change = (post - pre) / Math.abs(pre);
  return Math.min(1, Math.max(0, isBetter === 'higher' ? change : -change));
}

function whatIsMissing(measured: readonly Measured[], { before }: MetricSpan): MetricsFinding {
  const has = (test: (sample: Sample) => boolean): boolean => measured.some(({ samples }) => samples.some(test));
  if (has(({ at }) => at < before)) return { kind: 'missing', reason: 'Prometheus has no metrics of it since the run', isForGood: false };
  const reason = has(() => true) ? 'Prometheus has no metrics of it from before the run' : 'Prometheus has no metrics of it';
  return { kind: 'missing', reason, isForGood: true };
}

const inWords = ({ name, improvement }: Comparison): string =>
  `${name} ${improvement === undefined ? 'zero as before' : `${Math.round(improvement * 100)} %`}`;
