import type { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed } from '../../../kube/client/read.ts';
import { badName } from './dependencies.ts';
import { findEntry, isFault } from './find-entry.ts';
import type { PlanFault } from './fault.ts';
import { parameterFault } from './check-parameters.ts';

type Spec = WorkflowExecution['spec'];

/** A plan, and the engine that was once chosen for it: another one might start it a second time. */
export type Planned = Pick<WorkflowExecution, 'spec' | 'status'>;

/** What is run, if anything. */
export type Resolution =
  | { readonly kind: 'Resolved'; readonly spec: Spec }
  | { readonly kind: 'Wait'; readonly reason: string }
  | { readonly kind: 'Fault'; readonly fault: PlanFault };

/**
 * The plan with what it leaves open, from the entry of the catalogue that it was made of. What it says itself stays: that is what was agreed
 * to. What to run, and its digest, never come from here.
 */
export function resolve({ spec, status }: Planned, catalogue: Listed<RemediationWorkflow>): Resolution {
  if (catalogue.kind === 'unreadable') return { kind: 'Wait', reason: `the catalogue of workflows cannot be read: ${catalogue.reason}` };
  const chosen = status?.executionEngine;
  const entry = findEntry({ ...(chosen && { executionEngine: chosen }), ...spec.workflowRef }, catalogue.value);
  if (isFault(entry)) return { kind: 'Fault', fault: entry };
  const complete = completed(spec, entry);
  const fault = badName(complete) ?? parameterFault(entry.spec.parameters, spec.parameters ?? {});
  return fault ? { kind: 'Fault', fault } : { kind: 'Resolved', spec: complete };
}

function completed(spec: Spec, { spec: { execution, dependencies } }: RemediationWorkflow): Spec {
  const { engine, engineConfig, serviceAccountName } = execution;
  const offered = {
    executionEngine: engine,
    ...(engineConfig && { engineConfig }),
    ...(serviceAccountName && { serviceAccountName }),
    ...(dependencies && { dependencies }),
  };
  return { ...spec, workflowRef: { ...offered, ...spec.workflowRef } };
}
