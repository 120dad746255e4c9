import type { Clock, Instant, Logger } from '../base/index.ts';
import type { Settings, SettingsSource } from '../controllers/settings.ts';
import type { FollowFolder } from './watch-folder.ts';
import { loadConfig } from './load-config.ts';
import { configError } from './problem.ts';
import { watchConfig } from './watch-config.ts';

export interface OpenOptions {
  readonly path: string;
  /** Puts on top what the command line says; it wins over the file. */
  adjust(settings: Settings): Settings;
  readonly clock: Clock;
  /** A steady clock, for delays. */
  readonly steady: Clock;
  readonly log: Logger;
  readonly follow?: FollowFolder;
}

/** A config file that is in force. */
export interface ConfigFile {
  readonly path: string;
  /** The settings of now. */
  readonly settings: SettingsSource;
  /** What is wrong with the file as it is now; undefined when it is in force. */
  problem(): string | undefined;
  /** When it was last read and valid. */
  lastSuccess(): Instant;
  /** Follows the file until the signal aborts. */
  watch(signal: AbortSignal): Promise<void>;
}

/** Reads a config file that is to be followed. To start with one that is wrong is an error, which names all that is. */
export async function openConfig({ path, adjust, clock, steady, log, follow }: OpenOptions): Promise<ConfigFile> {
  const loaded = await loadConfig(path);
  if (loaded.kind === 'refused') throw configError(path, loaded.problems);
  let inForce = adjust(loaded.settings);
  let problem: string | undefined;
  let lastSuccess = clock.now();
  return {
    path,
    settings: () => inForce,
    problem: () => problem,
    lastSuccess: () => lastSuccess,
    watch: (signal) =>
      watchConfig({
        path,
        current: loaded.settings,
        onChange(settings) {
          inForce = adjust(settings);
        },
        onReload(wrong) {
          problem = wrong;
          if (wrong === undefined) lastSuccess = clock.now();
        },
        clock: steady,
        log,
        signal,
        ...(follow ? { follow } : {}),
      }),
  };
}
