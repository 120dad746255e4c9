import { readFileSync } from 'node:fs';
import { errorOf, failureOf, StorageError } from '../base/sqlite/index.ts';
import type { TrailFiles } from './audit-database.ts';
import type { Checkpoint } from './chain/checkpoint.ts';
import { checkpointsIn } from './chain/checkpoint.ts';
import type { TrailRow } from './chain/trail-row.ts';
import { TrailCheck, type Verification } from './chain/verify-trail.ts';
import { rowsOfPostgres } from './postgres/postgres-audit-log.ts';
import { isDatabaseUrl } from './postgres/postgres-connection.ts';
import { demandKeys, rowsOfTrail, verifyFile } from './trail-reader.ts';

/** Every event of a trail, in its order: of a file, of an export, or of the PostgreSQL database at an address. */
export async function* rowsOf(trail: string): AsyncGenerator<TrailRow> {
  try {
    yield* isDatabaseUrl(trail) ? rowsOfPostgres(trail) : rowsOfTrail(trail);
  } catch (error) {
    throw said(trail, error);
  }
}

/** Verifies any trail with the keys in a file. */
export async function verifyAny(files: TrailFiles, checkpoints: readonly Checkpoint[]): Promise<Verification> {
  if (!isDatabaseUrl(files.path)) return reading(files.path, () => verifyFile(files, checkpoints));
  const check = new TrailCheck({ keys: reading(files.keys, () => demandKeys('the trail', files.keys)), checkpoints });
  for await (const row of rowsOfPostgres(files.path)) check.next(row);
  return check.end();
}

/** The checkpoints in a file, which has to be there. */
export const readCheckpoints = (path: string): readonly Checkpoint[] =>
  reading(path, () => checkpointsIn(readFileSync(path, 'utf8'), path));

function reading<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw said(path, error);
  }
}

/** What is wrong with a file, with its path and what to do. */
const said = (path: string, error: unknown): unknown =>
  error instanceof StorageError || isOfSystem(error) ? errorOf(failureOf({ doing: 'reading', path }, error)) : error;

/** Of SQLite or of the file system. */
const isOfSystem = (error: unknown): boolean => {
  const { errcode, syscall } = error as { readonly errcode?: unknown; readonly syscall?: unknown };
  return errcode !== undefined || syscall !== undefined;
};
