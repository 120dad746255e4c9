import { expect, test } from 'vitest';
import type { AuditVerification } from '../../../../src/server/contract/index.ts';
import { proofText } from './proof-text.ts';

const checkpoint = { at: '2026-03-02T10:00:00Z', sequence: 900, hash: 'a'.repeat(64) };

test.each<{ proof: Omit<AuditVerification, 'findings'>; want: string }>([
  { proof: { state: 'NotChained' }, want: 'The trail is kept in memory: it ends with this process and proves nothing.' },
  { proof: { state: 'Pending' }, want: 'The trail is being verified.' },
  { proof: { state: 'Unreadable', message: 'disk full' }, want: 'The trail could not be verified: disk full.' },
  { proof: { state: 'Broken', events: 1 }, want: 'The trail of 1 event was tampered with.' },
  {
    proof: { state: 'Verified', events: 1_200, checkpoint, adopted: 3 },
    want: '1,200 events: none was changed, none is missing between them. Complete up to event 900 by a checkpoint. 3 are older than the chain.',
  },
  {
    proof: { state: 'Verified', events: 2 },
    want: '2 events: none was changed, none is missing between them. No checkpoint proves its end.',
  },
])('$proof.state', ({ proof, want }) => {
  expect(proofText(proof)).toBe(want);
});
