import type { SlackChannelSettings } from '../../notification-settings.ts';
import { readSlackAnswer, readSlackWebhookAnswer } from '../channels/slack-answer.ts';
import { slackRequest, type SlackAccess } from '../channels/slack.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential } from './read-credential.ts';
import type { AttemptDeps } from './send-deps.ts';
import { providerOf, sendHttp } from './send-http.ts';

export async function sendSlack({ access }: SlackChannelSettings, { message, thread }: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  const place = access.kind === 'webhook' ? access.url : access.token;
  const credential = await readCredential(place, { ...deps, namespace: message.namespace });
  if (credential.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  const { value } = credential;
  const opened: SlackAccess = access.kind === 'webhook' ? { kind: 'webhook', url: value } : { ...access, token: value };
  const request = slackRequest(opened, message, thread);
  const sent = await sendHttp(request, deps, value);
  if (sent.kind !== 'answer') return sent;
  const read = access.kind === 'webhook' ? readSlackWebhookAnswer : readSlackAnswer;
  return read(sent.answer, providerOf(request.url), deps.clock.now());
}
