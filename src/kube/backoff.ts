import { SECOND, type Random } from '../base/index.ts';

const FIRST_MS = 250;
const LONGEST_MS = 30 * SECOND;

/**
 * How long to wait after the n-th failure in a row: doubling from a quarter of a second, between half and all of it by chance,
 * so that many clients do not come back at once.
 */
export function backoffMs(failures: number, random: Random, longestMs = LONGEST_MS): number {
  const full = Math.min(longestMs, FIRST_MS * 2 ** Math.min(failures - 1, 30));
  return Math.ceil(full * (0.5 + random.next() / 2));
}
