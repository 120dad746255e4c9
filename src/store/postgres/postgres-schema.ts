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
];

/** Brings the database to the form of this program, whole or not at all; refuses one of a newer program. */
export async function migrate(db: Kysely<AuditTables>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const version = await versionIn(trx);
    if (version > MIGRATIONS.length)
      throw new StorageError(
        'Terminal',
        `its form is version ${version}, this program knows 1 to ${MIGRATIONS.length}: use the program that wrote it`,
      );
    for (const step of MIGRATIONS.slice(version).flat()) await step.execute(trx);
    if (version < MIGRATIONS.length) await sql`update sickbay.schema_version set version = ${MIGRATIONS.length}`.execute(trx);
  });
}

/** 0 where there is nothing yet. Where it is there, no right to create a schema is needed. */
async function versionIn(db: Kysely<AuditTables>): Promise<number> {
  const { rows } = await sql<{ schema: string | null; version: string | null }>`
    select to_regnamespace('sickbay')::text as schema, to_regclass('sickbay.schema_version')::text as version`.execute(db);
  if (rows[0]?.schema === null) await sql`create schema sickbay`.execute(db);
  if (rows[0]?.version === null) {
    await sql`create table sickbay.schema_version (version integer not null)`.execute(db);
    await sql`insert into sickbay.schema_version values (0)`.execute(db);
  }
  const found = await sql<{ version: number }>`select version from sickbay.schema_version`.execute(db);
  return found.rows[0]?.version ?? 0;
}
