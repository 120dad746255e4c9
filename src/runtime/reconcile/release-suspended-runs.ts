import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { JsonPatchOperation } from '../../kube/client/client.ts';
import type { Effect } from './controller.ts';

/** How a Job is created suspended. */
export const HELD_JOB = { suspend: true } as const;

/** How a PipelineRun is created suspended. */
export const HELD_PIPELINE_RUN = { status: 'PipelineRunPending' } as const;

/** Is the Job still suspended? */
export const isJobHeld = (job: { readonly spec?: { readonly suspend?: boolean } }): boolean => job.spec?.suspend === true;

/** Is the PipelineRun still suspended? */
export const isPipelineRunHeld = (run: { readonly spec?: { readonly status?: string } }): boolean =>
  run.spec?.status === HELD_PIPELINE_RUN.status;

/** Releases a suspended Job: exactly the one observed, as it was observed. */
export const releaseJob = (resource: Resource, job: KubeObject): Effect =>
  release(resource, job, [{ op: 'replace', path: '/spec/suspend', value: false }]);

/** Releases a suspended PipelineRun: exactly the one observed, as it was observed. */
export const releasePipelineRun = (resource: Resource, run: KubeObject): Effect =>
  release(resource, run, [
    // An operator may have cancelled it meanwhile, which is written in the same field.
    { op: 'test', path: '/spec/status', value: HELD_PIPELINE_RUN.status },
    { op: 'remove', path: '/spec/status' },
  ]);

const release = (resource: Resource, run: KubeObject, operations: readonly JsonPatchOperation[]): Effect => ({
  kind: 'Patch',
  resource,
  key: keyOf(run),
  uid: run.metadata.uid,
  resourceVersion: run.metadata.resourceVersion,
  operations,
});
