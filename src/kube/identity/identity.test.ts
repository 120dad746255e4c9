import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MINUTE, SECOND } from '../../base/index.ts';
import { ManualClock } from '../../testkit/manual-clock.ts';
import type { Identity } from '../http/http-config.ts';
import { pluginIdentity } from './plugin-identity.ts';
import { tokenFile } from './token-file.ts';

function aFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-token-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'token'), text);
  return join(folder, 'token');
}

const token = (identity: Identity | Promise<Identity>): string | undefined => (identity as Identity).headers?.['authorization'];

describe('a token in a file', () => {
  test('is read again after a minute, and is the same object while it is the same token', async () => {
    const clock = new ManualClock();
    const file = aFile('one\n');
    const source = tokenFile(file, clock);
    const first = source(false);
    expect(token(first)).toBe('Bearer one');
    writeFileSync(file, 'two\n');
    await clock.advance(MINUTE - 1);
    expect(source(false)).toBe(first);
    await clock.advance(1);
    expect(token(source(false))).toBe('Bearer two');
    await clock.advance(MINUTE);
    expect(source(false)).toBe(source(false));
  });

  test('is read at once after a refusal', () => {
    const file = aFile('one');
    const source = tokenFile(file, new ManualClock());
    source(false);
    writeFileSync(file, 'two');
    expect(token(source(true))).toBe('Bearer two');
  });

  test('is used further while the file is missing', async () => {
    const clock = new ManualClock();
    const file = aFile('one');
    const source = tokenFile(file, clock);
    source(false);
    rmSync(file);
    await clock.advance(2 * MINUTE);
    expect(token(source(false))).toBe('Bearer one');
    writeFileSync(file, 'two');
  });

  test('that was never there is a failure that may pass', () => {
    expect(() => tokenFile('/nowhere/token', new ManualClock())(false)).toThrow(expect.objectContaining({ code: 'Unavailable' }));
  });
});

describe('a credential from a plugin', () => {
  const answers = (...values: (string | Error)[]): { ask: (refused: boolean) => Promise<Identity>; asked: boolean[] } => {
    const asked: boolean[] = [];
    const ask = async (refused: boolean): Promise<Identity> => {
      const value = values[Math.min(asked.push(refused), values.length) - 1];
      if (value instanceof Error) throw value;
      return { headers: { authorization: value ?? '' } };
    };
    return { ask, asked };
  };

  test('is asked for once by requests that come together', async () => {
    const { ask, asked } = answers('one');
    const source = pluginIdentity(ask, new ManualClock());
    const [a, b] = await Promise.all([source(false), source(false)]);
    expect(a).toBe(b);
    expect(asked).toHaveLength(1);
  });

  test('is kept for half a minute, and is the same object while it is the same', async () => {
    const clock = new ManualClock();
    const { ask, asked } = answers('one', 'one', 'two');
    const source = pluginIdentity(ask, clock);
    const first = await source(false);
    expect(source(false)).toBe(first);
    await clock.advance(30 * SECOND);
    expect(await source(false)).toBe(first);
    await clock.advance(30 * SECOND);
    expect(token(await source(false))).toBe('two');
    expect(asked).toEqual([false, false, false]);
  });

  test('is asked for again after a refusal, but not by every request', async () => {
    const clock = new ManualClock();
    const { ask, asked } = answers('one', 'two');
    const source = pluginIdentity(ask, clock);
    await source(false);
    expect(token(await source(true))).toBe('one');
    await clock.advance(5 * SECOND);
    expect(token(await source(true))).toBe('two');
    expect(asked).toEqual([false, true]);
  });

  test('stays while the plugin fails, and is missing when it never worked', async () => {
    const clock = new ManualClock();
    const works = pluginIdentity(answers('one', new Error('no network')).ask, clock);
    await works(false);
    await clock.advance(MINUTE);
    expect(token(await works(false))).toBe('one');
    await expect(pluginIdentity(answers(new Error('not found')).ask, clock)(false)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});
