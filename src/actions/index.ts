/**
 * What people ask and do: the same for the CLI, the HTTP API and the console. Everything is written with the client of the user, under the
 * user's own name; the API server checks both.
 *
 * - `decide-approval.ts` approves and rejects (`find-approval.ts` finds what is meant), `cancel-remediation.ts` cancels, `clear-block.ts` clears
 *   the block of a target (`blocks-in-locks.ts`) and the suppression of its signals (`suppressing-requests.ts`), `override-freeze.ts` has a remediation run in spite of a change freeze.
 * - `explain-request.ts` answers why a remediation is in its phase (`read-request-details.ts` reads what that rests on, `snapshot-reader.ts` in
 *   place of a cache).
 * - `rehearsal/` plays through what would be decided, without a write; `diagnose/` asks it about an object, `simulate/` about signals.
 */
export { cancelRemediation } from './cancel-remediation.ts';
export { clearBlock, clearedText, type Cleared } from './clear-block.ts';
export { decideApproval, decidedText, type Decided } from './decide-approval.ts';
export { diagnoseObject, type Diagnosed } from './diagnose/diagnose-object.ts';
export { parseNamedObject } from './diagnose/named-object.ts';
export { explainedText, explainRequest } from './explain-request.ts';
export { overriddenText, overrideFreeze, type Overridden } from './override-freeze.ts';
export { lookAtRequest } from './read-request-details.ts';
export type { ConclusionView, RehearsalView, WouldDo } from './rehearsal/index.ts';
export { simulateSignals, type Simulated, type SimulatedSignal } from './simulate/simulate-signals.ts';
