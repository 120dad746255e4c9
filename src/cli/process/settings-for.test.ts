import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE, SECOND, silent } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings } from '../../controllers/settings.ts';
import { settingsFor, type SettingFlags } from './settings-for.ts';

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sickbay-settings-'));
  config = join(folder, 'config.yaml');
  await writeFile(config, 'clusterName: of-the-file\ndryRun: true\neffectivenessAssessment: { stabilizationWindow: 1m }');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the settings to run with', () => {
  test.each<{ flags: SettingFlags; want: Partial<Settings> }>([
    { flags: {}, want: {} },
    { flags: { clusterName: 'eu', stabilization: undefined }, want: { clusterID: 'eu' } },
    { flags: { stabilization: 5 }, want: { stabilizationMs: 5 * SECOND } },
  ])('flags $flags alone', async ({ flags, want }) => {
    const chosen = await settingsFor(flags, silent);
    expect(chosen.settings()).toEqual({ ...DEFAULT_SETTINGS, ...want });
    expect(chosen.config).toBeUndefined();
  });

  test.each<{ flags: SettingFlags; want: Partial<Settings> }>([
    { flags: {}, want: { clusterID: 'of-the-file', stabilizationMs: MINUTE } },
    { flags: { clusterName: 'eu' }, want: { clusterID: 'eu', stabilizationMs: MINUTE } },
    { flags: { stabilization: 5 }, want: { clusterID: 'of-the-file', stabilizationMs: 5 * SECOND } },
  ])('flags $flags win over the file', async ({ flags, want }) => {
    const chosen = await settingsFor({ ...flags, config }, silent);
    expect(chosen.settings()).toEqual({ ...DEFAULT_SETTINGS, dryRun: true, ...want });
    expect(chosen.config?.settings).toBe(chosen.settings);
  });

  test('a file that cannot be used is an error', async () =>
    expect(settingsFor({ config: join(folder, 'none') }, silent)).rejects.toMatchObject({ code: 'Invalid' }));
});
