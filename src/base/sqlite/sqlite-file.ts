import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { threadId } from 'node:worker_threads';
import { RESTORE, StorageError } from './sqlite-errors.ts';

const OWNER_ONLY = 0o600;

/**
 * Makes sure that there is a database, made whole by `schema` before it gets its name: so a file without content was damaged,
 * never half-made. What is there is left as it is.
 */
export function ensureFile(path: string, schema: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) return checkFile(path);
  if (existsSync(`${path}-wal`))
    throw new StorageError('Terminal', `opening ${path}: it is gone, but its ${path}-wal is there; ${RESTORE}`);
  const draft = `${path}.${process.pid}.${threadId}.new`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', OWNER_ONLY));
  const db = new DatabaseSync(draft);
  db.exec(schema);
  db.close();
  giveName(draft, path);
}

function checkFile(path: string): void {
  const stat = statSync(path);
  if (!stat.isFile()) throw new StorageError('Terminal', `opening ${path}: it is not a file; name another one`);
  if (stat.size === 0) throw new StorageError('Terminal', `opening ${path}: it is empty, which a state file never is; ${RESTORE}`);
}

/** Gives a finished draft its name, durably. A link, unlike a rename, never replaces what another process has just made. */
export function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

/** Windows cannot open folders, and keeps names durable without that. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Names the process that uses a file, in the error of a process that is refused. The lock itself is SQLite's and ends with the process, however that ends. */
export function writeOwner(path: string): void {
  writeFileSync(`${path}.pid`, `${process.pid}\n`, { mode: OWNER_ONLY });
}

export function removeOwner(path: string): void {
  rmSync(`${path}.pid`, { force: true });
}

/** The process that uses a file, where that is known. */
export function ownerOf(path: string): string {
  const pid = readPid(`${path}.pid`);
  if (pid === undefined || !isAlive(pid)) return 'another process';
  return pid === process.pid ? `this process (pid ${pid})` : `process ${pid}`;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Someone else's process is one all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
