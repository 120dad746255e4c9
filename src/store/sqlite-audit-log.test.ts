import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { alter } from '../base/sqlite/testing/alter.ts';
import { selectOf } from './audit-database.ts';
import { FOUND_BY, type AuditQuery } from './audit-log.ts';
import { openAuditLog } from './sqlite-audit-log.ts';
import { anAuditFile, anAuditPath, anEvent } from './testing/an-event.ts';

/** Threads and processes start slowly on a busy machine. */
const PATIENCE_MS = 60_000;

const failureOf = (work: Promise<unknown>): Promise<Error & { code?: string }> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error: unknown) => error as Error,
  );

/** A trail with one event, closed. */
async function aTrail(): Promise<string> {
  const path = anAuditPath();
  const log = openAuditLog(path);
  await log.append([anEvent('a')]);
  await log.close();
  return path;
}

/** How SQLite would answer. */
function plan(path: string, query: AuditQuery): readonly string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const { sql, values } = selectOf(query);
  const steps = db.prepare(`explain query plan ${sql}`).all(...values) as unknown as readonly { readonly detail: string }[];
  db.close();
  return steps.map(({ detail }) => detail).filter((detail) => !detail.includes('ORDER BY'));
}

describe('an audit file', { timeout: PATIENCE_MS }, () => {
  test('is made with its folder, for its owner only', async () => {
    const path = join(dirname(anAuditPath()), 'deep', 'audit.db');
    await anAuditFile(path).append([anEvent('a')]);
    for (const file of [path, `${path}-wal`]) expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  });

  test('continues where the process before it ended', async () => {
    const log = anAuditFile(await aTrail());
    await log.append([anEvent('a', { data: {} }), anEvent('b')]);
    expect(await log.find({})).toEqual([anEvent('a'), anEvent('b')]);
  });

  test('closing does not wait for a verification', async () => {
    const log = openAuditLog(anAuditPath());
    await log.append(Array.from({ length: 5_000 }, (_, i) => anEvent(`${i}`)));
    const stop = new AbortController();
    const stopped = Promise.allSettled([log.verify([], stop.signal)]);
    await log.end();
    stop.abort();
    const interrupted = Promise.allSettled([log.verify([])]);
    await log.end();
    await log.close();
    for (const [outcome] of [await stopped, await interrupted])
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('thread that uses it has ended') as string },
      });
  });

  test('closing answers the queries made before, and none after', async () => {
    const path = anAuditPath();
    const log = openAuditLog(path);
    const appends = Array.from({ length: 20 }, (_, i) => log.append([anEvent(`${i}`)]));
    await log.close();
    await Promise.all(appends);
    expect((await failureOf(log.append([anEvent('late')]))).message).toBe(`using ${path}: it was closed`);
    expect(await anAuditFile(path).find({})).toHaveLength(20);
  });

  test('can be read by others while it is in use', async () => {
    const path = anAuditPath();
    await anAuditFile(path).append([anEvent('a')]);
    const other = new DatabaseSync(path, { readOnly: true });
    expect(other.prepare('select count(*) as n from event').get()).toEqual({ n: 1 });
    other.close();
  });

  test('of an earlier program gets the indexes that it lacks', async () => {
    const path = await aTrail();
    const other = new DatabaseSync(path);
    for (const name of FOUND_BY) other.exec(`drop index event_by_${name}`);
    other.close();
    const log = anAuditFile(path);
    await log.append([anEvent('b', { data: { target: 'x' } })]);
    expect(await log.find({ says: { in: ['target'], value: 'x' } })).toHaveLength(1);
    expect(plan(path, { says: { in: ['target'], value: 'x' } })).toEqual(['SEARCH event USING INDEX event_by_target (<expr>=?)']);
  });

  test.for<{ query: AuditQuery; by: readonly string[] }>([
    { query: { correlationId: 'rr', type: 'effectiveness.hash.computed' }, by: ['event_of'] },
    {
      query: { says: { in: ['target', 'root'], value: 'x' }, type: ['effectiveness.hash.computed'], since: '2026' },
      by: ['event_by_target', 'event_by_root'],
    },
    {
      query: { says: { in: ['pre', 'post', 'rootPost'], value: 'x' }, type: 'effectiveness.hash.computed', since: '2026' },
      by: ['event_by_pre', 'event_by_post', 'event_by_rootPost'],
    },
  ])('looks up $by and reads no other events', async ({ query, by }) => {
    const searches = plan(await aTrail(), query).filter((step) => /^(SEARCH|SCAN)/.test(step));
    expect(searches.map((step) => /USING INDEX (\w+)/.exec(step)?.[1])).toEqual(by);
  });

  test.for([
    { sql: "update event set data = '{}'", says: 'the audit trail is never changed' },
    { sql: "update event set at = ''", says: 'the audit trail is never changed' },
    { sql: 'delete from event', says: 'nothing is removed from the audit trail' },
  ])('refuses $sql', async ({ sql, says }) => {
    const path = await aTrail();
    const db = new DatabaseSync(path);
    expect(() => db.exec(sql)).toThrow(says);
    db.close();
    expect(await anAuditFile(path).find({})).toEqual([anEvent('a')]);
  });

  test('that drops what is inserted acknowledges nothing', async () => {
    const path = anAuditPath();
    const log = anAuditFile(path);
    await log.append([anEvent('a')]);
    alter(path, 'create trigger drops before insert on event begin select raise(ignore); end');
    await log.append([anEvent('a')]);
    await expect(log.append([anEvent('b')])).rejects.toThrow('writing the event b: the database dropped it; remove the trigger');
    alter(path, 'drop trigger drops');
    await log.append([anEvent('b')]);
    expect(await log.find({})).toHaveLength(2);
  });

  test('does not let another event replace a recorded one', async () => {
    const path = await aTrail();
    const db = new DatabaseSync(path);
    const columns = "type, correlation_id, at, '', '', '', '', '{}', key_id, hash, adopted from event";
    for (const [seq, id] of [
      [1, 'b'],
      [2, 'a'],
    ])
      db.exec(`insert or replace into event select ${seq}, '${id}', ${columns}`);
    db.close();
    expect(await anAuditFile(path).find({})).toEqual([anEvent('a')]);
  });

  test('a process killed in the middle leaves whole batches, the acknowledged ones among them, and appending again closes the gap', async () => {
    const path = anAuditPath();
    const program = fileURLToPath(new URL('./testing/append-for-ever.ts', import.meta.url));
    const acknowledged = await new Promise<number>((done, reject) => {
      const child = execFile(process.execPath, [program, path], { maxBuffer: 1 << 24 });
      let said = '';
      child.stdout?.on('data', (text: string) => {
        said += text;
        if (said.split('\n').length > 30) child.kill('SIGKILL');
      });
      child.once('error', reject);
      child.once('exit', () => done(said.split('\n').length - 1));
    });
    const log = anAuditFile(path);
    const found = (await log.find({ limit: 100_000 })).map(({ id }) => id);
    expect(acknowledged).toBeGreaterThanOrEqual(30);
    expect(found.length % 3).toBe(0);
    expect(found.length).toBeGreaterThanOrEqual(acknowledged * 3);
    expect(found).toEqual(found.map((_, i) => `${Math.floor(i / 3)}-${i % 3}`));
    await log.append(found.map((id) => anEvent(id)));
    expect(await log.find({ limit: 100_000 })).toHaveLength(found.length);
  });
});

describe('an audit file that cannot be used', { timeout: PATIENCE_MS }, () => {
  test('locked by another program: reports it, and works as soon as the lock is released', async () => {
    const path = await aTrail();
    const log = anAuditFile(path);
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const error = await failureOf(log.append([anEvent('b')]));
    expect(error).toMatchObject({ code: 'Unavailable', retry: 'backoff' });
    expect(error.message).toBe(
      `writing to ${path}: database is locked; end the program that holds it, then wait: Sickbay retries by itself`,
    );
    other.exec('rollback');
    other.close();
    await log.append([anEvent('b')]);
    expect(await log.find({})).toHaveLength(2);
  });

  test.for([
    { name: 'garbage', damage: (path: string) => writeFileSync(path, 'no database '.repeat(500)), says: 'file is not a database' },
    { name: 'empty', damage: (path: string) => writeFileSync(path, ''), says: 'it is empty' },
    {
      name: "another program's",
      damage: (path: string) => (rmSync(path), alter(path, 'create table t (x)')),
      says: 'it is the database of another program',
    },
    {
      name: 'of a later version',
      damage: (path: string) => alter(path, 'pragma user_version = 7'),
      says: 'its form is version 7, this program knows 1 to 2',
    },
  ])('$name: is not changed, the error asks to restore it, and works once that is done', async ({ damage, says }) => {
    const path = await aTrail();
    const good = readFileSync(path);
    damage(path);
    const bad = readFileSync(path);
    const log = anAuditFile(path);
    const error = await failureOf(log.append([anEvent('b')]));
    expect(error.code).toBe('Terminal');
    expect(error.message).toContain(`opening ${path}: ${says}`);
    expect(error.message).toContain('restore the file from a backup');
    expect(readFileSync(path).equals(bad)).toBe(true);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    writeFileSync(path, good);
    await log.append([anEvent('b')]);
    expect(await log.find({})).toEqual([anEvent('a'), anEvent('b')]);
  });

  test('damaged in the middle: appending reports it', async () => {
    const path = anAuditPath();
    const first = openAuditLog(path);
    await first.append(Array.from({ length: 500 }, (_, i) => anEvent(`${i}`, { data: { text: 'x'.repeat(200) } })));
    await first.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4_096));
    const error = await failureOf(anAuditFile(path).append([anEvent('b')]));
    expect(error.message).toMatch(/malformed.*restore the file from a backup/);
  });

  test('a folder has its path: the error describes what to check, and works once it is moved away', async () => {
    const path = anAuditPath();
    mkdirSync(path);
    const log = anAuditFile(path);
    expect((await failureOf(log.append([]))).message).toBe(`opening ${path}: it is not a file; name another one`);
    renameSync(path, `${path}.folder`);
    await log.append([anEvent('a')]);
  });

  test('reading fails in the same words', async () => {
    const path = anAuditPath();
    writeFileSync(path, 'no database '.repeat(500));
    expect((await failureOf(anAuditFile(path).find({}))).message).toContain(`opening ${path}: file is not a database`);
  });
});
