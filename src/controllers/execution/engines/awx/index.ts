/**
 * AWX (and the Ansible Automation Platform): runs a workflow as a job that is launched from a job template. AWX cannot create a job suspended
 * and sends no events, so it has a protocol of its own beside the other engines:
 *
 *   finalizer ─▶ types ─▶ credentials ─▶ intent recorded, launch ─▶ job found by its marker, recorded ─▶ followed ─▶ cleaned up
 *
 * - `launch/needed-credentials.ts` is what is created in AWX for one execution, `awx-names.ts` how it is named; start there.
 * - `launch/start-awx-job.ts`, `job/follow-awx-job.ts` and `clean-up-awx.ts` decide; `observe-awx-job.ts` and `read-awx.ts` read;
 *   `perform-awx-step.ts` acts.
 * - `launch/launch-fault.ts` and `launch/extra-vars.ts`: what must be right before the launch, and which variables the playbook gets;
 *   `job/redact.ts` removes Secrets from its output.
 * - `client/awx-api.ts` calls AWX, over `client/http-awx.ts` or any other `AwxSend`.
 * A job is launched at most once: nothing can be launched once the fence credential is deleted, and no credential created once its type is.
 */
export { createAwxCalls } from './perform-awx-step.ts';
export { AwxFailures, type AwxConnection, type ClusterAddress } from './awx-connection.ts';
export { AWX_CALL } from './awx-step.ts';
export type { AwxSend } from './client/awx-request.ts';
export { startAwxJob } from './launch/start-awx-job.ts';
export { cleanUpAwx } from './clean-up-awx.ts';
export { failFast } from './client/fail-fast.ts';
export { hasFinalizer } from './awx-finalizer.ts';
export { followAwxJob } from './job/follow-awx-job.ts';
export { httpAwx } from './client/http-awx.ts';
export { readLaunched, readLeftovers, readBeforeLaunch } from './read-awx.ts';
export type { ObservedAwx } from './observed-awx.ts';
