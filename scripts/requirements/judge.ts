import type { RecordedTest } from '../test-run/record.ts';
import { idsInTitle } from './rows.ts';
import type { Row } from './rows.ts';

/** A decision record and the rows that it answers. */
export interface Answer {
  readonly record: string;
  readonly ids: readonly string[];
}

/** The state of a row and its proof: test titles, or a decision record. */
export interface JudgedRow extends Row {
  readonly state: 'proved' | 'answered' | 'open';
  readonly by: readonly string[];
}

export interface Judgement {
  readonly rows: readonly JudgedRow[];
  /** Errors that make the report fail. Open rows do not. */
  readonly problems: readonly string[];
}

/** What the states of the rows are derived from. */
export interface Evidence {
  readonly rows: readonly Row[];
  readonly tests: readonly RecordedTest[];
  readonly answers: readonly Answer[];
}

/** Of this many rows, one may be answered by a record instead of a test. */
const ROWS_PER_ANSWER = 20;

/** Decides for each row whether it is proved, answered or open. A row with a failing test is open even if another test or a record covers it. */
export function judge({ rows, tests, answers }: Evidence): Judgement {
  const evidence = testsById(tests);
  const judged = rows.map((row) => judgeRow(row, evidence.get(row.id) ?? [], answers));
  return { rows: judged, problems: [...twice(rows), ...unknown(rows, tests, answers), ...tooManyAnswers(judged)] };
}

function judgeRow(row: Row, tests: readonly RecordedTest[], answers: readonly Answer[]): JudgedRow {
  const passed = tests.filter((test) => test.state === 'passed');
  const failed = tests.some((test) => test.state === 'failed');
  if (failed) return { ...row, state: 'open', by: [] };
  if (passed.length > 0) return { ...row, state: 'proved', by: passed.map((test) => `${test.file}: ${test.title}`) };
  const records = answers.filter((answer) => answer.ids.includes(row.id)).map((answer) => answer.record);
  return { ...row, state: records.length > 0 ? 'answered' : 'open', by: records };
}

function testsById(tests: readonly RecordedTest[]): ReadonlyMap<string, readonly RecordedTest[]> {
  const found = new Map<string, RecordedTest[]>();
  for (const test of tests) {
    for (const id of idsInTitle(test.title)) found.set(id, [...(found.get(id) ?? []), test]);
  }
  return found;
}

function twice(rows: readonly Row[]): readonly string[] {
  const ids = rows.map((row) => row.id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => `${id} is listed twice`);
}

function unknown(rows: readonly Row[], tests: readonly RecordedTest[], answers: readonly Answer[]): readonly string[] {
  const known = new Set(rows.map((row) => row.id));
  const unknownIds = (ids: readonly string[], where: string): readonly string[] =>
    ids.filter((id) => !known.has(id)).map((id) => `${id} is not a requirement: ${where}`);
  return [
    ...tests.flatMap((test) => unknownIds(idsInTitle(test.title), `${test.file}: ${test.title}`)),
    ...answers.flatMap((answer) => unknownIds(answer.ids, answer.record)),
  ];
}

function tooManyAnswers(rows: readonly JudgedRow[]): readonly string[] {
  const answered = rows.filter((row) => row.state === 'answered').length;
  const allowed = Math.floor(rows.length / ROWS_PER_ANSWER);
  return answered > allowed ? [`${answered} rows are answered by decision records; at most ${allowed} of ${rows.length} may be`] : [];
}
