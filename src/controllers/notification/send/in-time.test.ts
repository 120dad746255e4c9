import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SECOND, turn } from '../../../base/index.ts';
import { ManualClock } from '../../../testkit/manual-clock.ts';
import type { ChannelSettings } from '../../notification-settings.ts';
import { credentialFile, sendOnce } from '../testing/send-once.ts';
import { Turns } from './turns.ts';

/** Turns in which something hangs on this place, as on a volume whose server is gone. */
function hangingOn(place: string): Turns {
  const turns = new Turns();
  void turns.take(place, () => new Promise(() => undefined), new AbortController().signal);
  return turns;
}

describe('a volume that hangs', () => {
  test('takes no longer than the limit of the channel, and nothing is written after it', async () => {
    const path = mkdtempSync(join(tmpdir(), 'sickbay-'));
    const channel: ChannelSettings = { kind: 'file', name: 'file:a', timeoutMs: 10_000, path };
    const clock = new ManualClock();
    const sending = sendOnce(channel, { clock, turns: hangingOn(path) });
    await clock.advance(10 * SECOND);
    expect(await sending).toEqual({ kind: 'timeout', reason: 'file:a was not reached within 10 s' });
    expect(readdirSync(path)).toEqual([]);
  });

  test('with the credential is no different', async () => {
    const place = credentialFile('secret-1');
    const channel: ChannelSettings = { kind: 'teams', name: 'teams:a', timeoutMs: 10_000, url: place };
    const clock = new ManualClock();
    const sending = sendOnce(channel, { clock, turns: hangingOn(place.path) });
    await clock.advance(10 * SECOND);
    expect(await sending).toEqual({ kind: 'timeout', reason: 'teams:a was not reached within 10 s' });
    expect(clock.waiting).toBe(0);
  });

  test('is not waited for when the process stops', async () => {
    const place = credentialFile('secret-1');
    const stop = new AbortController();
    const channel: ChannelSettings = { kind: 'teams', name: 'teams:a', timeoutMs: 10_000, url: place };
    const sending = sendOnce(channel, { turns: hangingOn(place.path), signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
  });
});

test('what waited too long for its turn is never done', async () => {
  const turns = new Turns();
  const gate = Promise.withResolvers<undefined>();
  const late = new AbortController();
  const first = turns.take('a', () => gate.promise, new AbortController().signal);
  let isDone = false;
  const second = turns.take('a', () => Promise.resolve((isDone = true)), late.signal);
  late.abort(new Error('too late'));
  gate.resolve(undefined);
  await first;
  await expect(second).rejects.toThrow('too late');
  await turn();
  expect(isDone).toBe(false);
});
