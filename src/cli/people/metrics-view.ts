import { given, toTime } from '../../base/index.ts';
import type { MeasuredMetrics } from '../../controllers/effectiveness/index.ts';
import type { RemediationMetrics } from '../../server/index.ts';

/** What was measured, as the HTTP API answers it. */
export const metricsView = ({ from, to, span, measured, problem }: MeasuredMetrics): RemediationMetrics => ({
  from: toTime(from),
  to: toTime(to),
  ranAt: toTime(span.faultTo),
  checkedFrom: toTime(span.from),
  metrics: measured.map(({ metric, samples, during, after }) => ({
    name: metric.name,
    query: metric.query,
    better: metric.isBetter,
    samples: samples.map(({ at, value }) => ({ at: toTime(at), value })),
    ...given({ during, after }),
  })),
  ...given({ faultFrom: span.faultFrom && toTime(span.faultFrom), message: problem }),
});
