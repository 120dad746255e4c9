import { sameJson } from '../base/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { CONFIG_KEYS, settingOf, withSetting, type ConfigKey } from './keys.ts';
import { writeValue } from './value-forms.ts';

/** What differs between two sets of settings. */
export interface Changes {
  /** The new settings, except for what cannot change while the process runs. */
  readonly settings: Settings;
  /** What changes now, for people: `dryRun: false → true`. */
  readonly applied: readonly string[];
  /** What changes only with the next start. */
  readonly needRestart: readonly string[];
}

/** Compares the settings in force with new ones. */
export function changesBetween(current: Settings, next: Settings): Changes {
  const changed = CONFIG_KEYS.filter((key) => settingOf(current, key) !== settingOf(next, key));
  const fixed = changed.filter(({ needsRestart }) => needsRestart);
  const tell = (key: ConfigKey): string => `${key.key}: ${written(current, key)} → ${written(next, key)}`;
  return {
    settings: fixed.reduce((settings, key) => withSetting(settings, key, settingOf(current, key)), next),
    applied: [
      ...changed.filter(({ needsRestart }) => !needsRestart).map(tell),
      ...notificationsChanged(current, next),
      ...windowsChanged(current, next),
    ],
    needRestart: fixed.map(tell),
  };
}

const written = (settings: Settings, key: ConfigKey): string => writeValue(key.form, settingOf(settings, key)) ?? 'none';

/** A tree is too long for a line of the log. */
const notificationsChanged = ({ notifications: before }: Settings, { notifications: now }: Settings): readonly string[] =>
  sameJson(before, now) ? [] : [`notifications: ${now.receivers.length} receivers (${now.receivers.map(({ name }) => name).join(', ')})`];

function windowsChanged({ changeWindows: before }: Settings, { changeWindows: now }: Settings): readonly string[] {
  const changed = (['changeFreezes', 'maintenanceWindows'] as const).filter((section) => !sameJson(before[section], now[section]));
  return changed.map((section) => `${section}: ${now[section].map(({ name }) => name).join(', ') || 'none'}`);
}
