import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { PlatformError } from '../../base/index.ts';
import { alter } from '../../base/sqlite/testing/alter.ts';
import type { Stored } from '../object.ts';
import type { Filled } from '../testing/fill-state.ts';
import { aStateFile, aStatePath } from '../testing/state-file.ts';
import { openSqliteStorage, type SqliteStorage } from './sqlite-storage.ts';
import type { StorageWrite } from './storage.ts';

const object = (name: string, more: object = {}): Stored => ({
  apiVersion: 'v1',
  kind: 'T',
  metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '' },
  ...more,
});

const put = (key: string, revision: number, more?: object): StorageWrite => ({ table: '/t', key, revision, object: object(key, more) });
const drop = (key: string, revision: number): StorageWrite => ({ table: '/t', key, revision });

const contents = (storage: SqliteStorage): { revision: number; rows: readonly string[] } => {
  const { revision, rows } = storage.load();
  return { revision, rows: [...rows].map(({ table, key, object: { metadata } }) => `${table} ${key} ${metadata.name}`) };
};

/** A file that holds something, closed. */
async function aClosedFile(count = 3): Promise<string> {
  const path = aStatePath();
  const storage = await openSqliteStorage({ path });
  await storage.commit(Array.from({ length: count }, (_, i) => put(`k${i}`, i + 1, { data: 'x'.repeat(3_000) })));
  await storage.close();
  return path;
}

const refusalOf = async (path: string): Promise<PlatformError> => {
  const outcome = await openSqliteStorage({ path }).catch((error: unknown) => error as PlatformError);
  if (outcome instanceof Error) return outcome;
  await outcome.close();
  throw new Error('it was opened');
};

describe('a state file', () => {
  test('is made with its folder, for its owner only', async () => {
    const path = join(dirname(aStatePath()), 'deep', 'er', 'state.db');
    const storage = await aStateFile({ path });
    expect(contents(storage)).toEqual({ revision: 0, rows: [] });
    await storage.commit([put('a', 1)]);
    for (const file of [path, `${path}-wal`, `${path}.pid`]) expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(dirname(path)).mode & 0o777).toString(8)).toBe('700');
  });

  test('holds what was committed, in the order of keys, and the last revision even when that was a removal', async () => {
    const path = aStatePath();
    const first = await openSqliteStorage({ path });
    await first.commit([put('b', 1), put('a', 2), put('a', 3), put('c', 4)]);
    await first.commit([drop('c', 5), drop('never', 6)]);
    await first.close();
    expect(contents(await aStateFile({ path }))).toEqual({ revision: 6, rows: ['/t a a', '/t b b'] });
  });

  test('gives every object back as it was', async () => {
    const path = aStatePath();
    const odd = { text: '\u0000 \ud800 \u{1f600} "\\', empty: {}, none: null, list: [1.5, 0, 1e300], 'with space': true };
    const first = await openSqliteStorage({ path });
    await first.commit([put('a', 1, odd)]);
    await first.close();
    const [row] = [...(await aStateFile({ path })).load().rows];
    expect(row!.object).toEqual(object('a', odd));
  });

  test('is flushed by closing it, which may be done twice; then nothing is taken any more', async () => {
    const path = aStatePath();
    const first = await openSqliteStorage({ path });
    const commits = Array.from({ length: 50 }, (_, i) => first.commit([put(`k${i}`, i + 1)]));
    await Promise.all([first.close(), first.close()]);
    await Promise.all(commits);
    await first.close();
    await expect(first.commit([put('late', 51)])).rejects.toThrow(`writing to ${path}: it was closed`);
    expect(existsSync(`${path}.pid`)).toBe(false);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(contents(await aStateFile({ path })).rows).toHaveLength(50);
  });

  test('is read once: the server holds the objects then', async () => {
    const storage = await aStateFile();
    storage.load();
    expect(() => storage.load()).toThrow('it is read once');
  });

  test('that a power cut under NORMAL may have set back goes on far ahead', async () => {
    const path = aStatePath();
    const normal = await openSqliteStorage({ path, synchronous: 'NORMAL' });
    expect(normal.load().revision).toBe(0);
    await normal.commit([put('a', 1)]);
    await normal.close();
    const full = await openSqliteStorage({ path });
    expect(full.load().revision).toBe(1_000_001);
    await full.close();
    expect((await aStateFile({ path })).load().revision).toBe(1_000_001);
  });

  test('does not grow with the number of writes, nor does its log', async () => {
    const path = aStatePath();
    const storage = await aStateFile({ path, synchronous: 'NORMAL' });
    let revision = 0;
    for (let batch = 0; batch < 40; batch++) {
      await storage.commit(Array.from({ length: 250 }, (_, i) => put(`k${i}`, ++revision, { data: `${batch}`.repeat(1_000) })));
    }
    expect(statSync(path).size).toBeLessThan(4_000_000);
    expect(statSync(`${path}-wal`).size).toBeLessThan(20_000_000);
  });

  test('gives space back at the next start when most of it is free', async () => {
    const path = await aClosedFile(500);
    const full = statSync(path).size;
    const second = await openSqliteStorage({ path });
    await second.commit(Array.from({ length: 490 }, (_, i) => drop(`k${i}`, 1_000 + i)));
    await second.close();
    expect(statSync(path).size).toBe(full);
    await (await openSqliteStorage({ path })).close();
    expect(statSync(path).size).toBeLessThan(full / 4);
    expect(contents(await aStateFile({ path })).rows).toHaveLength(10);
  });

  test('that cannot be made says so', async () => {
    const path = aStatePath();
    writeFileSync(path, 'a file');
    const error = await refusalOf(join(path, 'state.db'));
    expect(error.message).toMatch(/^opening .*state.db: E[A-Z]+: .*; check that it is a file in a folder/);
  });
});

describe('a state file in use', () => {
  test('is refused at once, with who uses it and what to do', async () => {
    const path = aStatePath();
    const storage = await aStateFile({ path });
    const error = await refusalOf(path);
    expect(error).toMatchObject({ code: 'Unavailable', retry: 'never' });
    expect(error.message).toBe(
      `opening ${path}: this process (pid ${process.pid}) uses it; stop that one first, or give this one another state folder`,
    );
    await storage.commit([put('a', 1)]);
    await refusalOf(path);
    await storage.close();
    expect(contents(await aStateFile({ path })).rows).toEqual(['/t a a']);
  });

  test.for([
    { what: 'of a process that is gone', pid: '999999999\n', says: 'another process uses it' },
    { what: 'that makes no sense', pid: 'me', says: 'another process uses it' },
    { what: 'of another process', pid: `${process.ppid}\n`, says: `process ${process.ppid} uses it` },
  ])('never names the wrong process: a PID file $what', async ({ pid, says }) => {
    const path = aStatePath();
    await aStateFile({ path });
    writeFileSync(`${path}.pid`, pid);
    expect((await refusalOf(path)).message).toContain(says);
  });

  test('the PID file of a dead process does not block another', async () => {
    const path = await aClosedFile();
    writeFileSync(`${path}.pid`, `${process.ppid}\n`);
    expect(contents(await aStateFile({ path })).rows).toHaveLength(3);
    expect(readFileSync(`${path}.pid`, 'utf8')).toBe(`${process.pid}\n`);
  });
});

describe('a disk that takes no more', () => {
  test.skipIf(process.platform === 'win32')('refuses what it did not take, and everything after it, and says why', async () => {
    const path = aStatePath();
    const program = fileURLToPath(new URL('../testing/fill-state.ts', import.meta.url));
    // A process that may not write files beyond a megabyte stands for a disk without room.
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -f 2048; exec "$0" "$@"', process.execPath, program, path]);
    const { durable, refusals, told } = JSON.parse(stdout) as Filled;
    expect(durable).toBeGreaterThan(10);
    expect(refusals).toEqual([refusals[0], refusals[0], refusals[0]]);
    expect(refusals[0]).toMatch(/^writing to .*state.db: disk I\/O error; look for faults of the disk/);
    expect(told).toEqual([refusals[0]]);
    const { revision, rows } = contents(await aStateFile({ path }));
    expect({ revision, rows: rows.length }).toEqual({ revision: durable, rows: durable });
  });
});

const DAMAGES: readonly { what: string; damage(path: string): void; says: string }[] = [
  { what: 'text', damage: (path) => writeFileSync(path, 'not a database, but long enough to be one'.repeat(300)), says: 'not a database' },
  { what: 'empty', damage: (path) => truncateSync(path, 0), says: 'it is empty' },
  { what: 'cut in the middle', damage: (path) => truncateSync(path, 24 * 1024), says: 'malformed' },
  { what: 'cut within its header', damage: (path) => truncateSync(path, 50), says: 'malformed' },
  { what: 'overwritten in the middle', damage: (path) => overwrite(path, 16_384), says: 'damaged' },
  { what: "another program's", damage: (path) => alter(path, 'pragma application_id = 7'), says: 'another program' },
  { what: 'of a later version', damage: (path) => alter(path, 'update meta set schema = 2'), says: 'version 2, this program knows 1' },
  { what: 'without its revision', damage: (path) => alter(path, 'delete from meta'), says: 'lost its revision' },
  { what: 'without its table', damage: (path) => alter(path, 'drop table object'), says: 'no such table' },
  {
    what: 'with a row that is no JSON',
    damage: (path) => alter(path, `update object set json = '{' where key = 'k1'`),
    says: '/t k1 is not',
  },
];

function overwrite(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + 8_192);
  writeFileSync(path, bytes);
}

describe('a damaged state file', () => {
  test.for(DAMAGES)('is refused and left as it is: $what', async ({ damage, says }) => {
    const path = await aClosedFile(20);
    damage(path);
    const before = readFileSync(path);
    const error = await refusalOf(path);
    expect(error.message).toContain(`opening ${path}: `);
    expect(error.message).toContain(says);
    expect(error.message).toContain('restore the file from a backup');
    expect(error).toMatchObject({ code: 'Terminal', retry: 'never' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect((await refusalOf(path)).message).toBe(error.message);
  });

  test('is a folder', async () => {
    const path = aStatePath();
    mkdirSync(path);
    expect((await refusalOf(path)).message).toContain('it is not a file');
  });

  test('is missing, but its log is there', async () => {
    const path = await aClosedFile();
    renameSync(path, `${path}-wal`);
    expect((await refusalOf(path)).message).toContain(`it is gone, but its ${path}-wal is there`);
    expect(existsSync(path)).toBe(false);
  });

  test('cannot be opened by any process', async () => {
    const path = await aClosedFile();
    rmSync(path);
    symlinkSync(path, path);
    expect((await refusalOf(path)).message).toContain('check that it is a file in a folder');
  });
});
