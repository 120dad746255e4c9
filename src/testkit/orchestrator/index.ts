/**
 * Everything around the orchestrator, so that it can be tested alone: on the memory API in virtual time, and on a real server.
 *
 * - `fake-controllers.ts` plays the controllers of all children (`fake-executions.ts` those that act, `decide-approval.ts` the approver). How each
 *   child ends is declared in `scripted-results.ts` or drawn by chance in `seeded-results.ts`; `child-results.ts` holds the statuses they end with.
 * - `ledger.ts` records what was really done to targets and which permission it had; `request-record.ts` what was written on requests.
 * - `timeline.ts` and `outside-world.ts` are the signals and the operators; `world.ts` prepares namespaces, kinds and targets.
 * - `scenarios.ts` puts it together for the simulation; `faulty-orchestrators.ts` are orchestrators with one mistake each.
 */
export * from './scripted-results.ts';
export * from './ledger.ts';
export * from './seeded-results.ts';
export * from './settings.ts';
export * from './fake-controllers.ts';
export * from './world.ts';
