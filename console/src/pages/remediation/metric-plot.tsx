import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { RemediationMetrics } from '../../../../src/server/contract/index.ts';
import { axisTime, millisecondsOf } from '../../clock.ts';
import { comparisonText } from './metric-comparison.ts';

type Metric = RemediationMetrics['metrics'][number];
type Span = Pick<RemediationMetrics, 'from' | 'to' | 'faultFrom' | 'ranAt' | 'checkedFrom'>;

const HEIGHT = 120;

/** One metric over time: the fault is shaded, and lines mark the run and where "after" begins. */
export function MetricPlot({ of, span }: { readonly of: Metric; readonly span: Span }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const plot = new uPlot(optionsOf(of, span, element), dataOf(of), element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [of, span]);
  return (
    <figure className="plot">
      <figcaption title={of.query}>
        {of.name} <span className="dim">{comparisonText(of)}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${of.name}: ${comparisonText(of)}`} />
    </figure>
  );
}

const secondsOf = (time: string | undefined): number | undefined => (time === undefined ? undefined : millisecondsOf(time) / 1000);

const dataOf = ({ samples }: Metric): uPlot.AlignedData => [
  samples.map(({ at }) => millisecondsOf(at) / 1000),
  samples.map(({ value }) => value),
];

function optionsOf({ name }: Metric, span: Span, element: HTMLElement): uPlot.Options {
  const color = (variable: string) => getComputedStyle(element).getPropertyValue(variable);
  const axis = { stroke: color('--dim'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [null, 28, null, null],
    legend: { show: false },
    cursor: { y: false },
    scales: { x: { range: (_plot, min, max) => [secondsOf(span.from) ?? min, secondsOf(span.to) ?? max] }, y: { range: fromZero } },
    axes: [
      { ...axis, size: 26, values: (_plot, seconds) => seconds.map(axisTime) },
      { ...axis, size: 60 },
    ],
    series: [{}, { label: name, stroke: color('--link'), width: 2, points: { show: false } }],
    hooks: { drawClear: [(plot) => drawSpan(plot, span, color)] },
  };
}

/** Metrics that are compared are counts and shares: zero is always in view. */
const fromZero: uPlot.Range.Function = (_plot, min, max) => [Math.min(0, min), max > 0 ? max * 1.1 : 1];

function drawSpan(plot: uPlot, { faultFrom, ranAt, checkedFrom, from }: Span, color: (variable: string) => string): void {
  const { ctx, bbox } = plot;
  const x = (time: string | undefined) => Math.round(plot.valToPos(secondsOf(time) ?? 0, 'x', true));
  ctx.save();
  if (ranAt !== undefined) {
    const start = Math.max(x(faultFrom ?? from), bbox.left);
    ctx.fillStyle = color('--failure-back');
    ctx.fillRect(start, bbox.top, Math.max(0, x(ranAt) - start), bbox.height);
  }
  for (const [time, variable] of [
    [ranAt, '--active-text'],
    [checkedFrom, '--success-text'],
  ] as const) {
    if (time === undefined) continue;
    ctx.fillStyle = color(variable);
    ctx.fillRect(x(time), bbox.top, 2, bbox.height);
  }
  ctx.restore();
}
