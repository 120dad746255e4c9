/**
 * AWX (and the Ansible Automation Platform): runs a workflow as a job that a job template is launched for. AWX knows no hold and tells nobody
 * what it does, so that it has a way of its own beside the other engines:
 *
 *   finalizer ─▶ types ─▶ credentials ─▶ intent on record, launch ─▶ found by its mark, on record ─▶ followed ─▶ cleared
 *
 * - `wanted-credentials.ts` is what is made in AWX for one execution, `awx-names.ts` how it is called; start there.
 * - `begin-awx.ts`, `follow-awx.ts` and `clear-awx.ts` decide, `observe-awx.ts` reads, `awx-calls.ts` acts.
 * - `start-fault.ts` and `extra-vars.ts` are what a playbook is told and what must be right before; `redact.ts` keeps Secrets out of words.
 * - `awx-api.ts` speaks to AWX, over `http-awx.ts` or whatever else is an `AwxSend`.
 * A job is launched at most once. Nothing can be launched after the fence is gone, and nothing made after its type is.
 */
export { createAwxCalls } from './perform-awx-step.ts';
export { AwxNotes, type AwxDoor, type ClusterAddress } from './awx-connection.ts';
export { AWX_CALL } from './awx-step.ts';
export type { AwxSend } from './client/awx-request.ts';
export { beginAwx } from './launch/start-awx-job.ts';
export { clearAwx } from './clean-up-awx.ts';
export { failFast } from './client/fail-fast.ts';
export { hasFinalizer } from './awx-finalizer.ts';
export { followAwx } from './job/follow-awx-job.ts';
export { httpAwx } from './client/http-awx.ts';
export { observeProgress, observeRemains, observeStart } from './read-awx.ts';
export type { SeenAwx } from './observed-awx.ts';
