/**
 * `npm run requirements [-- --open] [-- -o json]`: which requirements the last test run proves, and which are open.
 * `npm run requirements -- --draw 40 --seed 7`: a repeatable sample of rows, for a review of what their tests notice.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './program.ts';
import { drawRows } from './requirements/draw.ts';
import { judge } from './requirements/judge.ts';
import { report } from './requirements/report.ts';
import { idsAnswered, rowsIn } from './requirements/rows.ts';
import { countLine } from './test-run/closing.ts';
import { LAST_RUN } from './test-run/record.ts';
import type { TestRun } from './test-run/record.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = (folder: string): readonly string[] => globSync(`docs/${folder}/*.md`, { cwd: root }).toSorted();

const { values } = parseArgs({
  options: {
    open: { type: 'boolean', default: false },
    output: { type: 'string', short: 'o', default: 'text' },
    draw: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const rows = pages('requirements').flatMap((page) => rowsIn(basename(page), read(page)));
if (values.draw !== undefined) {
  for (const row of drawRows(rows, Number(values.draw), Number(values.seed))) console.log(`${row.id} ${row.text}`);
} else if (existsSync(join(root, LAST_RUN))) {
  const run = JSON.parse(read(LAST_RUN)) as TestRun;
  const answers = pages('decisions').map((page) => ({ record: basename(page), ids: idsAnswered(read(page)) }));
  const judgement = judge({ rows, tests: run.tests, answers });
  const selected = values.open ? { ...judgement, rows: judgement.rows.filter((row) => row.state === 'open') } : judgement;
  if (values.output === 'json') console.log(JSON.stringify(selected, undefined, 2));
  else console.log([`last run: ${countLine(run)}`, ...report(judgement, values)].join('\n'));
  process.exitCode = judgement.problems.length > 0 ? 1 : 0;
} else {
  console.error(`there is no ${LAST_RUN}: run npm test first`);
  process.exitCode = 1;
}
