import type { NotificationSettings } from '../notification-settings.ts';
import type { ChannelHealth } from './delivery/channel-health.ts';
import { sendingProblem } from './sending-problem.ts';

/** Why notifications do not arrive; undefined while nothing is known to be wrong. Channels that the settings no longer have do not count. */
export function notificationProblem(settings: NotificationSettings, health: ChannelHealth): string | undefined {
  const names = new Set(settings.receivers.flatMap(({ channels }) => channels.map(({ name }) => name)));
  const problems = [health.problem([...names]), sendingProblem(settings)].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.join('; ');
}
