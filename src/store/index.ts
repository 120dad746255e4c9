/**
 * What outlives the objects: the audit trail, and what it tells of the past.
 *
 * - `audit-log.ts` is the contract: events that are appended once, whoever appends them again, and found by remediation or type. Start there.
 * - `sqlite-audit-log.ts` keeps them in a file: a thread of its own commits (`sqlite-audit-worker.ts`), on the table of `audit-database.ts`.
 * - `memory-audit-log.ts` keeps them as long as the process lives, for tests, simulation and runs without state.
 * - `remediation-history.ts` reads from it what was done to a target, or to a spec (`history-entry.ts` makes one entry of a remediation's
 *   events); `history-context.ts` is what an investigation is told of that; `patient-history.ts` does not wait for ever.
 *
 * A store that cannot be written says so with its path and what to do, and works again as soon as the cause is gone.
 */
export * from './audit-log.ts';
export * from './history-context.ts';
export * from './memory-audit-log.ts';
export * from './history-timeout.ts';
export * from './remediation-history.ts';
export { openAuditLog } from './sqlite-audit-log.ts';
