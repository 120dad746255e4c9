import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf, PlatformError } from '../base/index.ts';

/** A folder for the files of a local run. They hold a token, so nobody else may read them. */
export interface StateFolder {
  readonly path: string;
  write(name: string, text: string): Promise<string>;
  /** Removes the folder if it was made for this run alone. */
  close(): Promise<void>;
}

/** Opens the folder, or a fresh one that goes away with the run. */
export async function openStateFolder(wanted: string | undefined): Promise<StateFolder> {
  const path = wanted === undefined ? await mkdtemp(join(tmpdir(), 'sickbay-')) : await ensureFolder(resolve(wanted));
  return {
    path,
    async write(name, text) {
      const file = join(path, name);
      await writeFile(file, text, { mode: 0o600 });
      // The mode above counts only for a new file.
      await chmod(file, 0o600);
      return file;
    },
    close: () => (wanted === undefined ? rm(path, { recursive: true, force: true }) : Promise.resolve()),
  };
}

async function ensureFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    throw new PlatformError('Invalid', `--state ${path}: ${messageOf(error)}`, { cause: error });
  }
}
