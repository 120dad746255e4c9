/**
 * Whether a target may be changed now, by the sections `changeFreezes` and `maintenanceWindows` of the config file. All of it is pure.
 *
 * - `judge-change.ts` decides; start there. `in-scope.ts` is whether a window is about a target.
 * - `window-span.ts` is when a window is open, and until when; `cron-starts.ts` reads cron expressions.
 */
export { cronProblem } from './cron-starts.ts';
export { judgeChange, type ChangedThing, type ChangeVerdict } from './judge-change.ts';
export { neverEnds, spanOf } from './window-span.ts';
