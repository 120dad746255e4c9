import { enumOf, object, optional, text, time, type Shape } from '../../api/schema/index.ts';
import { named, pageOf, pageQuery, resourceRef } from './parts.ts';

const VERDICTS = ['created', 'duplicate', 'suppressed', 'out-of-scope', 'outdated', 'resolved', 'rejected', 'put-off'] as const;

/** A signal and what was decided about it. */
export const signalSchema = named(
  'Signal',
  object('A signal and what was decided about it.', {
    id: text('Identifies it in this process.'),
    at: time('When it was received.'),
    name: optional(text('Name of the alert.')),
    severity: optional(text('Severity.')),
    verdict: enumOf('The decision.', VERDICTS),
    message: optional(text('Why.')),
    target: optional(resourceRef),
    fingerprint: optional(text('Fingerprint of the top owner of the target.')),
    remediation: optional(text('The remediation that it opened or belongs to.')),
    until: optional(time('Until when such signals open nothing.')),
  }),
);
export type Signal = Shape<typeof signalSchema>;

export const signalList = pageOf('SignalList', signalSchema);

export const signalQuery = object('Filters of the list.', {
  ...pageQuery,
  verdict: optional(enumOf('The decision.', VERDICTS)),
  remediation: optional(text('Those of one remediation.', { max: 253 })),
  search: optional(text('Text that the name or the message contains, in any case.', { max: 253 })),
});
