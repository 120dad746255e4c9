import { assertNever } from '../../../base/index.ts';
import type { ChannelSettings } from '../../notification-settings.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import type { Outgoing } from './outgoing.ts';
import type { SendDeps } from './send-deps.ts';
import { sendEmail } from './send-email.ts';
import { sendFile } from './send-file.ts';
import { sendLog } from './send-log.ts';
import { sendPagerduty } from './send-pagerduty.ts';
import { sendSlack } from './send-slack.ts';
import { sendTeams } from './send-teams.ts';
import { sendWebhook } from './send-webhook.ts';

/** Makes one attempt to send a message through a channel. Throws only when the process stops. */
export async function sendToChannel(channel: ChannelSettings, outgoing: Outgoing, deps: SendDeps): Promise<SendOutcome> {
  switch (channel.kind) {
    case 'log':
      return sendLog(outgoing.notification, deps.log);
    case 'file':
      return sendFile(channel, outgoing);
    case 'webhook':
      return sendWebhook(channel, outgoing, deps);
    case 'slack':
      return sendSlack(channel, outgoing, deps);
    case 'teams':
      return sendTeams(channel, outgoing, deps);
    case 'pagerduty':
      return sendPagerduty(channel, outgoing, deps);
    case 'email':
      return sendEmail(channel, outgoing, deps);
    default:
      return assertNever(channel);
  }
}
