import { enumOf, int64, list, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named } from './parts.ts';

const checkpoint = named(
  'AuditCheckpoint',
  object('How far the trail went at a time.', {
    at: time('When it was made.'),
    sequence: int64('The last event then.', { min: 1 }),
    hash: text('Its hash.'),
  }),
);

const finding = named(
  'AuditFinding',
  object('Something that shows that the trail is not what was recorded.', {
    kind: enumOf('What does not fit.', ['Changed', 'Missing', 'OutOfOrder', 'UnknownKey', 'OlderKey', 'Truncated', 'Rewritten']),
    from: int64('The first event that it is about.', { min: 0 }),
    to: int64('The last one.', { min: 0 }),
    message: text('What was found.'),
  }),
);

/** Whether the audit trail is what was recorded. */
export const auditVerificationSchema = named(
  'AuditVerification',
  object('Whether the audit trail is what was recorded, as it was verified last.', {
    state: enumOf(
      '`Verified`: every event fits; `Broken`: see findings; `Pending`: it is read for the first time; `Unreadable`: see message; `NotChained`: it is kept in memory and proves nothing.',
      ['Verified', 'Broken', 'Pending', 'Unreadable', 'NotChained'],
    ),
    at: optional(time('When it was verified.')),
    message: optional(text('What is wrong, in a sentence.')),
    events: optional(int64('How many events it had.', { min: 0 })),
    adopted: optional(int64('Of these, how many were recorded before the trail had a chain.', { min: 0 })),
    end: optional(object('The last event.', { sequence: int64('Its place in the trail.', { min: 0 }), hash: text('Its hash.') })),
    checkpoint: optional({ ...checkpoint, description: 'The newest checkpoint that it fits: until then nothing is missing.' }),
    findings: list('What does not fit; at most 100.', finding),
  }),
);
export type AuditVerification = Shape<typeof auditVerificationSchema>;
