import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openAuditLog } from '../sqlite-audit-log.ts';
import type { AuditEvent, AuditLog } from '../audit-log.ts';

/** An event of one remediation; the same id is the same event. */
export const anEvent = (id: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  id,
  type: 'orchestrator.phase.transitioned',
  correlationId: 'rr-checkout-7f3a',
  subject: { kind: 'RemediationRequest', namespace: 'sickbay-system', name: 'rr-checkout-7f3a', uid: 'u-1' },
  at: '2026-03-02T10:00:05Z',
  data: { phase: 'Processing' },
  ...more,
});

/** A path for an audit file, in a folder that goes with the test. */
export function anAuditPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sickbay-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'audit.db');
}

/** An audit file that is closed with the test. */
export function anAuditFile(path = anAuditPath()): AuditLog {
  const log = openAuditLog(path);
  onTestFinished(() => log.close());
  return log;
}
