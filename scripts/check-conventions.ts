/** Prints what breaks the conventions of scripts/conventions; ends with 1 when anything does. */
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { offencesIn, type SourceFile } from './conventions/offences.ts';
import { privateWordsIn, refusedWords } from './conventions/words.ts';
import { WORDS_BACKLOG } from './conventions/words-backlog.ts';

const code = read('{src,test,scripts,workflows,console}/**/*.{ts,tsx,mjs}');
const prose = read('{*.md,{docs,deploy,workflows,test}/**/*.{md,yaml,tpl,txt}}');
const offences = [...code.flatMap(offencesIn), ...refusedWords([...code, ...prose].flatMap(privateWordsIn), WORDS_BACKLOG)];
for (const { path, line, message } of offences) console.error(`${path}:${line}: ${message}`);
process.exitCode = offences.length > 0 ? 1 : 0;

function read(pattern: string): readonly SourceFile[] {
  const paths = globSync(pattern, { exclude: ['**/node_modules/**', 'console/dist/**'] }).toSorted();
  return paths.map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}
