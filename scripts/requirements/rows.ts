/** One requirement: one thing that one test can prove. */
export interface Row {
  readonly id: string;
  /** The file under docs/requirements that lists it. */
  readonly file: string;
  readonly text: string;
}

/** The rows of one file: lines of a table that begin with an id. */
export function rowsIn(file: string, markdown: string): readonly Row[] {
  return [...markdown.matchAll(/^\| *([A-Z]{2}-\d+) *\| *(.*?) *(?<!\\)\|/gm)].map(([, id = '', text = '']) => ({ id, file, text }));
}

const ID = String.raw`[A-Z]{2}-\d+`;

/** The ids that a test's title carries in square brackets: `[RR-041]`, `[RR-041, EM-002]`. */
export const idsInTitle = (title: string): readonly string[] =>
  [...title.matchAll(new RegExp(String.raw`\[(${ID}(?:, *${ID})*)\]`, 'g'))].flatMap(([, ids = '']) => ids.split(/, */));

/** The ids that a decision record answers, on lines that begin with `Answers:`. */
export const idsAnswered = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^Answers: *(.*)$/gm)].flatMap(([, ids = '']) => ids.split(/[, ]+/).filter((id) => id !== ''));
