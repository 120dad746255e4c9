/** Prints every offence against the conventions of scripts/conventions; exits with 1 when there is one. */
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { offencesIn } from './conventions/offences.ts';

const paths = globSync('{src,test,scripts,workflows}/**/*.{ts,mjs}', { exclude: ['**/node_modules/**'] }).toSorted();
const offences = paths.flatMap((path) => offencesIn({ path: path.split(sep).join('/'), text: readFileSync(path, 'utf8') }));
for (const { path, line, message } of offences) console.error(`${path}:${line}: ${message}`);
process.exitCode = offences.length > 0 ? 1 : 0;
