import type { Instant } from '../../../base/index.ts';
import { quote, readAnswer } from './read-answer.ts';
import type { ProviderAnswer, SendOutcome } from './send-outcome.ts';

/** The Events API answers 202 with `"status":"success"`. Anything else that is not an error is not PagerDuty. */
export function readPagerdutyAnswer(answer: ProviderAnswer, provider: string, now: Instant): SendOutcome {
  const outcome = readAnswer(answer, provider, now);
  if (outcome.kind !== 'delivered' || /"status"\s*:\s*"success"/.test(answer.text)) return outcome;
  return {
    kind: 'failed',
    reason: `${provider} answered ${answer.code} without "status":"success"${quote(answer.text)}`,
    mayHaveArrived: true,
  };
}
