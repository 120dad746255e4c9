/** Builds the console with Vite into `console/dist`, in one step: a server never sees half of it. */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CONSOLE_FOLDER, digestOfSources, DIST_FOLDER, recordOf } from './sources.ts';

/** Builds it from the sources as they are. */
export async function buildConsole(): Promise<void> {
  const digest = digestOfSources();
  const fresh = resolve(CONSOLE_FOLDER, '../node_modules/.sickbay-console', String(process.pid));
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(dirname(fresh), { recursive: true });
  await bundle(fresh);
  compress(fresh);
  const { name, text } = recordOf(digest);
  writeFileSync(join(fresh, name), text);
  replace(DIST_FOLDER, fresh);
}

/** For browsers, whatever the environment of this process says: with another NODE_ENV the development build of React would be shipped. */
async function bundle(outDir: string): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    // Loaded only to build: a start with a built console does without.
    const { build } = await import('vite');
    await build({ configFile: join(CONSOLE_FOLDER, 'vite.config.ts'), build: { outDir } });
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/** Beside each text file two that servers send to browsers as they are; browsers take Brotli only from loopback and over TLS. */
function compress(folder: string): void {
  for (const file of globSync('**/*.{js,css,html,svg}', { cwd: folder })) {
    const path = join(folder, file);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes));
  }
}

/** Two processes may build at once: both builds are complete, so either may stay. */
function replace(target: string, fresh: string): void {
  const old = `${fresh}.old`;
  try {
    renameSync(target, old);
  } catch {
    // There was none.
  }
  try {
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
  rmSync(old, { recursive: true, force: true });
}
