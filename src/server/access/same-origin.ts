import { ApiProblem } from '../api/api-problem.ts';
import type { CallerHints } from './caller.ts';

/**
 * A browser sends the cookie of a session whichever page asks, also for pages that another program on this machine serves under the same
 * name but another port. What a page of another origin asks for is refused: by the Origin header, which browsers set on every write, and by
 * Sec-Fetch-Site, which they set on every request. Programs that are no browsers set neither; they have to know the cookie.
 */
export function demandSameOrigin({ headers }: CallerHints): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (typeof origin === 'string' && !isOwn(origin, host)) throw foreign(`a page of ${origin.slice(0, 100)}`);
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign('a page of another origin');
}

function isOwn(origin: string, host: CallerHints['headers'][string]): boolean {
  const url = URL.parse(origin);
  return url !== null && url.host === host;
}

const foreign = (what: string): ApiProblem =>
  new ApiProblem(403, `the request was sent by ${what}: only the console of this server may use its session`);
