import { describe, expect, test } from 'vitest';
import { memoryAuditLog } from './memory-audit-log.ts';
import { anAuditFile, anEvent } from './testing/an-event.ts';
import { idsIn, testAuditLog } from './testing/audit-log-suite.ts';

/** Threads start slowly on a busy machine. */
const TIMEOUT_MS = 60_000;

describe.for([
  { name: 'in memory', open: () => memoryAuditLog() },
  { name: 'in a file', open: () => anAuditFile() },
])('an audit log $name', { timeout: TIMEOUT_MS }, ({ open }) => testAuditLog(open));

test('memory does not grow for ever: the oldest events go', async () => {
  const log = memoryAuditLog(3);
  for (const id of ['a', 'b', 'c', 'd', 'e']) await log.append([anEvent(id)]);
  expect(await idsIn(log.find({}))).toEqual(['c', 'd', 'e']);
  expect(await idsIn(log.find({ correlationId: anEvent('a').correlationId }))).toEqual(['c', 'd', 'e']);
});
