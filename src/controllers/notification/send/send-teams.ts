import type { TeamsChannelSettings } from '../../notification-settings.ts';
import type { SendOutcome } from '../channels/send-outcome.ts';
import { readTeamsAnswer, teamsRequest } from '../channels/teams.ts';
import type { Outgoing } from './outgoing.ts';
import { readCredential } from './read-credential.ts';
import type { AttemptDeps } from './send-deps.ts';
import { providerOf, sendHttp } from './send-http.ts';

export async function sendTeams(channel: TeamsChannelSettings, { message }: Outgoing, deps: AttemptDeps): Promise<SendOutcome> {
  const credential = await readCredential(channel.url, { ...deps, namespace: message.namespace });
  if (credential.kind === 'missing') return { kind: 'failed', reason: credential.reason };
  const sent = await sendHttp(teamsRequest(credential.value, message), deps, credential.value);
  return sent.kind === 'answer' ? readTeamsAnswer(sent.answer, providerOf(credential.value), deps.clock.now()) : sent;
}
