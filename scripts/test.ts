/**
 * `npm test`: runs the tests (all, or those its arguments select), stores a record of the run, and ends with what was and was not proved.
 * `npm test -- --watch` runs them again whenever a file changes, and stores no record.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lanes } from '../src/testkit/lane.ts';
import { programs, root, runProgram } from './program.ts';
import { closingLines, failures } from './test-run/closing.ts';
import { LAST_RUN, RECORD_SETTING } from './test-run/record.ts';
import type { TestRun } from './test-run/record.ts';

const args = process.argv.slice(2);
process.exitCode = args.some((arg) => arg === '--watch' || arg === '-w') ? await runProgram(programs.vitest, args) : await runOnce();

async function runOnce(): Promise<number> {
  const record = join(root, LAST_RUN);
  rmSync(record, { force: true });
  const code = await runProgram(programs.vitest, ['run', ...args], { [RECORD_SETTING]: record });
  if (!existsSync(record)) {
    console.error('the test runner ended without a record of its run');
    return code === 0 ? 1 : code;
  }
  const run = JSON.parse(readFileSync(record, 'utf8')) as TestRun;
  for (const line of closingLines(run, lanes, process.env)) console.log(line);
  return code === 0 && failures(run) > 0 ? 1 : code;
}
