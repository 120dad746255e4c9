import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ensureFile, isBusy, ownerOf, removeOwner, RESTORE, StorageError, writeOwner } from '../../base/sqlite/index.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './sqlite-schema.ts';

/** The durability of a commit: FULL survives a power cut, NORMAL only the end of the process. */
export type Synchronous = 'FULL' | 'NORMAL';

/** A write in the form for SQLite: without JSON it deletes the row. */
export interface Row {
  readonly table: string;
  readonly key: string;
  readonly revision: number;
  readonly json: string | undefined;
}

/** A stored row. */
export interface FoundRow {
  readonly table: string;
  readonly key: string;
  readonly json: string;
}

export interface DatabaseOptions {
  readonly path: string;
  readonly synchronous: Synchronous;
}

/** A power cut under NORMAL loses at most the commits since the last checkpoint: far fewer than this. */
const SKIPPED_AFTER_NORMAL = 1_000_000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * The state file: one row per object, and one with the last revision. History is in memory only, so there is nothing to
 * compact; the space of deleted rows is used again, and freed at the start when it is most of the file.
 */
export class SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #advance: StatementSync;
  /** Revisions up to this one may not be used again. */
  readonly revision: number;

  constructor({ path, synchronous }: DatabaseOptions) {
    ensureFile(path, SCHEMA);
    this.#path = path;
    this.#db = open(path);
    try {
      this.revision = check(this.#db, path);
      this.#put = this.#db.prepare(
        'insert into object values (?, ?, ?, ?) on conflict do update set revision = excluded.revision, json = excluded.json',
      );
      this.#remove = this.#db.prepare('delete from object where resource = ? and key = ?');
      this.#advance = this.#db.prepare('update meta set revision = ?');
      giveBack(this.#db);
      this.#db.prepare('update meta set revision = ?, synchronous = ?').run(this.revision, synchronous);
      this.#db.exec(`pragma synchronous = ${synchronous}`);
    } catch (error) {
      this.#db.close();
      throw error;
    }
    writeOwner(path);
  }

  /** In the order in which tables keep their keys, so that none has to be sorted. */
  rows(): Iterable<FoundRow> {
    return this.#db.prepare('select resource as "table", key, json from object order by resource, key').iterate() as Iterable<never>;
  }

  /** All or none. */
  commit(rows: readonly Row[]): void {
    const last = rows.at(-1);
    if (!last) return;
    this.#db.exec('begin immediate');
    try {
      for (const row of rows) this.#write(row);
      this.#advance.run(last.revision);
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  close(): void {
    removeOwner(this.#path);
    this.#db.close();
  }

  #write({ table, key, revision, json }: Row): void {
    if (json === undefined) this.#remove.run(table, key);
    else this.#put.run(table, key, revision, json);
  }
}

/** Locks the file for this process alone: from the first read until the process ends. */
function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    db.exec(`pragma locking_mode = exclusive; pragma synchronous = full; pragma journal_size_limit = ${WAL_LIMIT_BYTES};`);
    db.exec('begin exclusive; commit');
    return db;
  } catch (error) {
    db.close();
    if (!isBusy(error)) throw error;
    const advice = 'stop that one first, or give this one another state folder';
    throw new StorageError('Unavailable', `opening ${path}: ${ownerOf(path)} uses it; ${advice}`);
  }
}

/** Refuses a file that is damaged or has another format; returns the revision to continue from. */
function check(db: DatabaseSync, path: string): number {
  const refuse = (why: string): never => {
    throw new StorageError('Terminal', `opening ${path}: ${why}; ${RESTORE}`);
  };
  const { application_id: owner } = db.prepare('pragma application_id').get() as { application_id: number };
  if (owner !== APPLICATION_ID) return refuse('it is the database of another program');
  const [{ quick_check: fault }] = db.prepare('pragma quick_check(1)').all() as [{ quick_check: string }];
  if (fault !== 'ok') return refuse(`it is damaged (${fault})`);
  const meta = db.prepare('select schema, revision, synchronous from meta').get() as Meta | undefined;
  if (!meta) return refuse('it has lost its revision');
  if (meta.schema !== SCHEMA_VERSION)
    return refuse(`its form is version ${meta.schema}, this program knows ${SCHEMA_VERSION}: use the program that wrote it`);
  return meta.revision + (meta.synchronous === 'NORMAL' ? SKIPPED_AFTER_NORMAL : 0);
}

interface Meta {
  readonly schema: number;
  readonly revision: number;
  readonly synchronous: Synchronous;
}

/** Only when most of the file is free: otherwise a state that shrinks and grows again would be rewritten each time. */
function giveBack(db: DatabaseSync): void {
  const { freelist_count: free } = db.prepare('pragma freelist_count').get() as { freelist_count: number };
  const { page_count: all } = db.prepare('pragma page_count').get() as { page_count: number };
  if (free * 2 > all) db.exec('pragma incremental_vacuum');
}
