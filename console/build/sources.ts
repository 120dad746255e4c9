/** What the built console depends on: its sources and the versions of the packages in it. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

/** The folder of the console. */
export const CONSOLE_FOLDER = resolve(import.meta.dirname, '..');

/** What a server serves. */
export const DIST_FOLDER = join(CONSOLE_FOLDER, 'dist');

/** The file in it that names the sources it was built from. */
const RECORD = 'sources.sha256';

/** A digest of everything that the built console depends on. */
export function digestOfSources(): string {
  const digest = createHash('sha256');
  const files = globSync(['index.html', 'vite.config.ts', 'tsconfig.json', '{src,public,build}/**/*.*', '../src/client/*.ts'], {
    cwd: CONSOLE_FOLDER,
  }).toSorted();
  for (const file of files)
    digest
      .update(file.split(sep).join('/'))
      .update('\0')
      .update(readFileSync(join(CONSOLE_FOLDER, file)));
  return digest.update(JSON.stringify(packageVersions())).digest('hex');
}

/** Undefined when there is none, or it is incomplete. */
function digestOfBuilt(): string | undefined {
  try {
    return readFileSync(join(DIST_FOLDER, RECORD), 'utf8');
  } catch {
    return undefined;
  }
}

/** Whether a server may serve `console/dist` as it is. The package has the built console without its sources. */
export const isBuilt = (): boolean => {
  const built = digestOfBuilt();
  return existsSync(join(CONSOLE_FOLDER, 'index.html')) ? built === digestOfSources() : built !== undefined;
};

/** The name and the text of the record of such a build. */
export const recordOf = (digest: string): { readonly name: string; readonly text: string } => ({ name: RECORD, text: digest });

/** Exact versions: package.json names no ranges. */
function packageVersions(): unknown {
  const { dependencies } = JSON.parse(readFileSync(join(CONSOLE_FOLDER, '../package.json'), 'utf8')) as { dependencies: unknown };
  return dependencies;
}
