import type { Clock, Logger } from '../base/index.ts';
import type { Settings } from '../controllers/settings.ts';
import { changesBetween } from './changes.ts';
import { followFile } from './follow-file.ts';
import type { FollowFolder } from './watch-folder.ts';
import { readConfigText } from './load-config.ts';
import { parseConfig } from './parse-config.ts';
import { problemText } from './problem.ts';

export interface WatchOptions {
  readonly path: string;
  /** The settings in force. */
  readonly current: Settings;
  /** New settings are in force; what needs a restart is as before. */
  onChange(settings: Settings): void;
  /** The file was read: what is wrong with it, or undefined when it is in force. */
  onReload?(problem: string | undefined): void;
  /** For delays, so a steady clock. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The system's own when absent. */
  readonly follow?: FollowFolder;
}

/**
 * Follows a config file until the signal aborts. A file that is wrong changes nothing: it is refused as a whole, the log says why, and the
 * settings in force stay.
 */
export const watchConfig = (options: WatchOptions): Promise<void> => followFile({ ...options, reload: createReload(options) });

/** Reads the file again; the same text, or the same error, is not handled twice. */
function createReload({ path, log, signal, ...options }: WatchOptions): () => Promise<void> {
  let current = options.current;
  let last: string | undefined;

  const refuse = (problem: string): void => {
    log.error('the config file is refused and the settings in force stay: fix the file', { file: path, problem });
    options.onReload?.(problem);
  };

  const accept = (next: Settings): void => {
    const { settings, applied, needRestart } = changesBetween(current, next);
    if (needRestart.length > 0) log.warn('some settings of the config file need a restart', { file: path, settings: needRestart });
    if (applied.length > 0) {
      current = settings;
      log.info('the config file has changed, and its settings are in force', { file: path, changes: applied });
      options.onChange(settings);
    }
    options.onReload?.(undefined);
  };

  return async () => {
    const read = await readConfigText(path);
    const seen = read.kind === 'text' ? `text ${read.text}` : read.problem.message;
    if (signal.aborted || seen === last) return;
    last = seen;
    const parsed = read.kind === 'text' ? parseConfig(read.text) : ({ kind: 'refused', problems: [read.problem] } as const);
    if (parsed.kind === 'valid') accept(parsed.settings);
    else refuse(problemText(path, parsed.problems));
  };
}
