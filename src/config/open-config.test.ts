import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SECOND, silent, turn } from '../base/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import type { Settings } from '../controllers/settings.ts';
import { ManualClock } from '../testkit/manual-clock.ts';
import { registerConfigMetrics } from './config-metrics.ts';
import { openConfig } from './open-config.ts';
import { SETTLE_MS } from './follow-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-open-'));
  path = join(folder, 'config.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

/** What a flag would say. */
const adjust = (settings: Settings): Settings => ({ ...settings, stabilizationMs: 7 * SECOND });

async function opened(text: string) {
  await writeFile(path, text);
  const [clock, steady] = [new ManualClock(), new ManualClock(0)];
  const stop = new AbortController();
  let ring = (): void => undefined;
  const follow = (_: string, onEvent: () => void): void => void (ring = onEvent);
  const file = await openConfig({ path, adjust, clock, steady, log: silent, follow });
  const idle = async (): Promise<void> => {
    while (steady.waiting === 0) await turn();
  };
  const ended = file.watch(stop.signal);
  await idle();
  return {
    file,
    clock,
    /** The file is another one a second later, and that was noticed. */
    async save(next: string) {
      await clock.advance(SECOND);
      await writeFile(path, next);
      ring();
      await turn();
      await steady.advance(SETTLE_MS);
      await idle();
    },
    async end() {
      stop.abort();
      await ended;
    },
  };
}

async function metricsOf(file: Parameters<typeof registerConfigMetrics>[1]): Promise<readonly string[]> {
  const registry = new Registry();
  registerConfigMetrics(registry, file);
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('sickbay_config'));
}

describe('a config file in force', () => {
  test('flags win over it, also when it changes', async () => {
    const { file, save, end } = await opened('effectivenessAssessment: { stabilizationWindow: 1m }\ndryRun: false');
    expect(file.settings()).toEqual({ ...DEFAULT_SETTINGS, stabilizationMs: 7 * SECOND });
    await save('effectivenessAssessment: { stabilizationWindow: 2m }\ndryRun: true');
    expect(file.settings()).toEqual({ ...DEFAULT_SETTINGS, stabilizationMs: 7 * SECOND, dryRun: true });
    await end();
  });

  test('a new one that is wrong changes nothing, and is reported until it is fixed', async () => {
    const { file, save, end, clock } = await opened('dryRun: true');
    const start = clock.now();
    expect(file.problem()).toBeUndefined();
    await save('dryRun: perhaps');
    expect(file.settings().dryRun).toBe(true);
    expect(file.problem()).toBe(`${path}:1:1: dryRun is "perhaps": wants true or false`);
    expect(file.lastSuccess()).toBe(start);
    await save('dryRun: false');
    expect(file.settings().dryRun).toBe(false);
    expect(file.problem()).toBeUndefined();
    expect(file.lastSuccess()).toBe(start + 2 * SECOND);
    await end();
  });

  test('its metrics say whether it is, and since when', async () => {
    const { file, save, end, clock } = await opened('{}');
    const since = `sickbay_config_last_reload_success_timestamp_seconds ${clock.now() / SECOND}`;
    expect(await metricsOf(file)).toEqual(['sickbay_config_last_reload_successful 1', since]);
    await save('nope: 1');
    expect(await metricsOf(file)).toEqual(['sickbay_config_last_reload_successful 0', since]);
    await end();
  });

  test('to start with one that is wrong is an error that names all of it', async () => {
    await writeFile(path, 'dryRun: perhaps\nnope: 1');
    const opening = openConfig({ path, adjust, clock: new ManualClock(), steady: new ManualClock(), log: silent });
    await expect(opening).rejects.toMatchObject({
      code: 'Invalid',
      message: expect.stringMatching(/2 problems:\n.*perhaps.*\n.*nope/) as unknown,
    });
  });
});
