import { after, messageOf, PlatformError, SECOND, type Clock, type Instant } from '../../../../../base/index.ts';
import type { AwxSend } from './awx-request.ts';

/** For so long nobody else waits for an AWX that did not answer somebody. */
const REST_MS = 8 * SECOND;

/**
 * Keeps an AWX that does not answer from holding up everything else: once a call got no answer, reads fail at once for a while. What changes
 * something is always sent, since whoever decided on it counts on it.
 */
export function failFast(send: AwxSend, clock: Clock): AwxSend {
  let silent: { readonly until: Instant; readonly why: string } | undefined;
  return async (request, signal) => {
    if (request.method === 'GET' && silent && clock.now() < silent.until) throw new PlatformError('Unavailable', silent.why);
    try {
      const response = await send(request, signal);
      silent = undefined;
      return response;
    } catch (error) {
      silent = { until: after(clock.now(), REST_MS), why: messageOf(error) };
      throw error;
    }
  };
}
