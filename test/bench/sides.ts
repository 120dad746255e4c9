/** Two sides of a ratio, measured in turn, so that whatever else the machine does meets both alike. */
export interface Sides {
  readonly numerator: number;
  readonly denominator: number;
  readonly ratio: number;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Measures A, B, A, B …; the medians are compared. The first round of each warms up and is dropped. */
export async function inTurn(a: () => Promise<number> | number, b: () => Promise<number> | number, rounds = 7): Promise<Sides> {
  const as: number[] = [];
  const bs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    as.push(await a());
    bs.push(await b());
  }
  const numerator = median(as.slice(1));
  const denominator = median(bs.slice(1));
  return { numerator, denominator, ratio: numerator / denominator };
}

/** How often per second `once` runs, over `times` runs. */
export async function perSecond(times: number, once: (i: number) => unknown): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < times; i++) await once(i);
  return (times * 1_000) / (performance.now() - start);
}
