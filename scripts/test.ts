/** `npm test`: runs the tests (all, or those its arguments select), keeps the record, and closes with what was and was not proved. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lanes } from '../src/testkit/lane.ts';
import { programs, root, runProgram } from './program.ts';
import { closingLines, failures } from './test-run/closing.ts';
import { LAST_RUN, RECORD_SETTING } from './test-run/record.ts';
import type { TestRun } from './test-run/record.ts';

const record = join(root, LAST_RUN);
rmSync(record, { force: true });
const code = await runProgram(programs.vitest, ['run', ...process.argv.slice(2)], { [RECORD_SETTING]: record });
if (existsSync(record)) {
  const run = JSON.parse(readFileSync(record, 'utf8')) as TestRun;
  for (const line of closingLines(run, lanes, process.env)) console.log(line);
  process.exitCode = code === 0 && failures(run) > 0 ? 1 : code;
} else {
  console.error('the test runner ended without a record of its run');
  process.exitCode = code === 0 ? 1 : code;
}
