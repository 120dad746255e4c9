import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf, newSecret, PlatformError } from '../../base/index.ts';
import { hasErrno } from './has-errno.ts';

/** A folder for the files of a local run. They hold a token, so only their owner may read them. */
export interface StateFolder {
  readonly path: string;
  write(name: string, text: string): Promise<string>;
  /** The content of the file; generated the first time. */
  secret(name: string, make: () => string): Promise<string>;
  /** Removes the folder if it was made for this run alone. */
  close(): Promise<void>;
}

/** Opens the folder, or a temporary one that is removed with the run. The storage refuses a folder that another run uses. */
export async function openStateFolder(wanted: string | undefined): Promise<StateFolder> {
  if (wanted !== undefined) return named(resolve(wanted));
  const path = await mkdtemp(join(tmpdir(), 'sickbay-'));
  return { path, ...filesIn(path), close: () => rm(path, { recursive: true, force: true }) };
}

async function named(path: string): Promise<StateFolder> {
  try {
    await ensureFolder(path);
    return { path, ...filesIn(path), close: () => Promise.resolve() };
  } catch (error) {
    throw new PlatformError('Invalid', `--state: ${messageOf(error)}`, { cause: error });
  }
}

function filesIn(path: string): Pick<StateFolder, 'write' | 'secret'> {
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(path, name);
    // A reader sees the former text or this one, and a crash leaves one of them.
    const fresh = `${file}.${newSecret().slice(0, 8)}`;
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, file);
    return file;
  };
  const secret = async (name: string, make: () => string): Promise<string> => {
    try {
      return await readFile(join(path, name), 'utf8');
    } catch (error) {
      if (!hasErrno(error, 'ENOENT')) throw error;
      const made = make();
      await write(name, made);
      return made;
    }
  };
  return { write, secret };
}

/** Creates the folder unless it exists, but not its parents: a mistyped path should not become a folder. */
async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (hasErrno(error, 'EEXIST') && (await stat(path)).isDirectory()) return;
    if (hasErrno(error, 'EEXIST')) throw new PlatformError('Invalid', `${path} is not a folder`, { cause: error });
    if (hasErrno(error, 'ENOENT')) throw new PlatformError('Invalid', `there is no folder ${dirname(path)}`, { cause: error });
    throw error;
  }
}
