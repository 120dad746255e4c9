import type { RemediationMetrics } from '../../../../src/server/contract/index.ts';
import { millisecondsOf } from '../../clock.ts';

type Metric = RemediationMetrics['metrics'][number];
type Span = Pick<RemediationMetrics, 'faultFrom' | 'ranAt' | 'checkedFrom'>;

/** The averages that the score compares, as people read them. */
export function comparisonText({ samples, better }: Pick<Metric, 'samples' | 'better'>, { faultFrom, ranAt, checkedFrom }: Span): string {
  const [faultStart, run, check] = [faultFrom, ranAt, checkedFrom].map((time) => (time === undefined ? undefined : millisecondsOf(time)));
  const during = average(samples, (at) => run !== undefined && at < run && at >= (faultStart ?? -Infinity));
  const after = average(samples, (at) => check !== undefined && at >= check);
  return `${numberText(during)} during the fault, ${numberText(after)} after; ${better} is better`;
}

function average(samples: Metric['samples'], counts: (at: number) => boolean): number | undefined {
  const values = samples.filter(({ at }) => counts(millisecondsOf(at))).map(({ value }) => value);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const numberText = (value: number | undefined): string => (value === undefined ? 'not measured' : Number(value.toPrecision(3)).toString());
