import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { ChannelSettings, NotificationSettings } from '../../notification-settings.ts';
import { notificationAttributes } from './notification-attributes.ts';
import { routeNotification } from './route-notification.ts';

/** Where a notification goes: each channel once, by however many routes it is reached. */
export interface RoutedChannels {
  readonly receivers: readonly string[];
  readonly channels: readonly ChannelSettings[];
}

/** Follows the routes to their receivers, and those to their channels. */
export function channelsOf(notification: Pick<NotificationRequest, 'spec'>, { route, receivers }: NotificationSettings): RoutedChannels {
  const names = [...new Set(routeNotification(route, notificationAttributes(notification)).map(({ receiver }) => receiver))];
  const channels = new Map<string, ChannelSettings>();
  for (const name of names)
    for (const channel of receivers.find((receiver) => receiver.name === name)?.channels ?? [])
      if (!channels.has(channel.name)) channels.set(channel.name, channel);
  return { receivers: names, channels: [...channels.values()] };
}
