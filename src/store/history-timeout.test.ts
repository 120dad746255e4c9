import { expect, test } from 'vitest';
import { ManualClock } from '../testkit/manual-clock.ts';
import { memoryAuditLog } from './memory-audit-log.ts';
import { HISTORY_PATIENCE_MS, patientHistory } from './history-timeout.ts';
import { createRemediationHistory } from './remediation-history.ts';

const WINDOW = { from: new ManualClock().now() };

test('a disk that does not answer is not waited for', async () => {
  const clock = new ManualClock();
  const history = patientHistory(createRemediationHistory({ ...memoryAuditLog(), find: () => new Promise(() => undefined) }), clock);
  const asked = Promise.allSettled([
    history.ofTarget({ cluster: '', target: 'x' }, WINDOW),
    history.bySpecHash('x', WINDOW),
    history.preRemediationSpecHash({ name: 'x' }),
  ]);
  await clock.advance(HISTORY_PATIENCE_MS);
  for (const answer of await asked) expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'no answer within 5 s' } });
});

test('an answer in time leaves nothing behind', async () => {
  const clock = new ManualClock();
  expect(await patientHistory(createRemediationHistory(memoryAuditLog()), clock).ofTarget({ cluster: '', target: 'x' }, WINDOW)).toEqual(
    [],
  );
  expect(clock.waiting).toBe(0);
});
