import type { DatabaseSync } from 'node:sqlite';
import { RESTORE, StorageError } from '../base/sqlite/index.ts';
import { FOUND_BY, type FoundBy } from './audit-log.ts';
import type { AuditKey } from './chain/audit-keys.ts';
import { CHAIN_START, sealed, type ChainEnd } from './chain/trail-row.ts';
import { recordedIn, type Row } from './audit-rows.ts';

/** Marks a file as an audit trail of ours: "SicA" in ASCII. */
const APPLICATION_ID = 0x53696341;
/** The form of the table below: 2 added the chain. A newer one is refused. */
export const SCHEMA_VERSION = 2;

const CHAIN_COLUMNS = ["key_id text not null default ''", "hash text not null default ''", 'adopted integer not null default 0'];

const STAYS = `create trigger event_stays before update on event begin select raise(abort, 'the audit trail is never changed'); end;`;

export const SCHEMA = `
  pragma journal_mode = wal;
  begin;
  pragma application_id = ${APPLICATION_ID};
  pragma user_version = ${SCHEMA_VERSION};
  create table event (
    seq integer primary key check (seq between 1 and ${Number.MAX_SAFE_INTEGER}),
    id text not null unique,
    type text not null,
    correlation_id text not null,
    at text not null,
    subject_kind text not null,
    subject_namespace text not null,
    subject_name text not null,
    subject_uid text not null,
    data text not null,
    ${CHAIN_COLUMNS.join(',\n    ')}
  ) strict;
  create index event_of on event (correlation_id);
  create index event_type on event (type);
  ${STAYS}
  create trigger event_lasts before delete on event begin select raise(abort, 'nothing is removed from the audit trail'); end;
  create trigger event_is_first before insert on event when exists (select 1 from event where id = new.id or seq = new.seq)
    begin select raise(ignore); end;
  commit;`;

/** A member of the data, as SQLite finds it. */
export const member = (name: FoundBy): string => `json_extract(data, '$.${name}')`;

/** No part of the form: a file that lacks them gets them, and a program that does not know them is not in their way. */
export const INDEXES = FOUND_BY.map(
  (name) => `create index if not exists event_by_${name} on event (${member(name)}, at) where ${member(name)} is not null;`,
).join('\n');

/** The version of a trail; refuses what is not one, or is of a newer program. What is damaged shows when it is read: a trail of years is not read through at every start. */
export function versionOf(db: DatabaseSync, path: string): number {
  const refuse = (why: string): never => {
    throw new StorageError('Terminal', `opening ${path}: ${why}; ${RESTORE}`);
  };
  const { application_id: owner } = db.prepare('pragma application_id').get() as { application_id: number };
  if (owner !== APPLICATION_ID) refuse('it is the database of another program');
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number };
  if (version < 1 || version > SCHEMA_VERSION)
    refuse(`its form is version ${version}, this program knows 1 to ${SCHEMA_VERSION}: use the program that wrote it`);
  return version;
}

/** Refuses a trail without a chain, for those who only read it. */
export function demandChain(db: DatabaseSync, path: string): void {
  if (versionOf(db, path) < SCHEMA_VERSION)
    throw new StorageError(
      'Terminal',
      `reading ${path}: it has no chain; a Sickbay that is started with it adds one where the trail never had a key; otherwise ` +
        `"sickbay audit adopt ${path}" does, and nothing proves what was recorded until then`,
    );
}

/** So many events are read at a time. */
const PAGE = 1_000;

/** SQLite's least integer. */
const LEAST = -(2n ** 63n);

/** Version 1 had no chain: its events are adopted as they are found, gaps included. */
export function addChain(db: DatabaseSync, key: AuditKey): void {
  for (const column of CHAIN_COLUMNS) db.exec(`alter table event add column ${column}`);
  db.exec('drop trigger event_stays');
  const read = db.prepare('select * from event where seq >= ? order by seq limit ?');
  const write = db.prepare('update event set key_id = ?, hash = ?, adopted = 1 where seq = ?');
  let end: ChainEnd = CHAIN_START;
  // Also numbers that no event gets, which are for the verification to find.
  for (let rows = pageFrom(LEAST); rows.length > 0; rows = pageFrom(end.sequence + 1))
    for (const row of rows) {
      const next = sealed(recordedIn(row), { sequence: row.seq - 1, hash: end.hash }, { key, adopted: true });
      write.run(next.keyId, next.hash, next.sequence);
      end = next;
    }
  db.exec(STAYS);
  db.exec(`pragma user_version = ${SCHEMA_VERSION}`);

  function pageFrom(seq: number | bigint): readonly Row[] {
    return read.all(seq, PAGE) as unknown as readonly Row[];
  }
}
