import { expect, test } from 'vitest';
import { after, SECOND, toTime } from '../../../base/index.ts';
import { aNotification, NOW } from '../testing/a-notification.ts';
import { attemptOf } from './record-attempts.ts';

const retryAtOf = (durationMs: number, retryAfterMs?: number): string | undefined =>
  attemptOf(
    {
      channel: 'a',
      attempt: 1,
      startedAt: NOW,
      durationMs,
      outcome: { kind: 'failed', reason: 'busy', ...(retryAfterMs !== undefined && { retryAfterMs }) },
    },
    aNotification().spec,
  ).retryAt;

test('Retry-After counts from the end of the attempt, and is rounded up to whole seconds', () => {
  expect(retryAtOf(4_500, 60 * SECOND)).toBe(toTime(after(NOW, 65 * SECOND)));
  expect(retryAtOf(0, 60 * SECOND)).toBe(toTime(after(NOW, 60 * SECOND)));
});

test('so does the back-off', () => {
  expect(retryAtOf(10 * SECOND)).toBe(toTime(after(NOW, 40 * SECOND)));
});
