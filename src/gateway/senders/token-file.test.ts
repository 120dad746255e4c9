import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SECOND, silent, type Fields, type Logger } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import { tokenFileSenders } from './token-file.ts';

const OLD = 'old-token-0123456789abcdef';
const NEW = 'new-token-0123456789abcdef';

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'senders-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'tokens');
  await writeFile(path, text);
  return path;
}

/** A log that keeps everything. */
function keeping(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (message: string, fields?: Fields): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { lines, log: { ...silent, debug: write, info: write, warn: write, error: write } };
}

describe('senders of a token file', () => {
  test.each([
    { header: `Bearer ${OLD}`, want: 'allowed', reason: 'the token of the first line' },
    { header: `bearer  ${NEW} `, want: 'allowed', reason: 'the token of another line; the scheme is case-insensitive' },
    { header: `Bearer ${OLD.slice(0, -1)}`, want: 'unknown', reason: 'a token that only begins alike' },
    { header: `Bearer ${OLD}x`, want: 'unknown', reason: 'a token that is longer' },
    { header: `Bearer ${OLD}\n${NEW}`, want: 'unknown', reason: 'the whole file is no token' },
    { header: `Basic ${OLD}`, want: 'unknown', reason: 'another scheme' },
    { header: 'Bearer', want: 'unknown', reason: 'no token' },
    { header: undefined, want: 'unknown', reason: 'no header' },
  ])('$reason: $want', async ({ header, want }) => {
    const senders = await tokenFileSenders({ path: await aFile(`${OLD}\n\n  ${NEW}\r\n`), clock: new ManualClock(), log: silent });
    expect((await senders.judge(header)).kind).toBe(want);
  });

  test('a new file replaces the tokens within a second', async () => {
    const clock = new ManualClock();
    const path = await aFile(OLD);
    const senders = await tokenFileSenders({ path, clock, log: silent });
    await writeFile(path, NEW);
    clock.jump(SECOND);
    expect((await senders.judge(`Bearer ${NEW}`)).kind).toBe('allowed');
    expect((await senders.judge(`Bearer ${OLD}`)).kind).toBe('unknown');
  });

  test.each(['', ' \n\n'])('a file that holds no token any more (%j) revokes all, and is logged once', async (text) => {
    const clock = new ManualClock();
    const path = await aFile(OLD);
    const { log, lines } = keeping();
    const senders = await tokenFileSenders({ path, clock, log });
    await writeFile(path, text);
    for (let times = 0; times < 3; times++) {
      clock.jump(SECOND);
      expect((await senders.judge(`Bearer ${OLD}`)).kind).toBe('unknown');
    }
    expect(lines).toEqual([expect.stringMatching(/^every signal is refused .*holds no token/)]);
  });

  test.each([{ text: `${NEW}\nshort`, reason: 'a file with a short token' }])(
    '$reason changes nothing later, and is logged once, without a token',
    async ({ text }) => {
      const clock = new ManualClock();
      const path = await aFile(OLD);
      const { log, lines } = keeping();
      const senders = await tokenFileSenders({ path, clock, log });
      await writeFile(path, text);
      for (let times = 0; times < 3; times++) {
        clock.jump(SECOND);
        expect((await senders.judge(`Bearer ${OLD}`)).kind).toBe('allowed');
      }
      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toMatch(/short|new-token|old-token/);
    },
  );

  test.each([
    { text: ' \n', why: /holds no token/ },
    { text: `${OLD}\nsecret`, why: /line 2 is no token/ },
    { text: 'a token with spaces in it', why: /line 1 is no token/ },
  ])('to start with a file that cannot be used is an error that names the key and no token: $why', async ({ text, why }) => {
    const path = await aFile(text);
    const start = tokenFileSenders({ path, clock: new ManualClock(), log: silent });
    await expect(start).rejects.toMatchObject({ code: 'Invalid', message: expect.stringMatching(why) as string });
    await start.catch((error: Error) => expect(error.message).not.toMatch(/secret|spaces in it/));
  });

  test('to start without the file is an error', async () =>
    expect(tokenFileSenders({ path: '/nowhere/tokens', clock: new ManualClock(), log: silent })).rejects.toThrow(
      /gateway\.tokenFile \/nowhere\/tokens cannot be read/,
    ));
});
