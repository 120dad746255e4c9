import { SECOND, steadyClock, systemClock, type Logger } from '../../base/index.ts';
import { openConfig, type ConfigFile } from '../../config/index.ts';
import { DEFAULT_SETTINGS, type Settings, type SettingsSource } from '../../controllers/settings.ts';

/** What the command line says about settings. */
export interface SettingFlags {
  readonly config?: string | undefined;
  readonly clusterName?: string | undefined;
  /** In seconds. */
  readonly stabilization?: number | undefined;
}

/** The settings of now, and the file that they come from, if any. */
export interface ChosenSettings {
  readonly settings: SettingsSource;
  readonly config?: ConfigFile;
}

/** Finds the settings to run with: what a flag says, else what the config file says, else the default. */
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
