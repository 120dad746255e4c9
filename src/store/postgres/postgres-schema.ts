import { sql, type Kysely, type RawBuilder } from 'kysely';
import { StorageError } from '../../base/sqlite/index.ts';
import { FOUND_BY, type FoundBy } from '../audit-log.ts';
import type { AuditTables, Engine } from '../audit-queries.ts';

/** Everything is in a schema of its own, since others may use the database. */
export const SCHEMA_NAME = 'sickbay';

/** Held while the schema is changed, and while events are appended: "SicA" in ASCII. */
export const LOCK = 0x53696341;

/** PostgreSQL reads no JSON text with an escaped zero character or half a surrogate pair: such data is kept, but not found by its members. */
const memberText = (name: FoundBy): string => `case when data ~ '[\\\\]u(0000|d[89a-f])' then null else data::json ->> '${name}' end`;

export const POSTGRES: Engine = {
  member: (name) => sql<string | null>`(${sql.raw(memberText(name))})`,
  plainType: sql<string>`(type || '')`,
};

/** Each brings the schema from its place in the list to the next version. A released one is never changed. */
const MIGRATIONS: readonly (readonly RawBuilder<unknown>[])[] = [
  [
    sql`create table sickbay.event (
      seq bigint primary key,
      id text not null unique,
      type text not null,
      correlation_id text not null,
      at text not null,
      subject_kind text not null,
      subject_namespace text not null,
      subject_name text not null,
      subject_uid text not null,
      data text not null,
      key_id text not null,
      hash text not null,
      adopted smallint not null default 0
    )`,
    sql`create index event_of on sickbay.event (correlation_id)`,
    sql`create index event_type on sickbay.event (type)`,
    ...FOUND_BY.map((name) => {
      const value = sql.raw(memberText(name));
      return sql`create index ${sql.raw(`event_by_${name}`)} on sickbay.event ((${value}), at) where (${value}) is not null`;
    }),
    sql`create function sickbay.refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'the audit trail is never changed, and nothing is removed from it'; end $$`,
    sql`create trigger event_stays before update or delete or truncate on sickbay.event
      for each statement execute function sickbay.refuse_change()`,
  ],
  // What is there already is for the verification to find.
  [
    sql`alter table sickbay.event add constraint event_has_a_place check (seq between 1 and ${sql.raw(String(Number.MAX_SAFE_INTEGER))}) not valid`,
  ],
];

/** Brings the database to the form of this program, whole or not at all; refuses one of a newer program. Without a trail, `otherwise` may refuse to make one. */
export async function prepareTrail(db: Kysely<AuditTables>, otherwise?: () => never): Promise<void> {
  // Without the lock, which a trail that is as it should be does not need.
  const version = await versionIn(db);
  if (version === 0) otherwise?.();
  if (version < MIGRATIONS.length) await migrate(db);
}

/** For those who only read: nothing is made or changed. */
export async function demandTrail(db: Kysely<AuditTables>): Promise<void> {
  if ((await versionIn(db)) === 0)
    throw new StorageError(
      'Terminal',
      `there is no audit trail in this database: it has no schema ${SCHEMA_NAME} with events; name the database that Sickbay has as DATABASE_URL`,
    );
}

/** What a process says whose trail vanished. */
export function trailGone(): never {
  throw new StorageError(
    'Terminal',
    `the audit trail is gone: its schema ${SCHEMA_NAME} was dropped while Sickbay ran; restore it from a backup, and writing goes on; ` +
      'or restart Sickbay, which begins a new trail',
  );
}

async function migrate(db: Kysely<AuditTables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    // Another replica may have been faster.
    const version = await versionIn(trx);
    if (version === 0) await makeVersion(trx);
    for (const step of MIGRATIONS.slice(version).flat()) await step.execute(trx);
    if (version < MIGRATIONS.length) await sql`update sickbay.schema_version set version = ${MIGRATIONS.length}`.execute(trx);
  });
}

/** 0 where there is nothing yet. */
async function versionIn(db: Kysely<AuditTables>): Promise<number> {
  // Not to_regclass, which after waiting for the lock still answers from before: it remembers that there was nothing.
  const { rows } = await sql`select 1 from pg_catalog.pg_tables where schemaname = 'sickbay' and tablename = 'schema_version'`.execute(db);
  if (rows.length === 0) return 0;
  const found = await sql<{ version: number }>`select version from sickbay.schema_version`.execute(db);
  const version = found.rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length)
    throw new StorageError(
      'Terminal',
      `its form is version ${version}, this program knows 1 to ${MIGRATIONS.length}: use the program that wrote it`,
    );
  return version;
}

/** Where the schema is there, no right to create one is needed. */
async function makeVersion(db: Kysely<AuditTables>): Promise<void> {
  const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = 'sickbay'`.execute(db);
  if (rows.length === 0) await sql`create schema sickbay`.execute(db);
  await sql`create table if not exists sickbay.schema_version (version integer not null)`.execute(db);
  await sql`delete from sickbay.schema_version`.execute(db);
  await sql`insert into sickbay.schema_version values (0)`.execute(db);
}
