export const VERSION_1_TRIGGERS = `
  create trigger event_stays before update on event begin select raise(abort, 'the audit trail is never changed'); end;
  create trigger event_lasts before delete on event begin select raise(abort, 'nothing is removed from the audit trail'); end;
  create trigger event_is_first before insert on event when exists (select 1 from event where id = new.id or seq = new.seq)
    begin select raise(ignore); end;`;

/** A trail as the first version of Sickbay made it, before trails had a chain. */
export const VERSION_1 = `
  pragma journal_mode = wal;
  begin;
  pragma application_id = ${0x53696341};
  pragma user_version = 1;
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
  ${VERSION_1_TRIGGERS}
  commit;`;
