import type { RemediationMetrics } from '../../../../src/server/contract/index.ts';

type Metric = RemediationMetrics['metrics'][number];

/** The averages that the score compares, as people read them. */
export const comparisonText = ({ during, after, better }: Pick<Metric, 'during' | 'after' | 'better'>): string =>
  `${numberText(during)} during the fault, ${numberText(after)} after; ${better} is better`;

const numberText = (value: number | undefined): string => (value === undefined ? 'not measured' : Number(value.toPrecision(3)).toString());
