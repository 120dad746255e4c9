import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { instant, silent } from '../../base/index.ts';
import { openStateFolder } from '../process/state-folder.ts';
import { keptSessions, sessionsIn } from './kept-sessions.ts';

describe('sessions of the console', () => {
  let path: string | undefined;
  afterEach(() => rm(path!, { recursive: true, force: true }));

  test('are kept in the state folder, for its owner only', async () => {
    path = await mkdtemp(join(tmpdir(), 'sickbay-sessions-'));
    const first = await keptSessions(await openStateFolder(path), silent);
    expect(first.open.size).toBe(0);
    const open = new Map([['digest', instant(1_000_000)]]);
    first.onOpened(open);
    const file = join(path, 'sessions.json');
    await expect.poll(() => readFile(file, 'utf8')).toContain('digest');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await keptSessions(await openStateFolder(path), silent)).open).toEqual(open);
  });
});

describe('a file of sessions', () => {
  test.each([
    { text: '', reason: 'it is empty' },
    { text: '{"a":', reason: 'it was cut off' },
    { text: '[1]', reason: 'it is a list' },
    { text: 'null', reason: 'it is nothing' },
    { text: '{"a":1,"b":"soon","c":null}', reason: 'none of it is a time' },
  ])('opens no session when $reason', ({ text }) => expect(sessionsIn(text).size).toBe(0));
});
