import { describe, expect, test } from 'vitest';
import { DEFAULT_NOTIFICATIONS, type NotificationSettings } from '../notification-settings.ts';
import { ChannelHealth } from './delivery/channel-health.ts';
import { notificationProblem } from './notification-problem.ts';
import { sendingProblem } from './sending-problem.ts';
import { NOW } from './testing/a-notification.ts';

const { route } = DEFAULT_NOTIFICATIONS;

describe('what the settings ask for and is not done', () => {
  test('nothing, by default', () => expect(sendingProblem(DEFAULT_NOTIFICATIONS)).toBeUndefined());

  test('waiting for a group, on any route', () =>
    expect(sendingProblem({ ...DEFAULT_NOTIFICATIONS, route: { ...route, routes: [{ ...route, groupWaitMs: 1 }] } })).toContain(
      'groupWait is not followed',
    ));

  test('approvals from Slack', () => {
    const slack: NotificationSettings['slack'] = { signingSecret: { kind: 'file', path: '/a' }, users: {} };
    expect(sendingProblem({ ...DEFAULT_NOTIFICATIONS, slack })).toContain('notifications.slack is not followed');
  });
});

describe('why notifications do not arrive', () => {
  const health = new ChannelHealth();
  test('one failure is no problem yet', () => {
    health.failed('log', NOW, 'slack.com answered 500');
    expect(notificationProblem(DEFAULT_NOTIFICATIONS, health)).toBeUndefined();
  });

  test('two in a row name the channel and the last error', () => {
    health.failed('log', NOW, 'slack.com answered 503');
    health.failed('gone', NOW, 'a channel that the settings no longer have');
    health.failed('gone', NOW, 'does not count');
    expect(notificationProblem(DEFAULT_NOTIFICATIONS, health)).toBe('nothing arrives at log (2 failures in a row): slack.com answered 503');
  });

  test('until one arrives', () => {
    health.succeeded('log');
    expect(notificationProblem(DEFAULT_NOTIFICATIONS, health)).toBeUndefined();
  });
});
