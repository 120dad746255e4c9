/**
 * Generates files from src/api (deploy/crds, deploy/policies, deploy/rbac*.yaml, templates of deploy/chart, docs/kinds) and from
 * src/config (deploy/config.yaml and docs/configuration.md).
 *
 *   node scripts/generate.ts            writes
 *   node scripts/generate.ts --check    writes nothing; names stale files and exits with 1 if there are any
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GENERATED_FOLDERS, generatedFiles } from './generate/generated-files.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const read = (path: string): string | undefined => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined);
const found = (folder: string): string[] =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [];

const files = generatedFiles();
const stale = files.filter(({ path, text }) => read(path) !== text);
const known = new Set(files.map(({ path }) => path));
const obsolete = GENERATED_FOLDERS.flatMap(found).filter((path) => !known.has(path));

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.log(`stale: ${path}`);
  for (const path of obsolete) console.log(`not generated any more: ${path}`);
  process.exitCode = stale.length + obsolete.length > 0 ? 1 : 0;
} else {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of obsolete) rmSync(join(root, path), { recursive: true });
  console.log(`${stale.length} written, ${obsolete.length} removed, ${files.length - stale.length} up to date`);
}
