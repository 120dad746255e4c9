import { dirname } from 'node:path';
import { after, SECOND, type Clock, type Logger } from '../base/index.ts';
import { followFolder, type FollowFolder } from './watch-folder.ts';

export interface FollowOptions {
  readonly path: string;
  /** Reads the file and what changes with it; called at the start, and then after every change and every half minute. */
  reload(): Promise<void>;
  /** For delays, so a steady clock. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** The system's own when absent. */
  readonly follow?: FollowFolder | undefined;
}

/** Saving a file causes several events; all of them have come after this time. */
export const SETTLE_MS = 250;

/** How often the file is read without an event: network disks send none, nor do files elsewhere that a link points to. */
export const POLL_MS = 30 * SECOND;

/** Follows a file until the signal aborts. */
export async function followFile({ path, reload, clock, log, signal, follow = followFolder }: FollowOptions): Promise<void> {
  let bell = new AbortController();
  follow(dirname(path), () => bell.abort(), { log, signal });
  while (!signal.aborted) {
    // Before the file is read: what happens from here on is another change.
    bell = new AbortController();
    await reload();
    await wait(clock, POLL_MS, AbortSignal.any([signal, bell.signal]));
    await wait(clock, SETTLE_MS, signal);
  }
}

/** Waits, or less long when the signal aborts. */
const wait = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  clock.waitUntil(after(clock.now(), ms), signal).catch(() => undefined);
