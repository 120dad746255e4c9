import { describe, expect, test } from 'vitest';
import { notificationPhases, type NotificationPhase } from '../../api/notification-request/phases.ts';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { mayMove } from '../../api/phases.ts';
import { after, SECOND, toTime } from '../../base/index.ts';
import { DEFAULT_NOTIFICATIONS } from '../notification-settings.ts';
import { decide } from './decide.ts';
import { aNotification, anAttempt, NOW } from './testing/a-notification.ts';

type Status = NonNullable<NotificationRequest['status']>;

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly status: Status | undefined;
  readonly to: NotificationPhase | undefined;
  readonly calls: number;
  readonly wakes: boolean;
}

const seen = (status?: Status) => ({ object: aNotification(status), siblings: [], notifications: DEFAULT_NOTIFICATIONS });

const cases: readonly Case[] = [
  { name: 'new', reason: 'the table begins there', status: undefined, to: 'Pending', calls: 0, wakes: true },
  {
    name: 'queued',
    reason: 'nothing is sent before that is recorded',
    status: { phase: 'Pending' },
    to: 'Sending',
    calls: 0,
    wakes: true,
  },
  { name: 'not delivered', reason: 'it is sent', status: { phase: 'Sending' }, to: 'Sending', calls: 1, wakes: true },
  {
    name: 'delivery failed',
    reason: 'it is sent again',
    status: { phase: 'Sending', deliveryAttempts: [anAttempt({ status: 'failed' })] },
    to: 'Sending',
    calls: 1,
    wakes: true,
  },
  {
    name: 'delivered',
    reason: 'it is not sent again',
    status: { phase: 'Sending', deliveryAttempts: [anAttempt({ status: 'failed' }), anAttempt({ attempt: 2 })] },
    to: 'Sent',
    calls: 0,
    wakes: false,
  },
  { name: 'retrying', reason: 'it is sent', status: { phase: 'Retrying' }, to: 'Retrying', calls: 1, wakes: true },
  {
    name: 'delivered after a retry',
    reason: 'it has ended',
    status: { phase: 'Retrying', deliveryAttempts: [anAttempt()] },
    to: 'Sent',
    calls: 0,
    wakes: false,
  },
  { name: 'sent', reason: 'terminal is terminal', status: { phase: 'Sent' }, to: undefined, calls: 0, wakes: false },
  { name: 'partially sent', reason: 'terminal is terminal', status: { phase: 'PartiallySent' }, to: undefined, calls: 0, wakes: false },
  { name: 'failed', reason: 'terminal is terminal', status: { phase: 'Failed' }, to: undefined, calls: 0, wakes: false },
];

describe('decide', () => {
  test.each(cases)('$name: $reason', ({ status, to, calls, wakes }) => {
    const decision = decide(seen(status), NOW);
    const decided = decision.status as Status | undefined;
    expect(decided?.phase).toBe(to);
    expect(decision.effects).toHaveLength(calls);
    expect(decision.wakeAt).toBe(wakes ? after(NOW, 30 * SECOND) : undefined);
    if (status?.phase && to && to !== status.phase) expect(mayMove(notificationPhases, status.phase, to)).toBe(true);
  });

  test('the delivery is one call under the UID of the message, and writes no status of its own', () => {
    const status: Status = { phase: 'Sending' };
    expect(decide(seen(status), NOW)).toMatchObject({
      status,
      effects: [{ kind: 'Call', run: 'deliver-notification', key: 'uid-nr', input: { due: [{ channel: { name: 'log' }, attempt: 1 }] } }],
    });
  });

  test('an attempt without a result, after which none may follow, is asked for before anything is concluded', () => {
    const attempts = [1, 2, 3, 4].map((attempt) => anAttempt({ attempt, status: 'failed' }));
    const status: Status = { phase: 'Sending', deliveryAttempts: [...attempts, anAttempt({ attempt: 5, status: 'sending' })] };
    expect(decide(seen(status), NOW)).toMatchObject({
      status,
      effects: [{ kind: 'Call', input: { due: [], unknown: [{ channel: 'log', attempt: 5 }] } }],
    });
  });

  test('every step says what it is, and when', () => {
    const at = (status?: Status) => decide(seen(status), NOW).status;
    expect(at()).toMatchObject({ queuedAt: toTime(NOW), reason: 'Queued', conditions: [{ type: 'Ready', status: 'False' }] });
    expect(at({ phase: 'Pending' })).toMatchObject({ processingStartedAt: toTime(NOW), reason: 'Sending' });
    expect(at({ phase: 'Sending', deliveryAttempts: [anAttempt()] })).toMatchObject({
      completionTime: toTime(NOW),
      reason: 'Delivered',
      message: 'delivered to log',
      observedGeneration: 1,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Delivered' }],
    });
  });
});
