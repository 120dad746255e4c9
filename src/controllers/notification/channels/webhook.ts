import { createHmac } from 'node:crypto';
import { parseTime, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { WebhookChannelSettings } from '../../notification-settings.ts';
import { limitText } from '../message/limit-text.ts';
import type { Message } from '../message/message.ts';
import type { ProviderRequest } from './send-outcome.ts';

/** Ours: a receiver should not have to take more. */
const LONGEST_TEXT = 64 * 1024;

/** What signs a request, and when it is signed. */
export interface Signing {
  /** The key; requests are not signed when absent. */
  readonly secret: string | undefined;
  readonly now: Instant;
}

/** Signed as Standard Webhooks describes: receivers find libraries for it, and tell repeated attempts by `webhook-id`. */
export function webhookRequest({ url }: Pick<WebhookChannelSettings, 'url'>, message: Message, { secret, now }: Signing): ProviderRequest {
  const body = JSON.stringify(webhookBody(message));
  const seconds = String(Math.floor((parseTime(toTime(now)) ?? now) / SECOND));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': message.key,
    'webhook-timestamp': seconds,
    ...(secret !== undefined && { 'webhook-signature': `v1,${signature(secret, `${message.key}.${seconds}.${body}`)}` }),
  };
  return { url, headers, body };
}

const webhookBody = (message: Message) => ({
  version: '1',
  id: message.key,
  name: message.name,
  namespace: message.namespace,
  type: message.type,
  priority: message.priority,
  resolved: message.isResolved,
  incident: message.incident,
  ...(message.remediation !== undefined && { remediationRequest: message.remediation }),
  title: message.title,
  text: limitText(message.text, LONGEST_TEXT, message.whole),
  facts: message.facts.map(([name, value]) => ({ name, value })),
  links: message.links,
  createdAt: message.createdAt,
});

/** A secret of the form `whsec_…` is base64, as Standard Webhooks writes it; any other is taken as it stands. */
function signature(secret: string, signed: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  return createHmac('sha256', key).update(signed).digest('base64');
}
