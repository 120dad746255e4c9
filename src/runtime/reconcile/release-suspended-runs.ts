import { keyOf, type KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { JsonPatchOperation } from '../../kube/client/client.ts';
import type { Effect } from './controller.ts';

/** How a Job is created held. */
export const HELD_JOB = { suspend: true } as const;

/** How a PipelineRun is created held. */
export const HELD_PIPELINE_RUN = { status: 'PipelineRunPending' } as const;

/** Is the Job still waiting to be let go? */
export const isJobHeld = (job: { readonly spec?: { readonly suspend?: boolean } }): boolean => job.spec?.suspend === true;

/** Is the PipelineRun still waiting to be let go? */
export const isPipelineRunHeld = (run: { readonly spec?: { readonly status?: string } }): boolean =>
  run.spec?.status === HELD_PIPELINE_RUN.status;

/** Lets a held Job go: exactly the one observed, as it was observed. */
export const releaseJob = (resource: Resource, job: KubeObject): Effect =>
  release(resource, job, [{ op: 'replace', path: '/spec/suspend', value: false }]);

/** Lets a held PipelineRun go: exactly the one observed, as it was observed. */
export const releasePipelineRun = (resource: Resource, run: KubeObject): Effect =>
  release(resource, run, [
    // Somebody may have cancelled it meanwhile, which is written in the same place.
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
