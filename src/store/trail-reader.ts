import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StringDecoder } from 'node:string_decoder';
import { StorageError } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-adoption.ts';
import { trailRowIn, type Row } from './audit-rows.ts';
import { demandChain } from './audit-schema.ts';
import type { AuditKey } from './chain/audit-keys.ts';
import type { Checkpoint } from './chain/checkpoint.ts';
import { readKeys } from './chain/key-file.ts';
import { demandWhole, rowInExport } from './chain/trail-export.ts';
import type { TrailRow } from './chain/trail-row.ts';
import { verifyTrail, type Verification } from './chain/verify-trail.ts';

/** How long to wait for a writer who is in the way. */
const BUSY_MS = 2_000;

/** So much of an export is read at a time. */
const READ_BYTES = 64 * 1024;

/** How an SQLite file begins. */
const SQLITE_MAGIC = 'SQLite format 3\0';

/** Every event of a trail, in its order, as it stands at one time: of a database, which Sickbay may be writing, or of an export. */
export function* rowsOfTrail(path: string, whole = false): Generator<TrailRow> {
  demandFile(path);
  yield* startOf(path) === SQLITE_MAGIC ? rowsOfDatabase(path) : rowsOfExport(path, whole);
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

function* rowsOfExport(path: string, whole: boolean): Generator<TrailRow> {
  let number = 0;
  for (const line of linesOf(path)) {
    const place = `${path}, line ${++number}`;
    if (line.trim() === '') continue;
    if (whole) demandWhole(line, place);
    yield rowInExport(line, place);
  }
}

/** Never the whole file at once: an export of years is larger than a text may be. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  try {
    const bytes = Buffer.alloc(READ_BYTES);
    let rest = '';
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      const lines = (rest + decoder.write(bytes.subarray(0, read))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    yield rest + decoder.end();
  } finally {
    closeSync(file);
  }
}

/** Verifies a trail with the keys in another file. */
export function verifyFile({ path, keys }: TrailFiles, checkpoints: readonly Checkpoint[]): Verification {
  demandFile(path);
  return verifyTrail(rowsOfTrail(path, true), { keys: demandKeys(path, keys), checkpoints });
}

/** The keys to verify a trail with. */
export function demandKeys(trail: string, path: string): readonly AuditKey[] {
  const known = readKeys(path);
  if (!known)
    throw new StorageError('Terminal', `verifying ${trail}: there is no file ${path} with its keys; restore it, or name another one`);
  return known;
}
