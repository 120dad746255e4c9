import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { JsonObject } from '../base/index.ts';
import { ensureFile, RESTORE, StorageError } from '../base/sqlite/index.ts';
import { FOUND_BY, MOST_FOUND, type AuditEvent, type AuditQuery, type AuditType, type FoundBy } from './audit-log.ts';

/** Marks a file as an audit trail of ours: "SicA" in ASCII. */
const APPLICATION_ID = 0x53696341;
/** The form of the table below; a file of another one is refused. */
const SCHEMA_VERSION = 1;
/** How long to wait for a reader who is in the way. */
const BUSY_MS = 2_000;

const SCHEMA = `
  pragma journal_mode = wal;
  begin;
  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${SCHEMA_VERSION};
  create table event (
    seq integer primary key,
    id text not null unique,
    type text not null,
    correlation_id text not null,
    at text not null,
    subject_kind text not null,
    subject_namespace text not null,
    subject_name text not null,
    subject_uid text not null,
    data text not null
  ) strict;
  create index event_of on event (correlation_id);
  create index event_type on event (type);
  create trigger event_stays before update on event begin select raise(abort, 'the audit trail is never changed'); end;
  create trigger event_lasts before delete on event begin select raise(abort, 'nothing is removed from the audit trail'); end;
  create trigger event_is_first before insert on event when exists (select 1 from event where id = new.id or seq = new.seq)
    begin select raise(ignore); end;
  commit;`;

const member = (name: FoundBy): string => `json_extract(data, '$.${name}')`;

/** No part of the form: a file that lacks them gets them, and a program that does not know them is not in their way. */
const INDEXES = FOUND_BY.map(
  (name) => `create index if not exists event_by_${name} on event (${member(name)}, at) where ${member(name)} is not null;`,
).join('\n');

interface Row {
  readonly id: string;
  readonly type: AuditType;
  readonly correlation_id: string;
  readonly at: string;
  readonly subject_kind: string;
  readonly subject_namespace: string;
  readonly subject_name: string;
  readonly subject_uid: string;
  readonly data: string;
}

/** The table of events, in a file. Others may read the file meanwhile. */
export class AuditDatabase {
  readonly #db: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(path: string) {
    ensureFile(path, SCHEMA);
    this.#db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      this.#db.exec('pragma synchronous = full');
      check(this.#db, path);
      this.#db.exec(INDEXES);
      this.#insert = this.#db.prepare(
        `insert into event (id, type, correlation_id, at, subject_kind, subject_namespace, subject_name, subject_uid, data)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
      );
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** All or none. */
  append(events: readonly AuditEvent[]): void {
    this.#db.exec('begin immediate');
    try {
      for (const event of events) this.#insert.run(...valuesOf(event));
      this.#db.exec('commit');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback');
      throw error;
    }
  }

  find(query: AuditQuery): readonly AuditEvent[] {
    const { sql, values } = selectOf(query);
    const rows = this.#db.prepare(sql).all(...values) as unknown as readonly Row[];
    return rows.map(eventOf).toReversed();
  }

  close(): void {
    this.#db.close();
  }
}

interface Clause {
  readonly sql: string;
  readonly values: readonly string[];
}

/** The newest first. What narrows most is looked up in its index: a type is kept from being, since most events share it with many. */
export function selectOf(query: AuditQuery): { readonly sql: string; readonly values: readonly SQLInputValue[] } {
  const { correlationId, type, says, since, limit = MOST_FOUND } = query;
  const types = [type ?? []].flat();
  const isNarrow = correlationId !== undefined || says !== undefined;
  const clauses: readonly (Clause | undefined)[] = [
    correlationId === undefined ? undefined : { sql: 'correlation_id = ?', values: [correlationId] },
    says && { sql: `(${says.in.map((name) => `${member(name)} = ?`).join(' or ')})`, values: says.in.map(() => says.value) },
    type === undefined ? undefined : { sql: `${isNarrow ? '+' : ''}type in (${types.map(() => '?').join(', ')})`, values: types },
    since === undefined ? undefined : { sql: 'at >= ?', values: [since] },
  ];
  const wanted = clauses.filter((clause) => clause !== undefined);
  const where = wanted.map(({ sql }) => sql).join(' and ') || 'true';
  return {
    sql: `select * from event where ${where} order by seq desc limit ?`,
    values: [...wanted.flatMap(({ values }) => values), limit],
  };
}

const valuesOf = ({ id, type, correlationId, at, subject, data }: AuditEvent): SQLInputValue[] => [
  id,
  type,
  correlationId,
  at,
  subject.kind,
  subject.namespace,
  subject.name,
  subject.uid,
  JSON.stringify(data),
];

const eventOf = (row: Row): AuditEvent => ({
  id: row.id,
  type: row.type,
  correlationId: row.correlation_id,
  subject: { kind: row.subject_kind, namespace: row.subject_namespace, name: row.subject_name, uid: row.subject_uid },
  at: row.at,
  data: JSON.parse(row.data) as JsonObject,
});

/** Refuses what is not ours. What is damaged shows when it is read: a trail of years is not read through at every start. */
function check(db: DatabaseSync, path: string): void {
  const refuse = (why: string): never => {
    throw new StorageError('Terminal', `opening ${path}: ${why}; ${RESTORE}`);
  };
  const { application_id: owner } = db.prepare('pragma application_id').get() as { application_id: number };
  if (owner !== APPLICATION_ID) refuse('it is the database of another program');
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number };
  if (version !== SCHEMA_VERSION)
    refuse(`its form is version ${version}, this program knows ${SCHEMA_VERSION}: use the program that wrote it`);
}
