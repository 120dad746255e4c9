import { seededRandom, type Random } from '../../src/base/random.ts';
import type { Row } from './rows.ts';

/**
 * A sample of rows for a review by hand: break each rule with the smallest edit of the product code, and see whether a test with the id of the row
 * turns red. The same seed draws the same rows. The files take turns, so that a short page is not missed.
 */
export function drawRows(rows: readonly Row[], count: number, seed: number): readonly Row[] {
  const random = seededRandom(seed);
  const piles = [...Map.groupBy(rows, ({ file }) => file).values()].map((pile) => shuffled(pile, random));
  const longest = Math.max(0, ...piles.map((pile) => pile.length));
  const turns = Array.from({ length: longest }, (_, turn) => piles.flatMap((pile) => pile.slice(turn, turn + 1)));
  return turns.flat().slice(0, count);
}

/** Every order is equally likely. */
function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.int(left.length), 1));
}
