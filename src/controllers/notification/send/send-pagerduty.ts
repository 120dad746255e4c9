import type { PagerDutyChannelSettings } from '../../notification-settings.ts';
import { pagerdutyRequest } from '../channels/pagerduty.ts';
import { readPagerdutyAnswer } from '../channels/read-pagerduty-answer.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential } from './read-credential.ts';
import type { AttemptDeps } from './send-deps.ts';
import { providerOf, sendHttp } from './send-http.ts';

export async function sendPagerduty(channel: PagerDutyChannelSettings, { message }: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  const credential = await readCredential(channel.routingKey, { ...deps, namespace: message.namespace });
  if (credential.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  const sent = await sendHttp(pagerdutyRequest(channel, message, credential.value), deps, credential.value);
  return sent.kind === 'answer' ? readPagerdutyAnswer(sent.answer, providerOf(channel.url), deps.clock.now()) : sent;
}
