import { createHash } from 'node:crypto';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { ANNOTATIONS, LABELS } from '../../api/well-known.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';

/** The longest value that a label may have. */
const LABEL_MAX = 63;

/**
 * The name of the run and of the lock. It follows from the target alone, so that two executions for one target meet at the same name. A
 * target of another cluster is another target.
 */
export function runName({ targetResource, clusterID }: Pick<WorkflowExecution['spec'], 'targetResource' | 'clusterID'>): string {
  const text = clusterID ? `${clusterID}:${targetResource}` : targetResource;
  return `wfe-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** The workflow as people know it. */
export const workflowOf = ({ spec: { workflowRef } }: WorkflowExecution): string => workflowRef.workflowName ?? workflowRef.workflowId;

/** What both the run and the lock carry to say whose they are, and what a run is for. */
export const marksOf = ({ metadata, spec }: WorkflowExecution) => ({
  labels: {
    [LABELS.workflowExecution]: asLabel(metadata.name),
    [LABELS.workflowExecutionUid]: metadata.uid,
    [LABELS.workflowId]: asLabel(spec.workflowRef.workflowId),
    [LABELS.targetResource]: asLabel(spec.targetResource.replaceAll('/', '__')),
    [LABELS.sourceNamespace]: metadata.namespace ?? '',
  },
  annotations: { [ANNOTATIONS.targetResource]: spec.targetResource },
});

/** UID of the execution that a run or a lock belongs to; undefined when it carries no mark of ours. */
export const executionUidOf = (marked: KubeObject): string | undefined =>
  marked.metadata.labels?.[LABELS.workflowExecutionUid] || undefined;

/** Which execution a change of a run or a lock wakes. A name too long for a label is not found; it wakes by itself soon enough. */
export function executionKeys({ metadata }: KubeObject): readonly ObjectKey[] {
  const name = metadata.labels?.[LABELS.workflowExecution];
  const namespace = metadata.labels?.[LABELS.sourceNamespace];
  return name && namespace ? [{ namespace, name }] : [];
}

/** Jobs and Leases that carry our mark: the only ones that are cached. */
export const OURS = LABELS.workflowExecutionUid;

/** Labels take fewer characters than names, and must end in a letter or a digit. */
const asLabel = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, LABEL_MAX)
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
