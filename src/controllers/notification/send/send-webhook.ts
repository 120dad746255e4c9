import type { WebhookChannelSettings } from '../../notification-settings.ts';
import { readAnswer } from '../channels/read-answer.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import { webhookRequest } from '../channels/webhook.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential } from './read-credential.ts';
import type { AttemptDeps } from './send-deps.ts';
import { providerOf, sendHttp } from './send-http.ts';

export async function sendWebhook(channel: WebhookChannelSettings, { message }: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  const credential = channel.secret && (await readCredential(channel.secret, { ...deps, namespace: message.namespace }));
  if (credential?.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  const sent = await sendHttp(
    webhookRequest(channel, message, { secret: credential?.value, now: deps.clock.now() }),
    deps,
    credential?.value,
  );
  return sent.kind === 'answer' ? readAnswer(sent.answer, providerOf(channel.url), deps.clock.now()) : sent;
}
