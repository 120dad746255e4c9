import { describe, expect, test } from 'vitest';
import { drawRows } from './draw.ts';
import type { Row } from './rows.ts';

const page = (file: string, count: number): readonly Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${file}-${i + 1}`, file: `${file}.md`, text: 'holds' }));
const rows = [...page('AA', 50), ...page('BB', 50), ...page('CC', 2)];
const idsOf = (drawn: readonly Row[]): readonly string[] => drawn.map(({ id }) => id);

describe('drawRows', () => {
  test('the same seed draws the same rows, another seed others', () => {
    expect(idsOf(drawRows(rows, 12, 7))).toEqual(idsOf(drawRows(rows, 12, 7)));
    expect(idsOf(drawRows(rows, 12, 7))).not.toEqual(idsOf(drawRows(rows, 12, 8)));
  });

  test('the files take turns until the shortest is used up', () => {
    expect(drawRows(rows, 8, 7).map(({ file }) => file[0])).toEqual(['A', 'B', 'C', 'A', 'B', 'C', 'A', 'B']);
  });

  test('no row is drawn twice, and every row can be drawn', () => {
    expect(idsOf(drawRows(rows, 1_000, 7)).toSorted()).toEqual(idsOf(rows).toSorted());
    const first = Array.from({ length: 500 }, (_, seed) => drawRows(rows, 1, seed)[0]?.id);
    expect(new Set(first)).toEqual(new Set(idsOf(page('AA', 50))));
  });

  test('there may be nothing to draw from', () => {
    expect(drawRows([], 40, 7)).toEqual([]);
  });
});
