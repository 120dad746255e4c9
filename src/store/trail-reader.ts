import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-adoption.ts';
import { trailRowIn, type Row } from './audit-rows.ts';
import { demandChain } from './audit-schema.ts';
import type { AuditKey } from './chain/audit-keys.ts';
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

export function demandFile(path: string): void {
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
  return verifyTrail(rowsOfTrail(path), { keys: demandKeys(path, keys), checkpoints });
}

/** The keys to verify a trail with. */
export function demandKeys(trail: string, path: string): readonly AuditKey[] {
  const known = readKeys(path);
  if (!known)
    throw new StorageError('Terminal', `verifying ${trail}: there is no file ${path} with its keys; restore it, or name another one`);
  return known;
}
