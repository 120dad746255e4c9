/** One benchmark: a ratio with both of its sides, measured in the same run, so that it means the same on every machine. */
export interface BenchResult {
  readonly name: string;
  readonly ratio: number;
  readonly numerator: number;
  readonly denominator: number;
  /** What both sides are counted in. */
  readonly unit: string;
  /** The ratio to reach, e.g. `≥ 0.9`. */
  readonly goal: string;
  /** What else was measured, one line each. */
  readonly details?: readonly string[];
}
