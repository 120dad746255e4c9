import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { turn } from '../../base/index.ts';
import { StorageError } from '../../base/sqlite/index.ts';
import type { AuditEvent, AuditLog } from '../audit-log.ts';
import { selectEvents, type AuditTables } from '../audit-queries.ts';
import { eventIn, recordedIn, rowFor, trailRowIn, type Row } from '../audit-rows.ts';
import type { AuditKey } from '../chain/audit-keys.ts';
import type { ChainedTrail } from '../chain/chained-trail.ts';
import { makeOne, readKeys } from '../chain/key-file.ts';
import { demandNewestKey, type SealedEnd } from '../chain/newest-key.ts';
import { CHAIN_START, rowOf, sealed, type ChainEnd, type TrailRow } from '../chain/trail-row.ts';
import { TrailCheck } from '../chain/verify-trail.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { LOCK, POSTGRES } from './postgres-schema.ts';

/** So many events are read at a time: to check them takes a few milliseconds, in which nothing else runs. */
const PAGE = 250;

export interface PostgresTrailOptions {
  readonly url: string;
  /** The file of the keys, the same for every replica. */
  readonly keys: string;
}

/** A trail in a PostgreSQL database, which several replicas may use. */
export function openPostgresAuditLog({ url, keys }: PostgresTrailOptions): AuditLog & ChainedTrail {
  const connection = new PostgresConnection(url, 'write');
  return {
    append: (events) => connection.use('writing to', (db) => append(db, events, keys)),
    find: (query) =>
      connection.use('reading', async (db) => {
        const rows = await selectEvents(db, POSTGRES, query).execute();
        return rows.map((row) => eventIn(recordedIn(row))).toReversed();
      }),
    end: () =>
      connection.use('reading', async (db) => {
        const { sequence, hash } = await endOf(db);
        return { sequence, hash };
      }),
    async verify(checkpoints, signal) {
      const known = await connection.use('reading', () => Promise.resolve(keysIn(keys)));
      const check = new TrailCheck({ keys: known, checkpoints });
      for await (const row of rowsOver(connection, signal)) check.next(row);
      return check.end();
    },
    close: () => connection.close(),
  };
}

/** Every event of a trail in a database, in its order. */
export async function* rowsOfPostgres(url: string): AsyncGenerator<TrailRow> {
  const connection = new PostgresConnection(url, 'read');
  try {
    yield* rowsOver(connection);
  } finally {
    await connection.close();
  }
}

/** Events that are appended meanwhile may be among them: the chain is the same. */
async function* rowsOver(connection: PostgresConnection, signal?: AbortSignal): AsyncGenerator<TrailRow> {
  const page = (after?: number) => connection.use('reading', (db) => pageAfter(db, after));
  for (let rows = await page(); rows.length > 0; rows = await page(rows.at(-1)!.sequence)) {
    yield* rows;
    await turn();
    signal?.throwIfAborted();
  }
}

/** The lock makes one chain of what several replicas append. */
async function append(db: Kysely<AuditTables>, events: readonly AuditEvent[], keys: string): Promise<void> {
  const known = keysIn(keys);
  // Where nothing is appended, too: a replica of the database takes no events.
  await db
    .transaction()
    .setAccessMode('read write')
    .execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
      const end = await endOf(trx);
      demandNewestKey(end, { known, path: keys });
      const rows = sealedRows(await newEvents(trx, events), end, known.at(-1)!);
      if (rows.length > 0) await insert(trx, rows);
    });
}

/** A trigger or a rule can swallow what is inserted: only what was counted was written. */
async function insert(db: Kysely<AuditTables>, rows: readonly Row[]): Promise<void> {
  const { numInsertedOrUpdatedRows: written } = await db.insertInto('event').values(rows).executeTakeFirstOrThrow();
  if (written !== BigInt(rows.length))
    throw new StorageError(
      'Terminal',
      `${rows.length} events were to be written, and the database wrote ${written ?? 0n}: remove the trigger or rule on sickbay.event that drops them`,
    );
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

async function endOf(db: Kysely<AuditTables>): Promise<SealedEnd> {
  const last = await db.selectFrom('event').select(['seq', 'hash', 'key_id']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return last ? { sequence: last.seq, hash: last.hash, keyId: last.key_id } : CHAIN_START;
}

async function pageAfter(db: Kysely<AuditTables>, after: number | undefined): Promise<readonly TrailRow[]> {
  const page = db.selectFrom('event').selectAll().orderBy('seq').limit(PAGE);
  // Without a bound at first: also a number that no event gets has to be found.
  const rows = await (after === undefined ? page : page.where('seq', '>', after)).execute();
  return rows.map(trailRowIn);
}

/** No key is made for a database: every replica has to have the same. */
function keysIn(path: string): readonly [AuditKey, ...AuditKey[]] {
  const found = readKeys(path);
  if (!found)
    throw new StorageError(
      'Terminal',
      `there is no file ${path} with the keys of the trail; make one (${makeOne(path)}), the same for every replica`,
    );
  return found;
}
