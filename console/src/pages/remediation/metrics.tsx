import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { queries } from '../../data/queries.ts';
import { Loading } from '../../parts/states.tsx';

/** Fetched only where there is something to plot. */
const MetricPlot = lazy(async () => ({ default: (await import('./metric-plot.tsx')).MetricPlot }));

/** What was measured before, during and after the fault. */
export function Metrics({ remediation }: { readonly remediation: string }) {
  const { data, error } = useQuery(queries.metrics(remediation));
  if (error) return <p className="dim">Its metrics could not be read: {error.message}</p>;
  if (!data) return undefined;
  const measured = data.metrics.filter(({ samples }) => samples.length > 0);
  if (measured.length === 0) return data.message !== undefined && <p className="dim">No metrics: {data.message}.</p>;
  return (
    <>
      {data.message !== undefined && <p className="dim">{data.message}</p>}
      <Suspense fallback={<Loading what="the plots" />}>
        {measured.map((metric) => (
          <MetricPlot key={metric.name} of={metric} span={data} />
        ))}
      </Suspense>
      <p className="dim">Shaded: the fault. Lines: the workflow started; what follows the second counts as after.</p>
    </>
  );
}
