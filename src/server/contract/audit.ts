import { anyObject, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named, pageOf, pageQuery, resourceRef } from './parts.ts';

/** One event of the audit trail. */
export const auditEventSchema = named(
  'AuditEvent',
  object('One event of the audit trail.', {
    id: text('Its id.'),
    type: text('What happened, e.g. orchestrator.approval.approved.'),
    at: time('When.'),
    remediation: text('The remediation that it belongs to.'),
    object: { ...resourceRef, description: 'The object that it is about.' },
    data: anyObject('What else is recorded.'),
  }),
);
export type RecordedEvent = Shape<typeof auditEventSchema>;

export const auditList = pageOf('AuditList', auditEventSchema);

export const auditQuery = object('Filters of the list; the newest come first.', {
  ...pageQuery,
  remediation: optional(text('Events of one remediation.', { max: 253 })),
  type: optional(text('Types, separated by commas.', { max: 2048 })),
  since: optional(time('Not what happened before.')),
});
