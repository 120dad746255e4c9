import { readFileSync } from 'node:fs';
import type { TrailFiles } from './audit-adoption.ts';
import { checkpointsIn, type Checkpoint, type KeptCheckpoints } from './chain/checkpoint.ts';
import type { TrailRow } from './chain/trail-row.ts';
import { TrailCheck, type Verification } from './chain/verify-trail.ts';
import { rowsOfPostgres } from './postgres/postgres-audit-log.ts';
import { isDatabaseUrl } from './postgres/postgres-connection.ts';
import { reading, said } from './reading.ts';
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
export const readCheckpoints = (path: string): KeptCheckpoints => reading(path, () => checkpointsIn(readFileSync(path, 'utf8'), path));
