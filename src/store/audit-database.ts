import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ensureFile, StorageError } from '../base/sqlite/index.ts';
import type { AuditEvent, AuditQuery } from './audit-log.ts';
import { selectEvents, type AuditTables, type Engine } from './audit-queries.ts';
import { COLUMNS, eventIn, recordedIn, valuesOf, type Row } from './audit-rows.ts';
import { INDEXES, member, migrate, SCHEMA, versionOf } from './audit-schema.ts';
import type { AuditKey } from './chain/audit-keys.ts';
import { makeKeys, readKeys } from './chain/key-file.ts';
import { CHAIN_START, rowOf, sealed, type ChainEnd } from './chain/trail-row.ts';

/** How long to wait for a reader who is in the way. */
const BUSY_MS = 2_000;

/** Where a trail is, and where its keys. */
export interface TrailFiles {
  readonly path: string;
  readonly keys: string;
}

/** The table of events, in a file. Others may read the file meanwhile. */
export class AuditDatabase {
  readonly #db: DatabaseSync;
  readonly #key: AuditKey;
  readonly #insert: StatementSync;

  constructor({ path, keys }: TrailFiles) {
    ensureFile(path, SCHEMA);
    this.#db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#db.exec('pragma synchronous = full');
      versionOf(this.#db, path);
      this.#key = keyFor(this.#db, keys);
      migrate(this.#db, path, this.#key);
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
      let end = this.end();
      for (const event of events) {
        const row = sealed(rowOf(event), end, { key: this.#key });
        if (this.#insert.run(...valuesOf(row)).changes > 0) end = row;
      }
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  /** The last event. */
  end(): ChainEnd {
    const last = this.#db.prepare('select seq, hash from event order by seq desc limit 1').get() as Pick<Row, 'seq' | 'hash'> | undefined;
    return last ? { sequence: last.seq, hash: last.hash } : CHAIN_START;
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

/**
 * The key for new events. A trail that has a chain never gets a key by itself: its events would be proved by none, and only the lost file
 * can tell whether that was intended.
 */
function keyFor(db: DatabaseSync, path: string): AuditKey {
  const found = readKeys(path);
  if (!found && hasChain(db))
    throw new StorageError(
      'Terminal',
      `opening the audit trail: the file of its keys, ${path}, is gone; restore it from a backup, or make a new one ` +
        `(openssl rand -hex 32 > ${path}), which cannot prove the events recorded until now`,
    );
  return (found ?? makeKeys(path)).at(-1)!;
}

const hasChain = (db: DatabaseSync): boolean =>
  db.prepare("select 1 from pragma_table_info('event') where name = 'hash'").get() !== undefined &&
  db.prepare('select 1 from event limit 1').get() !== undefined;
