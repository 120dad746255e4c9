import type { Logger } from '../base/index.ts';
import type { SignalVerdict } from './signal-verdict.ts';

/** How many requests, and how many messages, one line names. */
const MOST_NAMED = 10;

/** One line for a webhook, however many alerts it has: how many got which verdict, what was opened, and why alerts were not received. */
export function logVerdicts(log: Logger, verdicts: readonly SignalVerdict[]): void {
  const counts: Record<string, number> = {};
  for (const { verdict } of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const opened = verdicts.flatMap((verdict) => (verdict.verdict === 'created' ? [verdict.request.name] : []));
  const why = new Set(verdicts.flatMap((verdict) => (isReceived(verdict) ? [] : [verdict.message])));
  const isPutOff = counts['put-off'] !== undefined;
  log[isPutOff ? 'warn' : 'info'](isPutOff ? 'alerts put off' : 'alerts received', {
    alerts: verdicts.length,
    ...counts,
    ...(opened.length > 0 && { opened: opened.slice(0, MOST_NAMED) }),
    ...(why.size > 0 && { why: [...why].slice(0, MOST_NAMED) }),
  });
}

type Unreceived = Extract<SignalVerdict, { readonly message: string }>;

const isReceived = (verdict: SignalVerdict): verdict is Exclude<SignalVerdict, Unreceived> => !('message' in verdict);
