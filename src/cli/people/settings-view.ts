import { CONFIG_KEYS, defaultOf, settingOf, writeValue, type ConfigKey } from '../../config/index.ts';
import { given } from '../../base/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import type { SettingsView } from '../../server/index.ts';

/** Where Sickbay runs, and where its settings come from. */
export interface SettingsOrigin {
  readonly mode: SettingsView['mode'];
  readonly configFile?: string | undefined;
  readonly configProblem?: string | undefined;
}

export interface SettingsSeen extends SettingsOrigin {
  readonly settings: Settings;
  readonly version: string;
  readonly connections: SettingsView['connections'];
}

/** The settings in force, each with its meaning, and the connections. */
export function settingsView({ settings, version, mode, connections, configFile, configProblem }: SettingsSeen): SettingsView {
  const { namespace, executionNamespace, clusterID } = settings;
  return {
    version,
    mode,
    namespace,
    executionNamespace,
    values: CONFIG_KEYS.map((key) => valueView(settings, key)),
    connections,
    ...given({ configFile, configProblem, cluster: clusterID === '' ? undefined : clusterID }),
  };
}

function valueView(settings: Settings, key: ConfigKey): SettingsView['values'][number] {
  const value = settingOf(settings, key);
  return {
    key: key.key,
    value: writtenValue(key, value),
    isDefault: value === defaultOf(key),
    description: key.meaning,
  };
}

/** As the config file has it; an address without the password that may be in it. */
function writtenValue({ form }: ConfigKey, value: ReturnType<typeof settingOf>): string | number | boolean | null {
  if (value === undefined) return null;
  if (typeof value === 'string') return withoutPassword(value);
  return typeof value === 'number' && (form.kind === 'duration' || form.kind === 'hours') ? (writeValue(form, value) ?? null) : value;
}

/** @example withoutPassword('https://anna:secret@prometheus:9090') === 'https://anna:***@prometheus:9090/' */
export function withoutPassword(text: string): string {
  const url = URL.parse(text);
  if (!url || url.password === '') return text;
  url.password = '***';
  return url.href;
}
