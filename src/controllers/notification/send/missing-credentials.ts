import type { ChannelSettings, CredentialPlace, NotificationSettings } from '../../notification-settings.ts';
import { readCredential, type CredentialReader } from './read-credential.ts';

/** The credentials of channels that cannot be read now, each with its channel and the reason. */
export async function missingCredentials({ receivers }: NotificationSettings, reader: CredentialReader): Promise<readonly string[]> {
  const wanted = receivers.flatMap(({ channels }) => channels.flatMap((channel) => placesOf(channel).map((place) => ({ channel, place }))));
  const read = await Promise.all(wanted.map(async ({ channel, place }) => ({ channel, credential: await readCredential(place, reader) })));
  return read.flatMap(({ channel, credential }) => (credential.kind === 'missing' ? [`${channel.name}: ${credential.reason}`] : []));
}

const placesOf = (channel: ChannelSettings): readonly CredentialPlace[] => namedBy(channel).filter((place) => place !== undefined);

function namedBy(channel: ChannelSettings): readonly (CredentialPlace | undefined)[] {
  switch (channel.kind) {
    case 'webhook':
      return [channel.secret];
    case 'slack':
      return [channel.access.kind === 'webhook' ? channel.access.url : channel.access.token];
    case 'teams':
      return [channel.url];
    case 'pagerduty':
      return [channel.routingKey];
    case 'email':
      return [channel.password];
    case 'log':
    case 'file':
      return [];
  }
}
