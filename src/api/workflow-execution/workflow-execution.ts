import { AGE, defineKind, readyReason } from '../define-kind.ts';
import { PIPELINE } from '../parts/group.ts';
import type { ObjectOf } from '../resource.ts';
import { executionPhases } from './phases.ts';
import { workflowExecutionSample } from './sample.ts';
import { workflowExecutionSpec } from './spec.ts';
import { workflowExecutionStatus } from './status.ts';

/** The child that changes the cluster. */
export const WorkflowExecution = defineKind({
  ...PIPELINE,
  kind: 'WorkflowExecution',
  plural: 'workflowexecutions',
  shortNames: ['wfe'],
  description: 'Runs one workflow on one target, at most once, under a lock, as a Kubernetes Job, a Tekton PipelineRun or an AWX job.',
  spec: workflowExecutionSpec,
  status: workflowExecutionStatus,
  phases: executionPhases,
  selectableFields: ['spec.remediationRequestRef.name', 'spec.targetResource'],
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Workflow', type: 'string', path: '.status.workflowName' },
    { name: 'WorkflowID', type: 'string', path: '.spec.workflowRef.workflowId' },
    { name: 'Target', type: 'string', path: '.spec.targetResource' },
    { name: 'Duration', type: 'string', path: '.status.duration' },
    readyReason(),
    AGE,
  ],
  sample: workflowExecutionSample,
});
export type WorkflowExecution = ObjectOf<typeof WorkflowExecution>;
