import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { turn } from '../../base/index.ts';
import { StorageError } from '../../base/sqlite/index.ts';
import type { AuditEvent, AuditLog } from '../audit-log.ts';
import { selectEvents, type AuditTables } from '../audit-queries.ts';
import { eventIn, recordedIn, rowFor, trailRowIn, type Row } from '../audit-rows.ts';
import type { AuditKey } from '../chain/audit-keys.ts';
import type { ChainedTrail } from '../chain/chained-trail.ts';
import { readKeys } from '../chain/key-file.ts';
import { CHAIN_START, rowOf, sealed, type ChainEnd, type TrailRow } from '../chain/trail-row.ts';
import { TrailCheck } from '../chain/verify-trail.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { LOCK, POSTGRES } from './postgres-schema.ts';

/** So many events are read at a time. */
const PAGE = 2_000;

export interface PostgresTrailOptions {
  readonly url: string;
  /** The file of the keys, the same for every replica. */
  readonly keys: string;
}

/** A trail in a PostgreSQL database, which several replicas may use. */
export function openPostgresAuditLog({ url, keys }: PostgresTrailOptions): AuditLog & ChainedTrail {
  const connection = new PostgresConnection(url);
  return {
    append: (events) => connection.use('writing to', (db) => append(db, events, keysIn(keys).at(-1)!)),
    find: (query) =>
      connection.use('reading', async (db) => {
        const rows = await selectEvents(db, POSTGRES, query).execute();
        return rows.map((row) => eventIn(recordedIn(row))).toReversed();
      }),
    end: () => connection.use('reading', endOf),
    async verify(checkpoints) {
      const known = await connection.use('reading', () => Promise.resolve(keysIn(keys)));
      const check = new TrailCheck({ keys: known, checkpoints });
      for await (const row of rowsOver(connection)) check.next(row);
      return check.end();
    },
    close: () => connection.close(),
  };
}

/** Every event of a trail in a database, in its order. */
export async function* rowsOfPostgres(url: string): AsyncGenerator<TrailRow> {
  const connection = new PostgresConnection(url);
  try {
    yield* rowsOver(connection);
  } finally {
    await connection.close();
  }
}

/** Events that are appended meanwhile may be among them: the chain is the same. */
async function* rowsOver(connection: PostgresConnection): AsyncGenerator<TrailRow> {
  const page = (after: number) => connection.use('reading', (db) => pageAfter(db, after));
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)!.sequence)) {
    yield* rows;
    await turn();
  }
}

/** The lock makes one chain of what several replicas append. */
async function append(db: Kysely<AuditTables>, events: readonly AuditEvent[], key: AuditKey): Promise<void> {
  // Where nothing is appended, too: a replica of the database takes no events.
  await db
    .transaction()
    .setAccessMode('read write')
    .execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
      const rows = sealedRows(await newEvents(trx, events), await endOf(trx), key);
      if (rows.length > 0) await trx.insertInto('event').values(rows).execute();
    });
}

/** Those whose id is not there yet, each once. */
async function newEvents(db: Kysely<AuditTables>, events: readonly AuditEvent[]): Promise<readonly AuditEvent[]> {
  if (events.length === 0) return [];
  const ids = events.map((event) => rowOf(event).id);
  const found = await db.selectFrom('event').select('id').where('id', 'in', ids).execute();
  const known = new Set(found.map(({ id }) => id));
  return events.filter((_, index) => {
    const id = ids[index]!;
    const isNew = !known.has(id);
    known.add(id);
    return isNew;
  });
}

function sealedRows(events: readonly AuditEvent[], from: ChainEnd, key: AuditKey): readonly Row[] {
  let end = from;
  return events.map((event) => {
    const row = sealed(rowOf(event), end, { key });
    end = row;
    return rowFor(row);
  });
}

async function endOf(db: Kysely<AuditTables>): Promise<ChainEnd> {
  const last = await db.selectFrom('event').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return last ? { sequence: last.seq, hash: last.hash } : CHAIN_START;
}

async function pageAfter(db: Kysely<AuditTables>, after: number): Promise<readonly TrailRow[]> {
  const rows = await db.selectFrom('event').selectAll().where('seq', '>', after).orderBy('seq').limit(PAGE).execute();
  return rows.map(trailRowIn);
}

/** No key is made for a database: every replica has to have the same. */
function keysIn(path: string): readonly [AuditKey, ...AuditKey[]] {
  const found = readKeys(path);
  if (!found)
    throw new StorageError(
      'Terminal',
      `there is no file ${path} with the keys of the trail; make one (openssl rand -hex 32 > ${path}), the same for every replica`,
    );
  return found;
}
