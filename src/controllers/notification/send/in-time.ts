import { after, SECOND } from '../../../base/index.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { AttemptDeps, SendDeps } from './send-deps.ts';

/**
 * Makes one attempt with a limit of time, which covers all of it, the credential included. After the limit, and when the process stops, nothing of it goes
 * on: its signal is aborted, and what ignores that is not waited for.
 */
export async function inTime(deps: SendDeps, channel: string, work: (deps: AttemptDeps) => Promise<SendOutcome>): Promise<SendOutcome> {
  const { steady, timeoutMs, signal } = deps;
  signal.throwIfAborted();
  let host: string | undefined;
  const over = new AbortController();
  const done = new AbortController();
  const limit = steady
    .waitUntil(after(steady.now(), timeoutMs), AbortSignal.any([done.signal, signal]))
    .then(() => timeoutOf(channel, timeoutMs, host));
  const worked = work({ ...deps, signal: AbortSignal.any([over.signal, signal]), begun: (reached) => void (host = reached) });
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

function timeoutOf(channel: string, timeoutMs: number, host: string | undefined): SendOutcome {
  const limit = `within ${timeoutMs / SECOND} s`;
  return host === undefined
    ? { kind: 'timeout', reason: `${channel} was not reached ${limit}` }
    : { kind: 'timeout', reason: `${host} did not answer ${limit}: the message may have arrived`, mayHaveArrived: true };
}
