import { Job, Lease, PipelineRun } from '../api/builtin/index.ts';
import type { KubeObject } from '../api/meta.ts';
import type { Resource } from '../api/resource.ts';
import { LABELS } from '../api/well-known.ts';
import { WorkflowExecution } from '../api/workflow-execution/workflow-execution.ts';
import type { Simulation } from '../simulation/index.ts';

const KINDS: readonly Resource[] = [Lease, Job, PipelineRun];

/**
 * Tells locks and held runs that came after their execution had gone: what a process sent late, or before it stood still, arrives when there
 * is nobody left to take it back, nor to let a run go. The next execution on the target clears them away; everything else has to be gone
 * when all is over.
 */
export function straysIn({ mirror }: Simulation): (object: KubeObject) => boolean {
  const strays = new Set<string>();
  mirror.onChange(({ resource, before, after }) => {
    if (!KINDS.includes(resource) || before || !after) return;
    const execution = after.metadata.labels?.[LABELS.workflowExecutionUid];
    if (execution === undefined || mirror.all(WorkflowExecution).some(({ metadata }) => metadata.uid === execution)) return;
    strays.add(after.metadata.uid);
  });
  return ({ metadata }) => strays.has(metadata.uid);
}
