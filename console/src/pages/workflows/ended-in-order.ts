import type { RemediationSummary } from '../../../../src/server/contract/index.ts';

export type Ended = RemediationSummary & { readonly completedAt: string };

/** Remediations that have ended, the first to end first. */
export const endedInOrder = (rows: readonly RemediationSummary[]): readonly Ended[] =>
  rows
    .filter((row): row is Ended => row.completedAt !== undefined)
    .toSorted((a, b) => (a.completedAt < b.completedAt ? -1 : Number(a.completedAt > b.completedAt)));

/** What a strip of them shows, for those who cannot see it. */
export function wordsOf(ended: readonly Ended[]): string {
  const remediated = ended.filter(({ outcome }) => outcome === 'Remediated').length;
  const scores = ended.flatMap(({ score }) => score ?? []);
  const average = scores.length === 0 ? 'unknown' : (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(2);
  return `${ended.length} ended, ${remediated} of them Remediated; average score ${average}`;
}
