import { PlatformError, sameJson } from '../../base/index.ts';
import { configError, loadConfig, shortDuration } from '../../config/index.ts';
import { DEFAULT_SETTINGS } from '../../controllers/default-settings.ts';
import { routeNotification, sendingProblem } from '../../controllers/notification/index.ts';
import type { NotificationSettings } from '../../controllers/notification-settings.ts';
import type { RouteFlags } from './notifications-command.ts';

/** What a notification with these attributes would go to; an error when `--verify` names other receivers. Returns what people should be warned of. */
export async function notificationsRoute(
  attributes: Readonly<Record<string, string>>,
  { config, verify, output }: RouteFlags,
  print: (line: string) => void,
): Promise<string | undefined> {
  const settings = await notificationsIn(config);
  const { route, receivers } = settings;
  const taken = routeNotification(route, attributes).map(({ receiver, path, group, groupWaitMs }) => ({
    receiver,
    route: ['route', ...path.map((index) => `routes[${index}]`)].join('.'),
    channels: receivers.find(({ name }) => name === receiver)?.channels.map(({ name }) => name) ?? [],
    ...(groupWaitMs > 0 && { groupWait: shortDuration(groupWaitMs), group }),
  }));
  if (output === 'json') print(JSON.stringify({ attributes, routes: taken }, undefined, 2));
  else for (const line of taken.map(lineOf)) print(line);
  demand(
    verify,
    taken.map(({ receiver }) => receiver),
  );
  return sendingProblem(settings);
}

async function notificationsIn(file: string | undefined): Promise<NotificationSettings> {
  if (file === undefined) return DEFAULT_SETTINGS.notifications;
  const loaded = await loadConfig(file);
  if (loaded.kind !== 'valid') throw configError(file, loaded.problems);
  return loaded.settings.notifications;
}

interface Taken {
  readonly receiver: string;
  readonly route: string;
  readonly channels: readonly string[];
  readonly groupWait?: string;
  readonly group?: Readonly<Record<string, string>>;
}

function lineOf({ receiver, route, channels, groupWait, group = {} }: Taken): string {
  const to = channels.length === 0 ? 'no channel: it is dropped' : channels.join(', ');
  const named = Object.entries(group).map(([name, value]) => `${name}=${value === '' ? '""' : value}`);
  const grouped = groupWait === undefined ? '' : `; waits ${groupWait} for others with the same ${named.join(', ') || 'receiver'}`;
  return `${receiver} (${route}): ${to}${grouped}`;
}

function demand(wanted: readonly string[] | undefined, got: readonly string[]): void {
  if (wanted === undefined || sameJson(wanted.toSorted(), got.toSorted())) return;
  throw new PlatformError('Invalid', `it goes to ${got.join(', ')}, but --verify says ${wanted.join(', ')}`, { retry: 'never' });
}
