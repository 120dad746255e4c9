import { after, hasCode, SECOND, type Clock, type ErrorCode } from '../../base/index.ts';

/** A server that has just started, or changes its leader, answers again within this time. */
const WAITS_MS = [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND];

const PASSING: readonly ErrorCode[] = ['Unavailable', 'TooManyRequests', 'Internal'];

/** Reads something that a process reads once: retries for a while where the server cannot answer. */
export async function patiently<T>(clock: Clock, read: () => Promise<T>): Promise<T> {
  const { signal } = new AbortController();
  for (const ms of WAITS_MS) {
    try {
      return await read();
    } catch (error) {
      if (!PASSING.some((code) => hasCode(error, code))) throw error;
    }
    await clock.waitUntil(after(clock.now(), ms), signal);
  }
  return read();
}
