import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ensureFile, StorageError } from '../base/sqlite/index.ts';
import type { AuditEvent, AuditQuery } from './audit-log.ts';
import { selectEvents, type AuditTables, type Engine } from './audit-queries.ts';
import { COLUMNS, eventIn, recordedIn, valuesOf, type Row } from './audit-rows.ts';
import { keysForChain, type TrailFiles } from './audit-adoption.ts';
import { INDEXES, member, SCHEMA } from './audit-schema.ts';
import type { AuditKey } from './chain/audit-keys.ts';
import { demandNewestKey, type SealedEnd } from './chain/newest-key.ts';
import { CHAIN_START, rowOf, sealed, type ChainEnd } from './chain/trail-row.ts';

/** How long to wait for a reader who is in the way. */
const BUSY_MS = 2_000;

/** The table of events, in a file. Others may read the file meanwhile. */
export class AuditDatabase {
  readonly #db: DatabaseSync;
  readonly #known: readonly AuditKey[];
  readonly #keys: string;
  readonly #insert: StatementSync;

  /** Events without a chain are adopted where that is safe, or asked for. */
  constructor({ path, keys }: TrailFiles, { adopt = false }: { readonly adopt?: boolean } = {}) {
    this.#keys = keys;
    ensureFile(path, SCHEMA);
    this.#db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#db.exec('pragma synchronous = full');
      this.#known = keysForChain(this.#db, { path, keys }, adopt);
      this.#db.exec(INDEXES);
      this.#insert = this.#db.prepare(
        `insert into event (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')}) on conflict do nothing`,
      );
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** All or none. The lock comes first: what is appended follows what another process may have appended before. */
  append(events: readonly AuditEvent[]): void {
    this.#db.exec('begin immediate');
    try {
      let end: SealedEnd = this.#sealedEnd();
      demandNewestKey(end, { known: this.#known, path: this.#keys });
      for (const event of events) {
        const row = sealed(rowOf(event), end, { key: this.#known.at(-1)! });
        if (this.#insert.run(...valuesOf(row)).changes > 0) end = row;
        else this.#demandEvent(row.id);
      }
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** The last event. */
  end(): ChainEnd {
    const { sequence, hash } = this.#sealedEnd();
    return { sequence, hash };
  }

  /** How many events are older than the chain. */
  adopted(): number {
    return (this.#db.prepare('select count(*) as count from event where adopted = 1').get() as { readonly count: number }).count;
  }

  #sealedEnd(): SealedEnd {
    const last = this.#db.prepare('select seq, hash, key_id from event order by seq desc limit 1').get() as
      Pick<Row, 'seq' | 'hash' | 'key_id'> | undefined;
    return last ? { sequence: last.seq, hash: last.hash, keyId: last.key_id } : CHAIN_START;
  }

  /** Nothing was inserted: only an event that is there already was recorded. */
  #demandEvent(id: string): void {
    if (this.#db.prepare('select 1 from event where id = ?').get(id)) return;
    throw new StorageError(
      'Terminal',
      `writing the event ${id}: the database dropped it; remove the trigger on the table event that does so`,
    );
  }

  find(query: AuditQuery): readonly AuditEvent[] {
    const { sql: text, values } = selectOf(query);
    const rows = this.#db.prepare(text).all(...values) as unknown as readonly Row[];
    return rows.map((row) => eventIn(recordedIn(row))).toReversed();
  }

  close(): void {
    this.#db.close();
  }
}

/** Compiles queries; it is connected to nothing, since the thread that owns the file asks it without waiting. */
const QUERIES = new Kysely<AuditTables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const SQLITE: Engine = { member: (name) => sql<string | null>`${sql.raw(member(name))}`, plainType: sql<string>`+type` };

export function selectOf(query: AuditQuery): { readonly sql: string; readonly values: readonly SQLInputValue[] } {
  const compiled = selectEvents(QUERIES, SQLITE, query).compile();
  return { sql: compiled.sql, values: compiled.parameters as readonly SQLInputValue[] };
}
