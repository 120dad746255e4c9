/**
 * What outlives the objects: the audit trail, and the history that is read from it.
 *
 * - `audit-log.ts` is the contract: events that are recorded once, however often they are appended, and found by remediation or type. Start there.
 * - `sqlite-audit-log.ts` keeps them in a file: a thread of its own commits (`sqlite-audit-worker.ts`), on the table of `audit-database.ts`.
 * - `chain/` makes the trail prove itself: each event is sealed with a key over the one before (`trail-row.ts`), `verify-trail.ts` checks that,
 *   `trail-watch.ts` does so while Sickbay runs and makes checkpoints; `audit-adoption.ts` says when an older file gets its chain, and
 *   `trail-reader.ts` reads a file that Sickbay may be writing.
 * - `postgres/` keeps them in a PostgreSQL database, which replicas share; `audit-queries.ts` is what both engines are asked, and
 *   `any-trail.ts` reads either.
 * - `memory-audit-log.ts` keeps them as long as the process lives, for tests, simulation and runs without state.
 * - `remediation-history.ts` reads from it what was done to a target, or to a spec (`history-entry.ts` makes one entry of a remediation's
 *   events); `history-context.ts` is what an investigation reads of it; `history-timeout.ts` limits how long a read may take.
 * - `signal-journal.ts` keeps the last signals with their verdicts, in memory.
 *
 * A store that cannot be written reports its path and what to do, and works again as soon as the cause is fixed.
 */
export * from './audit-log.ts';
export * from './history-context.ts';
export * from './memory-audit-log.ts';
export * from './history-timeout.ts';
export * from './remediation-history.ts';
export * from './signal-journal.ts';
export * from './chain/index.ts';
export { openAuditLog } from './sqlite-audit-log.ts';
export * from './any-trail.ts';
export { adoptTrail } from './adopt-trail.ts';
export { openPostgresAuditLog } from './postgres/postgres-audit-log.ts';
export { addressOf } from './postgres/postgres-errors.ts';
export { isDatabaseUrl } from './postgres/postgres-connection.ts';
