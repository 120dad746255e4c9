import { expect, test } from 'vitest';
import { DEFAULT_NOTIFICATIONS, type NotificationSettings } from '../notification-settings.ts';
import { sendingProblem } from './sending-problem.ts';

test('the log alone is no problem', () => expect(sendingProblem(DEFAULT_NOTIFICATIONS)).toBeUndefined());

test('every channel that is not sent to is named', () => {
  const teams = { kind: 'teams', name: 'teams:oncall', timeoutMs: 1_000, url: { kind: 'file', path: '/a' } } as const;
  const file = { kind: 'file', name: 'file:archive', timeoutMs: 1_000, path: '/b' } as const;
  const receivers: NotificationSettings['receivers'] = [
    ...DEFAULT_NOTIFICATIONS.receivers,
    { name: 'oncall', channels: [teams] },
    { name: 'archive', channels: [file] },
  ];
  expect(sendingProblem({ ...DEFAULT_NOTIFICATIONS, receivers })).toBe(
    'this version writes every notification to the log: nothing is sent to teams:oncall, file:archive, and routes are not followed',
  );
});
