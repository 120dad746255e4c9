import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silent, steadyClock, turn, type Fields, type Logger } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { followFolder } from './watch-folder.ts';
import { POLL_MS, SETTLE_MS } from './follow-file.ts';
import { watchConfig } from './watch-config.ts';

let folder: string;
let path: string;
let stop: AbortController;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-watch-'));
  path = join(folder, 'config.yaml');
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await rm(folder, { recursive: true });
});

/** A log that tests can read: one entry per line, its level first. */
function notedLog(): { readonly log: Logger; readonly lines: (readonly [string, string, Fields | undefined])[] } {
  const lines: (readonly [string, string, Fields | undefined])[] = [];
  const at = (level: string) => (message: string, fields?: Fields) => void lines.push([level, message, fields]);
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), with: () => log };
  return { log, lines };
}

/** A watch in a test's own time: `ring` is what the system says when something in the folder changes. */
async function watching(text: string, current: Settings = DEFAULT_SETTINGS) {
  await writeFile(path, text);
  const clock = new ManualClock();
  const { log, lines } = notedLog();
  const changes: Settings[] = [];
  const verdicts: (string | undefined)[] = [];
  const hooks: { onReload?: () => void } = {};
  let ring = (): void => undefined;
  const ended = watchConfig({
    path,
    current,
    onChange: (settings) => void changes.push(settings),
    onReload: (problem) => {
      verdicts.push(problem);
      hooks.onReload?.();
    },
    clock,
    log,
    signal: stop.signal,
    follow: (at, onEvent) => {
      expect(at).toBe(folder);
      ring = onEvent;
    },
  });
  const idle = async (): Promise<void> => {
    // The file is really read, which takes turns of the event loop and no time of the clock.
    while (clock.waiting === 0) await turn();
  };
  await idle();
  return {
    clock,
    lines,
    changes,
    verdicts,
    ended,
    hooks,
    ring: () => ring(),
    /** Time passes, and whatever it sets off is done. */
    async pass(ms: number) {
      await clock.advance(ms);
      await idle();
    },
    async save(next: string) {
      await writeFile(path, next);
      ring();
      await turn();
    },
  };
}

describe('a config file that is followed', () => {
  test('is as it was read: nothing happens', async () => {
    const { changes, lines, verdicts } = await watching('dryRun: false');
    expect({ changes, lines, verdicts }).toEqual({ changes: [], lines: [], verdicts: [undefined] });
  });

  test('has changed between the start and the watch', async () => {
    const { changes } = await watching('dryRun: true');
    expect(changes).toEqual([{ ...DEFAULT_SETTINGS, dryRun: true }]);
  });

  test('changes: the new settings are in force when it has settled, and not before', async () => {
    const { save, pass, changes, lines } = await watching('{}');
    await save('dryRun: true');
    await pass(SETTLE_MS - 1);
    expect(changes).toEqual([]);
    await pass(1);
    expect(changes).toEqual([{ ...DEFAULT_SETTINGS, dryRun: true }]);
    expect(lines).toEqual([
      ['info', 'the config file has changed, and its settings are in force', { file: path, changes: ['dryRun: false → true'] }],
    ]);
  });

  test('many events are one change', async () => {
    const { save, pass, ring, changes, verdicts } = await watching('{}');
    await save('dryRun: tr');
    ring();
    await save('dryRun: true');
    ring();
    await pass(SETTLE_MS);
    expect(changes).toHaveLength(1);
    expect(verdicts).toEqual([undefined, undefined]);
  });

  test('a change while the file is read is not lost', async () => {
    const { save, pass, ring, changes, hooks } = await watching('{}');
    await save('dryRun: true');
    hooks.onReload = () => {
      delete hooks.onReload;
      writeFileSync(path, 'dryRun: false');
      ring();
    };
    await pass(SETTLE_MS);
    await pass(SETTLE_MS);
    expect(changes.map(({ dryRun }) => dryRun)).toEqual([true, false]);
  });

  test('is read every 30 seconds even without an event of the file system', async () => {
    const { pass, changes } = await watching('{}');
    await writeFile(path, 'dryRun: true');
    await pass(POLL_MS - 1);
    expect(changes).toEqual([]);
    await pass(1 + SETTLE_MS);
    expect(changes).toHaveLength(1);
  });

  test('only its words change: nothing is in force that was not', async () => {
    const { save, pass, changes, lines, verdicts } = await watching('{}');
    await save('# nothing');
    await pass(SETTLE_MS);
    expect({ changes, lines, verdicts }).toEqual({ changes: [], lines: [], verdicts: [undefined, undefined] });
  });
});

describe('a new file that is wrong', () => {
  test('is refused as a whole, once, and the settings stay', async () => {
    const { save, pass, changes, lines, verdicts } = await watching('{}');
    await save('dryRun: true\nnope: 1');
    await pass(SETTLE_MS);
    await pass(POLL_MS + SETTLE_MS);
    expect(changes).toEqual([]);
    const problem = expect.stringMatching(/config\.yaml:2:1: nope \(1\) is not a key/) as unknown;
    expect(lines).toEqual([['error', 'the config file is refused and the settings in force stay: fix the file', { file: path, problem }]]);
    expect(verdicts).toEqual([undefined, problem]);
  });

  test('is fixed', async () => {
    const { save, pass, changes, verdicts } = await watching('{}');
    await save('dryRun: maybe');
    await pass(SETTLE_MS);
    await save('dryRun: true');
    await pass(SETTLE_MS);
    expect(changes).toHaveLength(1);
    expect(verdicts.map((problem) => problem === undefined)).toEqual([true, false, true]);
  });

  test('is rolled back', async () => {
    const { save, pass, changes, verdicts } = await watching('{}');
    await save('dryRun: maybe');
    await pass(SETTLE_MS);
    await save('{}');
    await pass(SETTLE_MS);
    expect(changes).toEqual([]);
    expect(verdicts.at(-1)).toBeUndefined();
  });

  test.each([
    ['emptied', () => writeFile(path, '')],
    ['deleted', () => rm(path)],
  ])('is %s: that is no wish for the defaults', async (_, spoil) => {
    const { pass, changes, verdicts, ring } = await watching('dryRun: true', { ...DEFAULT_SETTINGS, dryRun: true });
    await spoil();
    ring();
    await turn();
    await pass(SETTLE_MS);
    expect(changes).toEqual([]);
    expect(verdicts).toEqual([undefined, expect.stringContaining(path)]);
  });
});

describe('what cannot change while the process runs', () => {
  test('is told and left alone; the rest changes', async () => {
    const { save, pass, changes, lines } = await watching('{}');
    await save('namespace: other\nclusterName: eu\ndryRun: true');
    await pass(SETTLE_MS);
    expect(changes).toEqual([{ ...DEFAULT_SETTINGS, dryRun: true }]);
    expect(lines[0]).toEqual([
      'warn',
      'some settings of the config file need a restart',
      { file: path, settings: ['namespace: "sickbay-system" → "other"', 'clusterName: "" → "eu"'] },
    ]);
  });

  test('alone changes nothing', async () => {
    const { save, pass, changes, lines } = await watching('{}');
    await save('executionNamespace: other');
    await pass(SETTLE_MS);
    expect(changes).toEqual([]);
    expect(lines).toHaveLength(1);
  });
});

test('the watch ends when it is told to, and leaves nothing behind', async () => {
  const { ended, clock } = await watching('{}');
  stop.abort(new Error('told to stop'));
  await ended;
  expect(clock.waiting).toBe(0);
});

describe('on a real disk', { timeout: 60_000 }, () => {
  /** Resolves with the settings of the next change. */
  const changed = (current: Settings): Promise<Settings> =>
    new Promise((resolve) => {
      void watchConfig({ path, current, onChange: resolve, clock: steadyClock, log: silent, signal: stop.signal, follow: heard });
    });
  /** Resolves when the folder is being followed. */
  let follows = (): void => undefined;
  const heard: typeof followFolder = (...all) => {
    followFolder(...all);
    follows();
  };
  const following = (): Promise<void> => new Promise((resolve) => (follows = resolve));

  test('a file that is put in the place of the old one is noticed', async () => {
    await writeFile(path, '{}');
    const [ready, next] = [following(), changed(DEFAULT_SETTINGS)];
    await ready;
    await writeFile(`${path}.new`, 'dryRun: true');
    await rename(`${path}.new`, path);
    expect((await next).dryRun).toBe(true);
  });

  test('so is a ConfigMap, whose files change by a link beside them', async () => {
    const version = async (name: string, text: string): Promise<void> => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'config.yaml'), text);
      await symlink(name, join(folder, '..data_tmp'));
      await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    await version('..2026_1', '{}');
    await symlink(join('..data', 'config.yaml'), path);
    const [ready, next] = [following(), changed(DEFAULT_SETTINGS)];
    await ready;
    await version('..2026_2', 'dryRun: true');
    expect((await next).dryRun).toBe(true);
  });

  test('a folder that cannot be watched is told of, and is no failure', () => {
    const { log, lines } = notedLog();
    followFolder(join(folder, 'none'), () => undefined, { log, signal: stop.signal });
    expect(lines.map(([level]) => level)).toEqual(['warn']);
    stop.abort();
    followFolder(folder, () => undefined, { log, signal: stop.signal });
    expect(lines).toHaveLength(1);
  });
});
