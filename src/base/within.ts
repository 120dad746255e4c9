import { after, type Clock } from './clock.ts';
import { SECOND } from './duration.ts';
import { PlatformError } from './errors.ts';

/** Does some work, but waits for it only so long; also where the work does not care that it is to stop. */
export async function within<T>(steady: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const limit = steady.waitUntil(after(steady.now(), ms), done.signal).then(() => {
    const error = new PlatformError('Unavailable', `no answer within ${ms / SECOND} s`, { retry: 'never' });
    late.abort(error);
    throw error;
  });
  try {
    return await Promise.race([work(late.signal), limit]);
  } finally {
    done.abort(new Error('answered'));
  }
}
