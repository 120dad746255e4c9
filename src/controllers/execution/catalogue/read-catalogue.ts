import { RemediationWorkflow } from '../../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { BY_WORKFLOW_ID, workflowIdOf } from './find-entry.ts';
import { resolve } from './resolve-plan.ts';

/**
 * The entries that go by the id of the plan. To fail for what they say is final, and so is to start: the server is asked where the cache
 * would have it fail, and where it is about to start.
 */
export async function readCatalogue(
  reader: Reader,
  execution: WorkflowExecution,
  isAboutToStart: boolean,
): Promise<Listed<RemediationWorkflow>> {
  const { metadata, spec } = execution;
  const { workflowId } = spec.workflowRef;
  const cached = reader.list(RemediationWorkflow, { index: BY_WORKFLOW_ID, value: workflowId });
  if (cached.kind === 'unreadable' || (resolve(execution, cached).kind === 'Resolved' && !isAboutToStart)) return cached;
  const served = await reader.fetchList(RemediationWorkflow, { namespace: metadata.namespace ?? '' });
  return served.kind === 'unreadable' ? served : { ...served, value: served.value.filter((entry) => workflowIdOf(entry) === workflowId) };
}
