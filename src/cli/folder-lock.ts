import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrno } from './has-errno.ts';
import { PlatformError } from '../base/index.ts';

/** Takes a folder for this process; resolves to what gives it back. A process that was killed holds nothing. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'pid');
  if (!(await claim(file))) {
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isAlive(holder)) throw inUse(folder, holder);
    await rm(file, { force: true });
    if (!(await claim(file))) throw inUse(folder);
  }
  return () => rm(file, { force: true });
}

async function claim(file: string): Promise<boolean> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // It is there, but somebody else's.
    return hasErrno(error, 'EPERM');
  }
}

const inUse = (folder: string, pid?: number): PlatformError =>
  new PlatformError(
    'Conflict',
    `${folder} is in use${pid === undefined ? '' : ` by process ${pid}`}: stop that run, or choose another folder`,
  );
