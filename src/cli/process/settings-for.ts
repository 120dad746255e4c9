import { SECOND, steadyClock, systemClock, type Logger } from '../../base/index.ts';
import { openConfig, type ConfigFile } from '../../config/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import type { Settings, SettingsSource } from '../../controllers/settings.ts';

/** The settings of the command line. */
export interface SettingFlags {
  readonly config?: string | undefined;
  readonly clusterName?: string | undefined;
  /** In seconds. */
  readonly stabilization?: number | undefined;
}

/** The present settings, and their config file, if any. */
export interface ChosenSettings {
  readonly settings: SettingsSource;
  readonly config?: ConfigFile;
}

/** The settings to run with: from a flag, else from the config file, else the default. */
export async function settingsFor({ config: path, clusterName, stabilization }: SettingFlags, log: Logger): Promise<ChosenSettings> {
  const adjust = (settings: Settings): Settings => ({
    ...settings,
    ...(clusterName === undefined ? {} : { clusterID: clusterName }),
    ...(stabilization === undefined ? {} : { stabilizationMs: stabilization * SECOND }),
  });
  if (path === undefined) {
    const settings = adjust(DEFAULT_SETTINGS);
    return { settings: () => settings };
  }
  const config = await openConfig({ path, adjust, clock: systemClock, steady: steadyClock, log });
  return { settings: config.settings, config };
}
