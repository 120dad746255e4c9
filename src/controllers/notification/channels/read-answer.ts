import { clip, parseTime, printable, SECOND, type Instant } from '../../../base/index.ts';
import type { ProviderAnswer, SendOutcome } from './send-outcome.ts';

const LONGEST_QUOTE = 200;

/**
 * Codes below 500 after which another attempt is made: request timeout, too early, too many requests; and a credential that is not accepted, since
 * one that is being rotated is not accepted for a minute.
 */
const RETRIED: readonly number[] = [401, 403, 408, 425, 429];

/** After these the provider has not taken the message; any other code from 500 on, as that of a proxy that got no answer, leaves it open. */
const NOT_TAKEN: readonly number[] = [...RETRIED, 501, 503, 505];

/** Reads an answer by its code, as all providers document it. Redirects are not followed: a credential is for the configured address only. */
export function readAnswer(answer: ProviderAnswer, provider: string, now: Instant): SendOutcome {
  const { code } = answer;
  if (code >= 200 && code < 300) return { kind: 'delivered' };
  const reason = `${provider} answered ${code}${quote(answer.text)}`;
  if (code >= 300 && code < 400) return { kind: 'refused', reason: `${provider} redirected with ${code}, which is not followed` };
  if (code < 500 && !RETRIED.includes(code)) return { kind: 'refused', reason };
  const retryAfterMs = retryAfter(answer, now);
  const doubt = NOT_TAKEN.includes(code) ? {} : { mayHaveArrived: true };
  return { kind: 'failed', reason, ...doubt, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** What an answer says, in one line. It comes from outside: it is shown, and never obeyed. */
export const quote = (text: string): string => {
  const line = printable(text.trim().replaceAll(/\s+/g, ' '));
  return line === '' ? '' : `: ${clip(line, LONGEST_QUOTE)}`;
};

/** Seconds, or an HTTP date. */
function retryAfter({ headers }: ProviderAnswer, now: Instant): number | undefined {
  const header = headers['retry-after'];
  const text = typeof header === 'string' ? header.trim() : undefined;
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const at = parseTime(httpDate(text));
  return at === undefined ? undefined : Math.max(0, at - now);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 15 Nov 2026 03:00:00 GMT` as RFC 3339. */
function httpDate(text: string): string | undefined {
  const [, day = '', month = '', year = '', time = ''] = /^\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text) ?? [];
  const index = MONTHS.indexOf(month);
  return index < 0 ? undefined : `${year}-${String(index + 1).padStart(2, '0')}-${day}T${time}Z`;
}
