import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { errorOf, failureOf, isBusy, StorageError } from './sqlite-errors.ts';

/** The error that SQLite itself raises. */
function raised(sql: string, prepare = ''): unknown {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec(prepare);
    db.exec(sql);
  } catch (error) {
    return error;
  } finally {
    db.close();
  }
  throw new Error('nothing was raised');
}

const coded = (errcode: number): Error => Object.assign(new Error('it said so'), { errcode });

describe('what SQLite says', () => {
  test('a full disk tells to make room', () => {
    const full = raised('insert into t values (zeroblob(100000))', 'pragma max_page_count = 2; create table t (x);');
    expect(failureOf({ doing: 'writing to', path: '/s.db' }, full)).toEqual({
      code: 'Unavailable',
      message: 'writing to /s.db: database or disk is full; free space on that disk, then start again',
    });
  });

  test.for([
    { errcode: 5, says: 'end the program that holds it, then start again', code: 'Unavailable' },
    { errcode: 8, says: 'writable for this user', code: 'Unavailable' },
    { errcode: 10 | (4 << 8), says: 'faults of the disk', code: 'Unavailable' },
    { errcode: 11, says: 'restore the file from a backup', code: 'Terminal' },
    { errcode: 14, says: 'this user may read and write both', code: 'Unavailable' },
    { errcode: 26, says: 'restore the file from a backup', code: 'Terminal' },
    { errcode: 21, says: 'report it with this message', code: 'Internal' },
  ])('$errcode is said with what to do: $says', ({ errcode, says, code }) => {
    const failure = failureOf({ doing: 'opening', path: '/s.db' }, coded(errcode));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^opening \/s\.db: it said so; /);
    expect(failure.message).toContain(says);
    expect(errorOf(failure)).toMatchObject({ code, message: failure.message, retry: 'never' });
  });

  test('what needs no new start says what happens instead', () => {
    const use = { doing: 'writing to', path: '/s.db', afterwards: 'wait: it is tried again' } as const;
    expect(failureOf(use, coded(13)).message).toBe('writing to /s.db: it said so; free space on that disk, then wait: it is tried again');
  });

  test('what is not of SQLite is told as it is', () => {
    expect(failureOf({ doing: 'opening', path: '/s.db' }, new Error('odd')).message).toContain('opening /s.db: odd; ');
    const own = new StorageError('Terminal', 'all said');
    expect(failureOf({ doing: 'opening', path: '/s.db' }, own)).toEqual({ code: 'Terminal', message: 'all said' });
  });

  test('a lock is told from the rest, extended codes included', () => {
    expect([5, 5 | (1 << 8), 6, 11].map((errcode) => isBusy(coded(errcode)))).toEqual([true, true, false, false]);
    expect(isBusy(new Error('odd'))).toBe(false);
  });
});
