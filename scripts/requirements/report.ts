import type { JudgedRow, Judgement } from './judge.ts';

/** One line per file, then the total and the errors; with `open`, the open rows instead of the proofs. */
export function report({ rows, problems }: Judgement, options: { readonly open: boolean }): readonly string[] {
  const files = [...new Set(rows.map((row) => row.file))];
  const lines = files.flatMap((file) => {
    const own = rows.filter((row) => row.file === file);
    return [tally(file, own), ...details(own, options.open)];
  });
  return [...lines, tally('all', rows), ...problems.map((problem) => `error: ${problem}`)];
}

function tally(name: string, rows: readonly JudgedRow[]): string {
  const count = (state: JudgedRow['state']): number => rows.filter((row) => row.state === state).length;
  return `${name}: ${rows.length} rows, ${count('proved')} proved, ${count('answered')} answered, ${count('open')} open`;
}

const details = (rows: readonly JudgedRow[], open: boolean): readonly string[] =>
  open
    ? rows.filter((row) => row.state === 'open').map((row) => `  ${row.id} ${row.text}`)
    : rows.flatMap((row) => row.by.map((by) => `  ${row.id} ${row.state} by ${by}`));
