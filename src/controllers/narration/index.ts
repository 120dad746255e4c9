/**
 * Tells what happens to remediations: to the audit trail, to people as Kubernetes Events, and to Prometheus. All of it is derived from what
 * the watch shows, never from a decision: so nothing is said that was not written, and a status holds nothing for the sake of telling it.
 *
 * - `audit-events.ts` is what a request's state implies, all of it: a look that was missed is made up for by the next one.
 * - `event-notes.ts`, `block-notes.ts` and `approval-notes.ts` are what people hear when one state follows another, `increments.ts` what is
 *   counted; `narration-metrics.ts` gives the counts to Prometheus.
 * - `assessment-events.ts`, `assessment-notes.ts` and `assessment-increments.ts` are the same of assessments.
 * - `narrator.ts` follows the cache while this process leads. Start there. `audit-outbox.ts` holds events until the store has them,
 *   `event-outbox.ts` lets few Events go at a time.
 * - `audit-state.ts` is what others ask: whether all that a request's state implies is on record, before it is deleted.
 */
export { auditEventsOf } from './audit-events.ts';
export * from './audit-state.ts';
export * from './increments.ts';
export { kubernetesEventsOf } from './event-notes.ts';
export * from './narration-metrics.ts';
export * from './narrator.ts';
