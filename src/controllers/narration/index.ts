/**
 * Reports what happens to remediations: in the audit trail, as Kubernetes Events, and as Prometheus metrics. All of it is derived from what
 * the watch shows, never from a decision: only what was written is reported, and a status holds nothing merely to have it reported.
 *
 * In reading order:
 * - `narrator.ts` follows the cache while this process leads, and calls everything else.
 * - `audit/`: the audit events that a state implies, one file per kind (`request-audit-events.ts` first). They follow from the state alone, so
 *   that a missed change is made up for by the next one. `audit-outbox.ts` holds them until the store has them.
 * - `events/`: the Kubernetes Events that a change of state implies, one file per kind. `event-outbox.ts` limits how many are written at a time.
 * - `metrics/`: the counters that a change of state increments, one file per kind; `narration-metrics.ts` registers them with Prometheus.
 */
export * from './metrics/counters.ts';
export * from './metrics/request-increments.ts';
export * from './metrics/narration-metrics.ts';
export * from './narrator.ts';
