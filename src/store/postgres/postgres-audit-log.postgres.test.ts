import { sql } from 'kysely';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { describeWithPostgres } from '../../testkit/lanes.ts';
import { freePorts } from '../../testkit/free-ports.ts';
import { keysIn } from '../chain/audit-keys.ts';
import type { Checkpoint } from '../chain/checkpoint.ts';
import { readKeys } from '../chain/key-file.ts';
import { CHAIN_START, sealed, type ChainEnd, type TrailRow } from '../chain/trail-row.ts';
import type { Verification } from '../chain/verify-trail.ts';
import { aPostgresTrail, type PostgresTrail } from '../testing/a-postgres-trail.ts';
import { anEvent } from '../testing/an-event.ts';
import { REMEDIATIONS } from '../testing/a-trail.ts';
import { testAuditLog } from '../testing/audit-log-suite.ts';
import { openPostgresAuditLog, rowsOfPostgres } from './postgres-audit-log.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { LOCK } from './postgres-schema.ts';

const findings = ({ findings: found }: Verification): readonly string[] => found.map(({ kind, from, to }) => `${kind} ${from}-${to}`);

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error: unknown) => (error as Error).message,
  );

async function rowsOf(url: string): Promise<readonly TrailRow[]> {
  const rows: TrailRow[] = [];
  for await (const row of rowsOfPostgres(url)) rows.push(row);
  return rows;
}

describeWithPostgres('an audit log in PostgreSQL', (server) => {
  testAuditLog(async () => (await aPostgresTrail(server())).open());

  test('several replicas that append at once make one chain, and record each event once', async () => {
    const trail = await aPostgresTrail(server());
    const logs = [trail.open(), trail.open(), trail.open()];
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => logs[i % 3]!.append([anEvent(`shared-${i % 10}`), anEvent(`own-${i}`), anEvent(`own-${i}`)])),
    );
    expect(await logs[0]!.verify([])).toMatchObject({ findings: [], events: 40 });
  });

  test('a batch is recorded whole or not at all', async () => {
    const trail = await aPostgresTrail(server());
    const log = trail.open();
    await log.append([anEvent('a')]);
    await trail.query(`alter table sickbay.event add constraint no_bad check (id <> 'bad')`);
    expect(await failureOf(log.append([anEvent('b'), anEvent('bad')]))).toContain('violates check constraint "no_bad"');
    expect((await log.find({})).map(({ id }) => id)).toEqual(['a']);
  });

  test('finds events by what the data says without reading all others', async () => {
    const trail = await aPostgresTrail(server());
    const log = trail.open();
    await log.append(Array.from({ length: 2_000 }, (_, i) => anEvent(`${i}`, { data: { target: `t-${i}` } })));
    expect(await log.find({ says: { in: ['target', 'root'], value: 't-77' }, limit: 5 })).toHaveLength(1);
    await trail.query('analyze sickbay.event');
    const plan = await trail.query(
      `explain select * from sickbay.event where (case when data ~ '[\\\\]u(0000|d[89a-f])' then null else data::json ->> 'target' end) = 't-77'`,
    );
    expect(JSON.stringify(plan)).toContain('event_by_target');
  });

  test.for(["'; drop table event; --", '$1', '\\', '"', '%_', '\u0000', '\ud800', '\u{1f600}'])(
    '%j is a text like any other',
    async (text) => {
      const trail = await aPostgresTrail(server());
      const log = trail.open();
      const stored = text.toWellFormed().replaceAll('\0', '\ufffd');
      await log.append([anEvent(text, { correlationId: text, data: { target: text } })]);
      const [found] = await log.find({ correlationId: stored });
      expect(found).toEqual(anEvent(stored, { correlationId: stored, data: { target: text } }));
      expect(await log.verify([])).toMatchObject({ findings: [], events: 1 });
    },
  );

  test('refuses changes, deletions and truncation', async () => {
    const trail = await aPostgresTrail(server());
    await trail.open().append([anEvent('a')]);
    for (const sql of [`update sickbay.event set data = '{}'`, 'delete from sickbay.event', 'truncate sickbay.event'])
      expect(await failureOf(trail.query(sql))).toBe('the audit trail is never changed, and nothing is removed from it');
  });
});

/** An event that never happened. */
const COPY_OF_12 = `insert into event select AT, 'made-up', type, correlation_id, at, subject_kind, subject_namespace, subject_name, subject_uid,
  data, key_id, hash, adopted from event where seq = 12`;

/** Events `e1` to `e12`, of three remediations by turns. */
async function aChainedTrail(server: string): Promise<PostgresTrail> {
  const trail = await aPostgresTrail(server);
  await trail
    .open()
    .append(
      Array.from({ length: 12 }, (_, i) => anEvent(`e${i + 1}`, { correlationId: REMEDIATIONS[i % 3]!, data: { phase: `p${i + 1}` } })),
    );
  return trail;
}

/** Seals all events again, changed, with this key. */
async function rewrite(trail: PostgresTrail, key: { readonly id: string; readonly secret: string }): Promise<void> {
  let end: ChainEnd = CHAIN_START;
  for (const row of await rowsOf(trail.url)) {
    const next = sealed({ ...row, data: '{}' }, end, { key });
    await trail.tamper(`update event set data = '{}', key_id = '${next.keyId}', hash = '${next.hash}' where seq = ${next.sequence}`);
    end = next;
  }
}

describeWithPostgres('tampering with a database is found', (server) => {
  test.for([
    { name: 'an edit', sql: `update event set data = '{"phase":"nicer"}' where seq = 4`, want: ['Changed 4-4'] },
    { name: 'deletion of an event', sql: 'delete from event where seq = 5', want: ['Missing 5-5'] },
    {
      name: 'deletion of an event, with the others moved up',
      sql: 'delete from event where seq = 5; update event set seq = -seq where seq > 5; update event set seq = -seq - 1 where seq < 0',
      want: ['Changed 5-11'],
    },
    {
      name: 'deletion of a remediation',
      sql: `delete from event where correlation_id = 'rr-b'`,
      want: ['Missing 2-2', 'Missing 5-5', 'Missing 8-8', 'Missing 11-11'],
    },
    {
      name: 'another order',
      sql: 'update event set seq = 99 where seq = 6; update event set seq = 6 where seq = 7; update event set seq = 7 where seq = 99',
      want: ['Changed 6-8'],
    },
    { name: 'an event before the first', sql: `${COPY_OF_12.replace('AT', '-3')}`, want: ['OutOfOrder -3--3'] },
    { name: 'an event with number 0', sql: `${COPY_OF_12.replace('AT', '0')}`, want: ['OutOfOrder 0-0'] },
  ])('$name', async ({ sql, want }) => {
    const trail = await aChainedTrail(server());
    await trail.tamper(sql);
    expect(findings(await trail.open().verify([]))).toEqual(want);
  });

  test('a number that no event gets, which ends the verification with an error', async () => {
    const trail = await aChainedTrail(server());
    await trail.tamper(COPY_OF_12.replace('AT', '9007199254740993'));
    expect(await failureOf(trail.open().verify([]))).toContain(
      'an event has the number 9007199254740993, which no event gets: a person changed the database',
    );
  });

  test('numbers that no event gets are refused by the schema, also where it is older', async () => {
    const trail = await aChainedTrail(server());
    const insert = (seq: string) => trail.query(`set search_path = sickbay; ${COPY_OF_12.replace('AT', seq)}`);
    expect(await failureOf(insert('0'))).toContain('event_has_a_place');
    await trail.query('alter table sickbay.event drop constraint event_has_a_place; update sickbay.schema_version set version = 1');
    await trail.open().append([anEvent('e13')]);
    expect(await failureOf(insert('9007199254740992'))).toContain('event_has_a_place');
  });

  test('another key', async () => {
    const trail = await aChainedTrail(server());
    await rewrite(trail, keysIn('made-up-by-the-attacker-0123456789abcdef', 'test')[0]);
    expect(findings(await trail.open().verify([]))).toEqual(['UnknownKey 1-12']);
  });

  test('deletion of the tail, by a checkpoint', async () => {
    const trail = await aChainedTrail(server());
    const log = trail.open();
    const checkpoint: Checkpoint = { ...(await log.end()), at: '2026-03-02T12:00:00Z' };
    await trail.tamper('delete from event where seq > 9');
    expect(findings(await log.verify([]))).toEqual([]);
    expect(findings(await log.verify([checkpoint]))).toEqual(['Truncated 10-12']);
  });

  test('a full rewrite by a person who has the key, by a checkpoint', async () => {
    const trail = await aChainedTrail(server());
    const log = trail.open();
    const checkpoint: Checkpoint = { ...(await log.end()), at: '2026-03-02T12:00:00Z' };
    await rewrite(trail, readKeys(trail.keys)![0]);
    expect(findings(await log.verify([]))).toEqual([]);
    expect(findings(await log.verify([checkpoint]))).toEqual(['Rewritten 1-12']);
  });
});

describeWithPostgres('a database that cannot be used', (server) => {
  test('of a newer program: is not changed, and the error says what to do', async () => {
    const trail = await aChainedTrail(server());
    await trail.query('update sickbay.schema_version set version = 7');
    expect(await failureOf(trail.open().append([anEvent('late')]))).toContain(
      'its form is version 7, this program knows 1 to 2: use the program that wrote it',
    );
    await trail.query('update sickbay.schema_version set version = 2');
    expect(await trail.open().find({})).toHaveLength(12);
  });

  test('without a trail: a command that reads it changes nothing', async () => {
    const trail = await aPostgresTrail(server());
    expect(await failureOf(rowsOf(trail.url))).toContain('there is no audit trail in this database');
    expect(await trail.query(`select 1 from pg_namespace where nspname = 'sickbay'`)).toEqual([]);
    await trail.open().append([anEvent('a')]);
    expect(await rowsOf(trail.url)).toHaveLength(1);
  });

  test('whose trail was dropped: that is said, and no empty one takes its place while the process runs', async () => {
    const trail = await aChainedTrail(server());
    const log = trail.open();
    await log.end();
    await trail.query('drop schema sickbay cascade');
    expect(await failureOf(log.verify([]))).toContain(
      'relation "sickbay.event" does not exist; a table of the trail was dropped or renamed',
    );
    expect(await failureOf(log.verify([]))).toContain('the audit trail is gone: its schema sickbay was dropped while Sickbay ran');
    expect(await failureOf(log.append([anEvent('e13')]))).toContain('the audit trail is gone');
    expect(await failureOf(rowsOf(trail.url))).toContain('there is no audit trail in this database');
    await trail.open().append([anEvent('new')]);
    expect(await log.find({})).toHaveLength(1);
  });

  test('that drops what is inserted: nothing is acknowledged', async () => {
    const trail = await aChainedTrail(server());
    await trail.query(`create function drop_it() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger drops before insert on sickbay.event for each row execute function drop_it()`);
    expect(await failureOf(trail.open().append([anEvent('a'), anEvent('b')]))).toContain(
      '2 events were to be written, and the database wrote 0: remove the trigger or rule',
    );
  });

  test('ends the transaction of a replica that stands still, so that it holds no lock', async () => {
    const trail = await aPostgresTrail(server());
    const connection = new PostgresConnection(trail.url, 'write');
    onTestFinished(() => connection.close());
    const shown = await connection.use('reading', (db) =>
      sql<{ idle_in_transaction_session_timeout: string }>`show idle_in_transaction_session_timeout`.execute(db),
    );
    expect(shown.rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }]);
  });

  test('takes no lock where the schema is as it should be', async () => {
    const trail = await aChainedTrail(server());
    const client = new pg.Client({ connectionString: trail.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(`begin; select pg_advisory_xact_lock(${LOCK})`);
    expect(await trail.open().find({})).toHaveLength(12);
  });

  test('of a replica with an older key file: it appends nothing, until it has the new one', async () => {
    const trail = await aChainedTrail(server());
    const old = readFileSync(trail.keys, 'utf8');
    const newer = `${old}another-key-0123456789abcdef0123456789\n`;
    writeFileSync(trail.keys, newer);
    const log = trail.open();
    await log.append([anEvent('e13')]);
    writeFileSync(trail.keys, old);
    expect(await failureOf(log.append([anEvent('e14')]))).toMatch(
      /the last event, 13, is sealed with key [0-9a-f]{16}, which is not in .*: give every replica the same file/,
    );
    writeFileSync(trail.keys, newer);
    await log.append([anEvent('e14')]);
    expect(await log.verify([])).toMatchObject({ findings: [], events: 14 });
  });

  test('works again once the cause is gone, with the same log', async () => {
    const trail = await aPostgresTrail(server());
    rmSync(trail.keys);
    const log = trail.open();
    const message = await failureOf(log.append([anEvent('a')]));
    expect(message).toContain(`there is no file ${trail.keys} with the keys of the trail`);
    writeFileSync(trail.keys, `${'k'.repeat(32)}\n`);
    await log.append([anEvent('a')]);
    await trail.query('alter table sickbay.event rename to away');
    expect(await failureOf(log.append([anEvent('b')]))).toContain('relation "sickbay.event" does not exist');
    await trail.query('alter table sickbay.away rename to event');
    await log.append([anEvent('b')]);
    expect(await log.verify([])).toMatchObject({ findings: [], events: 2 });
  });

  test('whose connections are cut: it connects again, and nothing is written twice', async () => {
    const trail = await aPostgresTrail(server());
    const log = trail.open();
    await log.append([anEvent('a')]);
    await trail.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // Several connections are open: each is found out to be cut when it is used.
    await expect
      .poll(
        () =>
          log.append([anEvent('b')]).then(
            () => 'written',
            () => 'refused',
          ),
        { timeout: 20_000 },
      )
      .toBe('written');
    expect(await log.verify([])).toMatchObject({ findings: [], events: 2 });
  });

  test('that does not exist: the error says what to do', async () => {
    const trail = await aPostgresTrail(server());
    await trail.open().append([anEvent('a')]);
    const missing = Object.assign(new URL(trail.url), { pathname: '/no_such_database' }).href;
    const log = openPostgresAuditLog({ url: missing, keys: trail.keys });
    expect(await failureOf(log.append([]))).toMatch(
      /database "no_such_database" does not exist; create the database; Sickbay retries by itself/,
    );
    await log.close();
  });

  test('no password is shown, in no error', async () => {
    const trail = await aPostgresTrail(server());
    const [port = 1] = await freePorts(1);
    const log = openPostgresAuditLog({ url: `postgres://sickbay:hunter2@127.0.0.1:${port}/audit`, keys: trail.keys });
    const message = await failureOf(log.find({}));
    expect(message).toMatch(/^reading postgres:\/\/127\.0\.0\.1:\d+\/audit: .*ECONNREFUSED.*; start the server, or correct host and port/);
    expect(message).not.toContain('hunter2');
    await log.close();
    expect(await failureOf(log.find({}))).toMatch(/it was closed$/);
  });
});
