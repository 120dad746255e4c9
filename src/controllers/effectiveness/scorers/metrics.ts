import { given, type Instant } from '../../../base/index.ts';
import type { Sample } from '../../../monitoring/index.ts';
import type { Metric } from './metric-queries.ts';

/** A metric with what was measured, in the order of time. */
export interface Measured {
  readonly metric: Metric;
  readonly samples: readonly Sample[];
}

/** The time of the fault, and the time after the remediation; what was measured between or earlier counts for neither. */
export interface MetricSpan {
  /** From the start of the fault, or from the first sample on. */
  readonly faultFrom?: Instant | undefined;
  /** The workflow started: what was measured from here on is no longer the fault. */
  readonly faultTo: Instant;
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
  readonly improvement?: number;
  /** Why it says nothing, where it has no improvement. */
  readonly unscored?: string;
}

/** A metric that changed by less than this share changed by chance. */
const CLEAR_CHANGE = 0.2;

/** The plain average over the metrics that were measured during the fault and after it, and that the fault is about. */
export function scoreMetrics(measured: readonly Measured[], span: MetricSpan): MetricsFinding {
  const compared = measured.flatMap((one) => compare(one, span));
  if (compared.length === 0) return whatIsMissing(measured, span);
  const scored = compared.flatMap(({ improvement }) => (improvement === undefined ? [] : [improvement]));
  if (scored.length === 0) return { kind: 'compared', message: `its metrics say nothing: ${compared.map(inWords).join(', ')}` };
  const score = scored.reduce((sum, one) => sum + one, 0) / scored.length;
  return { kind: 'compared', score: Number(score.toFixed(9)), message: `improvement of its metrics: ${compared.map(inWords).join(', ')}` };
}

function compare({ metric, samples }: Measured, span: MetricSpan): readonly Comparison[] {
  const { during: pre, after: post } = averagesOf(samples, span);
  if (pre === undefined || post === undefined) return [];
  const { name, isBetter } = metric;
  if (metric.onlyIfChanged === true && Math.abs(post - pre) < CLEAR_CHANGE * Math.abs(pre)) return [{ name, unscored: 'as before' }];
  const improvement = improvementOf(pre, post, isBetter);
  return [improvement === undefined ? { name, unscored: 'zero as before' } : { name, improvement }];
}

/** The averages that are compared: of the fault, and since the first check; undefined where nothing was measured. */
export const averagesOf = (samples: readonly Sample[], span: MetricSpan): { readonly during?: number; readonly after?: number } =>
  given({ during: mean(samples.filter((sample) => isOfFault(sample, span))), after: mean(samples.filter(({ at }) => at >= span.from)) });

const isOfFault = ({ at }: Sample, { faultFrom, faultTo }: MetricSpan): boolean =>
  at < faultTo && (faultFrom === undefined || at >= faultFrom);

const mean = (samples: readonly Sample[]): number | undefined =>
  samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0) / samples.length;

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

function whatIsMissing(measured: readonly Measured[], span: MetricSpan): MetricsFinding {
  const has = (test: (sample: Sample) => boolean): boolean => measured.some(({ samples }) => samples.some(test));
  if (has((sample) => isOfFault(sample, span)))
    return { kind: 'missing', reason: 'Prometheus has no metrics of it since the run', isForGood: false };
  const reason = has(() => true) ? 'Prometheus has no metrics of it from the time of the fault' : 'Prometheus has no metrics of it';
  return { kind: 'missing', reason, isForGood: true };
}

const inWords = ({ name, improvement, unscored }: Comparison): string =>
  `${name} ${improvement === undefined ? unscored : `${Math.round(improvement * 100)} %`}`;
