import { isObject, type Instant } from '../../../base/index.ts';
import { quote, readAnswer } from './read-answer.ts';
import type { ProviderAnswer, SendOutcome } from './send-outcome.ts';

/** Slack: some aspect of the operation may have succeeded before the error was raised. */
const HALF_DONE: readonly unknown[] = ['internal_error', 'fatal_error'];

/**
 * Errors of chat.postMessage after which Slack says to try again, and those about a token, which may be being rotated; every other one is about the
 * channel or the message.
 */
const RETRIED: readonly unknown[] = [
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
  'account_inactive',
];

/** An incoming webhook answers `ok`. Anything else with 200 is not Slack, or not all of it. */
export function readSlackWebhookAnswer(answer: ProviderAnswer, provider: string, now: Instant): SendOutcome {
  const outcome = readAnswer(answer, provider, now);
  if (outcome.kind !== 'delivered' || answer.text.trim() === 'ok') return outcome;
  return { kind: 'failed', reason: `${provider} answered ${answer.code} without "ok"${quote(answer.text)}`, mayHaveArrived: true };
}

/** chat.postMessage says in the body whether it worked. */
export function readSlackAnswer(answer: ProviderAnswer, provider: string, now: Instant): SendOutcome {
  const outcome = readAnswer(answer, provider, now);
  if (outcome.kind !== 'delivered') return outcome;
  const body = parsed(answer.text);
  if (body?.ok === true) return { kind: 'delivered', ...referenceIn(body) };
  if (body?.ok !== false)
    return {
      kind: 'failed',
      reason: `${provider} answered ${answer.code} with something else than JSON of Slack${quote(answer.text)}`,
      mayHaveArrived: true,
    };
  const reason = `${provider} refused the message${quote(String(body.error))}${ADVICE[String(body.error)] ?? ''}`;
  if (!RETRIED.includes(body.error)) return { kind: 'refused', reason };
  return { kind: 'failed', reason, ...(HALF_DONE.includes(body.error) && { mayHaveArrived: true }) };
}

const ADVICE: Readonly<Record<string, string>> = {
  not_in_channel: ': invite the app to the channel',
  channel_not_found: ': check the channel of the receiver; the app must be a member of a private one',
  invalid_auth: ': check botToken of the receiver',
  token_expired: ': check botToken of the receiver',
  token_revoked: ': check botToken of the receiver',
  missing_scope: ': the app needs the scope chat:write',
};

function referenceIn({ channel, ts }: Readonly<Record<string, unknown>>): { readonly reference?: string } {
  return typeof channel === 'string' && typeof ts === 'string' && /^[A-Z0-9]{1,30}$/.test(channel) && /^\d{1,20}\.\d{1,20}$/.test(ts)
    ? { reference: `${channel}/${ts}` }
    : {};
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
