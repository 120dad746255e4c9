import { after, SECOND, type Clock, type Logger } from '../../../base/index.ts';
import type { KubeClient } from '../../../kube/client/client.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';

/** What messages are sent with. */
export interface SendDeps {
  /** Reads Secrets. */
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock: Clock;
  /** A monotonic clock, for time limits. */
  readonly steady: Clock;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  /** Aborts when this process may no longer send. */
  readonly signal: AbortSignal;
}

/** Does some work with a limit of time, and until the process stops. After the limit the message may have arrived. */
export async function inTime<T>(
  { steady, timeoutMs, signal }: Pick<SendDeps, 'steady' | 'timeoutMs' | 'signal'>,
  host: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Extract<SendOutcome, { readonly kind: 'timeout' }>> {
  signal.throwIfAborted();
  const over = new AbortController();
  const done = new AbortController();
  const limit = steady
    .waitUntil(after(steady.now(), timeoutMs), done.signal)
    .then(
      () => ({ kind: 'timeout', reason: `${host} did not answer within ${timeoutMs / SECOND} s: the message may have arrived` }) as const,
    );
  const worked = work(AbortSignal.any([over.signal, signal]));
  try {
    return await Promise.race([worked, limit]);
  } finally {
    // What lost the race ends here, and its error with it.
    limit.catch(() => undefined);
    worked.catch(() => undefined);
    done.abort(new Error('answered'));
    over.abort(new Error('too late'));
  }
}
