import type { NotificationSettings } from '../notification-settings.ts';
import { CHANNEL } from './deliver.ts';

/** What the settings ask for and is not done: every notification goes to the log, whatever the routes say. Undefined where they ask for no more. */
export function sendingProblem({ receivers }: NotificationSettings): string | undefined {
  const unsent = receivers.flatMap(({ channels }) => channels).filter(({ kind }) => kind !== CHANNEL);
  if (unsent.length === 0) return undefined;
  const names = unsent.map(({ name }) => name).join(', ');
  return `this version writes every notification to the log: nothing is sent to ${names}, and routes are not followed`;
}
