import { instant, type Instant } from '../base/index.ts';

/** A stretch of time, and how far apart the points in it are. */
export interface Window {
  readonly from: Instant;
  readonly to: Instant;
  readonly stepMs: number;
}

/** Far below the 11,000 points of a series that Prometheus answers with at most. */
const MOST_POINTS = 1_000;

/**
 * The window on the grid of its step: who looks at nearly the same stretch at nearly the same time asks the very same. It ends at or before
 * `to`, and begins at or before `from`.
 */
export function alignedWindow({ from, to, stepMs }: Window): Window {
  const points = Math.ceil((to - from) / stepMs);
  const step = stepMs * Math.max(1, Math.ceil(points / MOST_POINTS));
  const floor = (moment: Instant): Instant => instant(Math.floor(moment / step) * step);
  return { from: floor(from), to: floor(to), stepMs: step };
}
