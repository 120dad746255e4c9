/** Regenerates what is generated and names every file that this changed: a fresh tree stays as it is. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, runProgram } from './program.ts';
import { changedFiles } from './verify/changed-files.ts';

const GENERATED_IN = '{deploy,docs,src}/**/*';

/** The content of every file as it is now; the state of git plays no part, so unfinished work can be verified too. */
function snapshot(): ReadonlyMap<string, string> {
  const files = globSync(GENERATED_IN, { cwd: root }).filter((path) => statSync(join(root, path)).isFile());
  return new Map(
    files.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  );
}

const before = snapshot();
process.exitCode = await runProgram('scripts/generate.ts');
const changed = changedFiles(before, snapshot());
if (changed.length > 0) {
  console.error(`generated files were out of date, and have been written again:\n  ${changed.join('\n  ')}`);
  process.exitCode = 1;
}
