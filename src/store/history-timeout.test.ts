import { expect, test } from 'vitest';
import { ManualClock } from '../testkit/manual-clock.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { HISTORY_TIMEOUT_MS, historyWithTimeout } from './history-timeout.ts';
import { createRemediationHistory } from './remediation-history.ts';

const WINDOW = { from: new ManualClock().now() };

test('a disk that does not answer is not waited for', async () => {
  const clock = new ManualClock();
  const history = historyWithTimeout(createRemediationHistory({ ...memoryAuditLog(), find: () => new Promise(() => undefined) }), clock);
  const asked = Promise.allSettled([
    history.ofTarget({ cluster: '', target: 'x' }, WINDOW),
    history.bySpecHash('x', WINDOW),
    history.preRemediationSpecHash({ name: 'x' }),
  ]);
  await clock.advance(HISTORY_TIMEOUT_MS);
  for (const answer of await asked) expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'no answer within 5 s' } });
});

test('an answer in time leaves no timer', async () => {
  const clock = new ManualClock();
  expect(
    await historyWithTimeout(createRemediationHistory(memoryAuditLog()), clock).ofTarget({ cluster: '', target: 'x' }, WINDOW),
  ).toEqual([]);
  expect(clock.waiting).toBe(0);
});
