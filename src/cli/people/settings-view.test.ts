import { expect, test } from 'vitest';
import { MINUTE } from '../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { settingsView, withoutPassword } from './settings-view.ts';

const view = (settings = DEFAULT_SETTINGS) => settingsView({ settings, version: '1.2.3', mode: 'cluster', connections: [] });
const valueOf = (key: string, settings = DEFAULT_SETTINGS) => view(settings).values.find((one) => one.key === key);

test('every setting is shown as the config file has it, and whether it is the default', () => {
  expect(valueOf('execution.cooldownPeriod')).toMatchObject({ value: '1m', isDefault: true });
  expect(valueOf('execution.cooldownPeriod', { ...DEFAULT_SETTINGS, cooldownMs: 7 * MINUTE })).toMatchObject({
    value: '7m',
    isDefault: false,
  });
  expect(valueOf('dryRun')).toMatchObject({ value: false });
});

test('an address is shown without its password', () => {
  const external = { ...DEFAULT_SETTINGS.external, prometheusUrl: 'https://anna:hunter2@prometheus:9090' };
  expect(JSON.stringify(view({ ...DEFAULT_SETTINGS, external }))).not.toContain('hunter2');
  expect(withoutPassword('https://anna:hunter2@prometheus:9090')).toBe('https://anna:***@prometheus:9090/');
  expect(withoutPassword('not an address')).toBe('not an address');
});
