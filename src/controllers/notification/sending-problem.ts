import type { NotificationRoute, NotificationSettings } from '../notification-settings.ts';

/** What the settings ask for and this version does not do yet. Undefined where they ask for no more than it does. */
export function sendingProblem({ route, slack }: NotificationSettings): string | undefined {
  const problems = [
    ...(groups(route) ? ['groupWait is not followed: every notification goes out by itself, at once'] : []),
    ...(slack ? ['notifications.slack is not followed: nothing can be approved from Slack, messages link to the console'] : []),
  ];
  return problems.length === 0 ? undefined : `this version does not do all that the section notifications says: ${problems.join('; ')}`;
}

const groups = ({ groupWaitMs, routes }: NotificationRoute): boolean => groupWaitMs > 0 || routes.some(groups);
