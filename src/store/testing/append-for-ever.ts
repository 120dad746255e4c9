/** Appends batches of three to the file that it is given, and says a line for each that was acknowledged, until it is killed. */
import { openAuditLog } from '../sqlite-audit-log.ts';
import type { AuditEvent } from '../audit-log.ts';

const event = (id: string): AuditEvent => ({
  id,
  type: 'orchestrator.phase.transitioned',
  correlationId: 'rr',
  subject: { kind: 'RemediationRequest', namespace: 'sickbay-system', name: 'rr', uid: 'u' },
  at: '2026-03-02T10:00:05Z',
  data: {},
});

const log = openAuditLog(process.argv[2] ?? '');
for (let batch = 0; ; batch++) {
  await log.append([0, 1, 2].map((i) => event(`${batch}-${i}`)));
  process.stdout.write(`${batch}\n`);
}
