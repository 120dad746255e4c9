import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { JsonObject } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { controllerOf } from '../../../kube/objects/owner-references.ts';
import type { AuditEvent, AuditType } from '../../../store/audit-log.ts';
import { compact, short } from './audit-event-data.ts';

type Status = NonNullable<WorkflowExecution['status']>;

interface Happening {
  readonly type: AuditType;
  /** Nothing is recorded of what has no time yet. */
  readonly at: string | undefined;
  readonly data: JsonObject;
}

/**
 * Every event that the state of an execution implies, each once in its life. Ids follow from its UID alone, so that looking twice, or a run
 * that was adopted after a crash, records once. Values of parameters stay in the object: they are not for every reader of the trail.
 */
export function executionEventsOf(execution: WorkflowExecution): readonly AuditEvent[] {
  const { kind, metadata, spec } = execution;
  return [selected, created, started, ended, cleared]
    .map((story) => story(execution, execution.status ?? {}))
    .filter((happening): happening is Happening & { readonly at: string } => happening?.at !== undefined)
    .map(({ type, at, data }) => ({
      id: `${metadata.uid}/${type}`,
      type,
      correlationId: spec.remediationRequestRef.name ?? metadata.name,
      subject: { kind, namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid },
      at,
      data: compact(data),
    }));
}

/** The plan can be run, and its target rests no more. */
const selected = ({ spec }: WorkflowExecution, { executionEngine, conditions }: Status): Happening => ({
  type: 'workflowexecution.selection.completed',
  at: since(conditions, 'Selected'),
  data: {
    workflow: spec.workflowRef.workflowName ?? spec.workflowRef.workflowId,
    workflowId: spec.workflowRef.workflowId,
    version: spec.workflowRef.version,
    bundle: spec.workflowRef.executionBundle,
    engine: executionEngine ?? spec.workflowRef.executionEngine,
    target: spec.targetResource,
    planDigest: spec.planDigest,
    parameters: Object.keys(spec.parameters ?? {}).toSorted(),
  },
});

const created = ({ spec }: WorkflowExecution, { executionRef, conditions, serviceAccountName }: Status): Happening => ({
  type: 'workflowexecution.execution.started',
  at: since(conditions, 'ExecutionCreated'),
  data: {
    target: spec.targetResource,
    run: executionRef && [executionRef.kind, executionRef.namespace, executionRef.name].filter(Boolean).join('/'),
    runUid: executionRef?.uid,
    serviceAccount: serviceAccountName,
  },
});

const started = ({ spec }: WorkflowExecution, { conditions }: Status): Happening => ({
  type: 'workflowexecution.workflow.started',
  at: since(conditions, 'ExecutionRunning'),
  data: { target: spec.targetResource, workflowId: spec.workflowRef.workflowId },
});

function ended(execution: WorkflowExecution, status: Status): Happening | undefined {
  const { phase, completionTime: at, duration, failureDetails: failure } = status;
  const data = { ...whatRan(execution), duration };
  if (phase === 'Completed') return { type: 'workflowexecution.workflow.completed', at, data };
  if (phase !== 'Failed') return undefined;
  return {
    type: 'workflowexecution.workflow.failed',
    at,
    data: { ...data, ...(failure && whatFailed(failure)), backOff: status.consecutiveFailures },
  };
}

/** History is made of this: what ran on what, for which request. */
const whatRan = (execution: WorkflowExecution): JsonObject => {
  const { targetResource: target, targetUID, workflowRef, clusterID: cluster } = execution.spec;
  const { workflowName: workflow, workflowId, version, actionType } = workflowRef;
  return { request: controllerOf(execution)?.uid, cluster, target, targetUID, workflow, workflowId, version, actionType };
};

const whatFailed = ({ reason, message, exitCode, wasExecutionFailure }: NonNullable<Status['failureDetails']>): JsonObject => ({
  reason,
  message: short(message),
  exitCode,
  wasExecutionFailure,
});

/** A person said that workflows may run on the target again. */
const cleared = ({ spec }: WorkflowExecution, { blockClearance }: Status): Happening => ({
  type: 'workflowexecution.block.cleared',
  at: blockClearance?.clearedAt,
  data: {
    target: spec.targetResource,
    by: blockClearance?.clearedBy,
    because: short(blockClearance?.clearReason),
    method: blockClearance?.clearMethod,
  },
});

/** Since when a condition holds. */
function since(conditions: Status['conditions'], type: string): string | undefined {
  const condition = getCondition(conditions, type);
  return condition?.status === 'True' ? condition.lastTransitionTime : undefined;
}
