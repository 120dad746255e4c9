import { after, messageOf, PlatformError, SECOND, type Clock, type Instant } from '../../../../../base/index.ts';
import type { AwxSend } from './awx-request.ts';

/** How long reads fail at once after AWX did not answer a call. */
const REST_MS = 8 * SECOND;

/**
 * Keeps an AWX that does not answer from holding up everything else: once a call got no answer, reads fail at once for a while. What changes
 * something is always sent, since the decision behind it relies on that.
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
