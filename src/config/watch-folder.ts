import { watch } from 'node:fs';
import { messageOf, type Logger } from '../base/index.ts';

/** Calls back whenever something in a folder changes, until the signal aborts. */
export type FollowFolder = (folder: string, onEvent: () => void, how: { readonly log: Logger; readonly signal: AbortSignal }) => void;

/**
 * Asks the system for changes. The folder and not the file: editors put a new file in the old one's place, and a ConfigMap's files change
 * when a link beside them is made to point elsewhere. Where the system cannot watch it, nothing is called, and the log says why.
 */
export const followFolder: FollowFolder = (folder, onEvent, { log, signal }) => {
  const reportUnwatched = (error: unknown): void =>
    log.warn('changes of files are noticed late, because their folder cannot be watched', { folder, error: messageOf(error) });
  if (signal.aborted) return;
  try {
    const watcher = watch(folder, { persistent: false, signal });
    watcher.on('change', onEvent);
    watcher.on('error', reportUnwatched);
  } catch (error) {
    reportUnwatched(error);
  }
};
