/**
 * `npm test`: runs the tests (all, or those its arguments select), stores a record of the run, and ends with what was and was not proved.
 * Lanes whose servers are there mostly wait for them, so a whole run has them run beside the unit tests.
 * `npm test -- --watch` runs them again whenever a file changes, and stores no record.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lanes } from '../src/testkit/lane.ts';
import { programs, root, runProgram } from './program.ts';
import { closingLines, failures } from './test-run/closing.ts';
import { LAST_RUN, mergedRun, RECORD_SETTING } from './test-run/record.ts';
import type { TestRun } from './test-run/record.ts';
import { tracksOf, type Track } from './test-run/tracks.ts';

const args = process.argv.slice(2);
process.exitCode = args.some((arg) => arg === '--watch' || arg === '-w') ? await runProgram(programs.vitest, args) : await runAndClose();

async function runAndClose(): Promise<number> {
  mkdirSync(join(root, dirname(LAST_RUN)), { recursive: true });
  rmSync(join(root, LAST_RUN), { force: true });
  // Selected tests print as they go; only a whole run is divided into tracks.
  const tracks = args.length === 0 ? tracksOf(lanes, process.env) : [{ name: 'selected', args, isMain: true }];
  const ends = await Promise.all(tracks.map((track) => runTrack(track, tracks.length > 1)));
  const code = ends.find((end) => end.code !== 0)?.code ?? 0;
  const missing = tracks.filter((_, i) => ends[i]?.run === undefined);
  for (const { name } of missing) console.error(`the test runner of ${name} ended without a record of its run`);
  if (missing.length > 0) return code === 0 ? 1 : code;
  const run = mergedRun(ends.flatMap((end) => end.run ?? []));
  writeFileSync(join(root, LAST_RUN), JSON.stringify(run, undefined, 1));
  for (const line of closingLines(run, lanes, process.env)) console.log(line);
  return code === 0 && failures(run) > 0 ? 1 : code;
}

async function runTrack(
  { name, args: ofTrack, isMain }: Track,
  isBackground: boolean,
): Promise<{ readonly code: number; readonly run: TestRun | undefined }> {
  const path = join(root, dirname(LAST_RUN), `track ${name}`);
  const [record, output] = [`${path}.json`, `${path}.log`];
  rmSync(record, { force: true });
  // The unit tests need the cores; servers that share them must answer in time.
  const options = { env: { [RECORD_SETTING]: record }, ...(isMain ? { isBackground } : { output }) };
  const code = await runProgram(programs.vitest, ['run', ...ofTrack], options);
  if (!isMain) process.stdout.write(`\n${name}:\n${readFileSync(output, 'utf8')}`);
  return { code, run: existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')) as TestRun) : undefined };
}
