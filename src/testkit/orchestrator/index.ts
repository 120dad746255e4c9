/**
 * Everybody around the orchestrator, so that it can be tested alone: on the memory API in virtual time, and on a real server.
 *
 * - `stand-ins.ts` plays the controllers of all children (`executions.ts` those that act, `people.ts` those who approve); what becomes of each
 *   child is its fate (`fates.ts`: declared, `seeded-fates.ts`: by chance), and `ends.ts` holds the statuses that they end with.
 * - `ledger.ts` is the world's record of what was really done to targets, and by what right; `record.ts` of what was written on requests.
 * - `story.ts` and `outside.ts` are signals and people; `world.ts` is what has to be there before.
 * - `scenarios.ts` puts it together for the simulation; `variants.ts` are orchestrators with one mistake each.
 */
export * from './fates.ts';
export * from './ledger.ts';
export * from './seeded-fates.ts';
export * from './settings.ts';
export * from './stand-ins.ts';
export * from './world.ts';
