import { assertNever } from '../../../base/index.ts';
import type { ChannelSettings } from '../../notification-settings.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import { inTime } from './in-time.ts';
import type { Outgoing } from './outgoing.ts';
import type { AttemptDeps, SendDeps } from './send-deps.ts';
import { sendEmail } from './send-email.ts';
import { sendFile } from './send-file.ts';
import { sendLog } from './send-log.ts';
import { sendPagerduty } from './send-pagerduty.ts';
import { sendSlack } from './send-slack.ts';
import { sendTeams } from './send-teams.ts';
import { sendWebhook } from './send-webhook.ts';

/** Makes one attempt to send a message through a channel, within its limit of time. Throws only when the process stops. */
export const sendToChannel = (channel: ChannelSettings, outgoing: Outgoing, deps: SendDeps): Promise<SendOutcome> =>
  inTime(deps, channel.name, (limited) => sendBy(channel, outgoing, limited));

async function sendBy(channel: ChannelSettings, outgoing: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  switch (channel.kind) {
    case 'log':
      return sendLog(outgoing.message, deps.log);
    case 'file':
      return sendFile(channel, outgoing, deps);
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
