import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { errorOf, failureOf, StorageError } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-database.ts';
import { trailRowIn, type Row } from './audit-rows.ts';
import { demandChain } from './audit-schema.ts';
import type { Checkpoint } from './chain/checkpoint.ts';
import { readKeys } from './chain/key-file.ts';
import { rowInExport } from './chain/trail-export.ts';
import type { TrailRow } from './chain/trail-row.ts';
import { verifyTrail, type Verification } from './chain/verify-trail.ts';

/** How long to wait for a writer who is in the way. */
const BUSY_MS = 2_000;

/** How an SQLite file begins. */
const SQLITE_MAGIC = 'SQLite format 3\0';

/** Every event of a trail, in its order, as it stands at one time: of a database, which Sickbay may be writing, or of an export. */
export function* rowsOfTrail(path: string): Generator<TrailRow> {
  demandFile(path);
  yield* startOf(path) === SQLITE_MAGIC ? rowsOfDatabase(path) : rowsOfExport(path);
}

function demandFile(path: string): void {
  if (!statSync(path).isFile()) throw new StorageError('Terminal', `opening ${path}: it is not a file; name another one`);
}

function startOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(SQLITE_MAGIC.length);
    return bytes.toString('latin1', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function* rowsOfDatabase(path: string): Generator<TrailRow> {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  try {
    demandChain(db, path);
    for (const row of db.prepare('select * from event order by seq').iterate()) yield trailRowIn(row as unknown as Row);
  } finally {
    db.close();
  }
}

function* rowsOfExport(path: string): Generator<TrailRow> {
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries())
    if (line.trim() !== '') yield rowInExport(line, `${path}, line ${index + 1}`);
}

/** Verifies a trail with the keys in another file. */
export function verifyFile({ path, keys }: TrailFiles, checkpoints: readonly Checkpoint[]): Verification {
  demandFile(path);
  const known = readKeys(keys);
  if (!known)
    throw new StorageError('Terminal', `verifying ${path}: there is no file ${keys} with its keys; restore it, or name another one`);
  return verifyTrail(rowsOfTrail(path), { keys: known, checkpoints });
}

/** Does something with a trail; what is wrong with the file is said with its path and what to do. */
export function usingTrail<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof StorageError || isOfSystem(error)) throw errorOf(failureOf({ doing: 'reading', path }, error));
    throw error;
  }
}

/** Of SQLite or of the file system. */
const isOfSystem = (error: unknown): boolean => {
  const { errcode, syscall } = error as { readonly errcode?: unknown; readonly syscall?: unknown };
  return errcode !== undefined || syscall !== undefined;
};
