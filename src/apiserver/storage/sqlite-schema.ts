/** Identifies the format of the file ("Sick" in ASCII). */
export const APPLICATION_ID = 0x5369636b;
/** The version of the tables below; a file with another version is refused. */
export const SCHEMA_VERSION = 1;

/** The schema of an empty state file. */
export const SCHEMA = `
  pragma page_size = 8192;
  pragma auto_vacuum = incremental;
  pragma journal_mode = wal;
  begin;
  pragma application_id = ${APPLICATION_ID};
  create table meta (
    id integer primary key check (id = 1),
    schema integer not null,
    revision integer not null,
    synchronous text not null
  ) strict;
  insert into meta values (1, ${SCHEMA_VERSION}, 0, 'FULL');
  create table object (
    resource text not null,
    key text not null,
    revision integer not null,
    json text not null,
    primary key (resource, key)
  ) strict;
  commit;`;
