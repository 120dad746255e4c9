/**
 * WorkflowExecution: runs one workflow on one target, at most once, under the target's lock.
 *
 *   Pending ─▶ Running ─▶ Completed | Failed          Pending ─▶ Skipped | Failed: nothing ran
 *
 * The lock comes first, then the run, created suspended; its UID is recorded in status, then it is released. Cleanup goes in the opposite
 * order: first the run, then the lock. In reading order:
 *
 * 1. `observed-execution.ts` says what is read in each stage, and which reads may be left out. `observe.ts` reads it, one stage per file in
 *    `phases/observe-*.ts`; `phases/choose-reads.ts` says which reads are needed. `decide.ts` decides, one stage per file in
 *    `phases/decide-*.ts`.
 * 2. `admission/`    may it run: only for a RemediationRequest that is Executing and names it, with exactly the agreed plan; why a run stops.
 * 3. `history/`      what earlier runs on the target mean: a back-off after failures before anything ran.
 *    `target-block/` a run that failed after it began blocks the target until an operator clears the block.
 * 4. `catalogue/`    fills in what the plan leaves open, and checks that everything the workflow needs exists.
 * 5. `lock/`         one Lease per target, and the table of what it allows, including the cooldown.
 * 6. `budget/`       how much may run in the cluster: checked under the lock, claimed before the run is created (../budget).
 * 7. `run/`          creates, finds, releases and cleans up the one run; its deadlines.
 * 8. `engines/`      what can run a workflow (Job, PipelineRun): how a run is created, how it ended, what its pods report. `engines/awx/`
 *                    runs a workflow in AWX, which has no object in the cluster and cannot create a job suspended.
 * 9. `status/`       what every decision writes: conditions, failure details and advice. `names.ts` names and labels lock and run.
 * 10. `orphans/`     deletes locks and suspended runs that arrive after their execution was deleted.
 *
 * `scenarios/` has the tests of the whole controller on an API server in memory.
 */
import { ConfigMap, Lease, Pod } from '../../api/builtin/index.ts';
import { keyOf } from '../../api/meta.ts';
import { isTerminal } from '../../api/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { executionPhases } from '../../api/workflow-execution/phases.ts';
import { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import type { Controller, Related, Watch } from '../../runtime/reconcile/controller.ts';
import { LEDGER_SELECTOR } from '../budget/index.ts';
import type { SettingsSource } from '../settings.ts';
import { executionBudgetRole, BY_BUDGET_ROLE } from './budget/budget-waiter.ts';
import { BY_WORKFLOW_ID, workflowIdOf } from './catalogue/index.ts';
import { decide } from './decide.ts';
import type { AwxConnection } from './engines/awx/index.ts';
import { RUN_ENGINES } from './engines/index.ts';
import { BY_TARGET, lockNameOf } from './history/index.ts';
import { executionKeys, OURS } from './names.ts';
import { observe } from './observe.ts';
import type { ObservedExecution } from './observed-execution.ts';
import { byExecution } from './run/run-finished.ts';
import { createOrphanControllers } from './orphans/index.ts';

export * from './engines/awx/index.ts';
export { commonAccount, workflowIdOf } from './catalogue/index.ts';
export { COMMON_ACCOUNT, jobDraft } from './engines/job/job-draft.ts';
export { storedBlock, failuresOf, type StoredBlock } from './history/index.ts';
export { runName } from './names.ts';
export type { ObservedExecution } from './observed-execution.ts';
export { createOrphanControllers } from './orphans/index.ts';

/** Runs workflows, and deletes orphaned locks and runs. */
export const createExecutionControllers = (settings: SettingsSource, door?: AwxConnection): readonly Controller[] => [
  createExecutionController(settings, door) as Controller,
  ...createOrphanControllers(settings),
];

/** Runs workflows. Without a way to AWX those whose engine is ansible wait. */
export function createExecutionController(settings: SettingsSource, door?: AwxConnection): Controller<ObservedExecution> {
  const { namespace, executionNamespace } = settings();
  const executions: Watch<WorkflowExecution> = {
    resource: WorkflowExecution,
    namespace,
    indexes: { [BY_BUDGET_ROLE]: executionBudgetRole, [BY_TARGET]: lockNameOf },
    // What ends makes room for others.
    keys: (object, related) => [keyOf(object), ...(isTerminal(executionPhases, object.status?.phase) ? waitingForBudget(related) : [])],
  };
  const requests: Watch<RemediationRequest> = {
    resource: RemediationRequest,
    namespace,
    keys: ({ status }) => (status?.workflowExecutionRef?.name ? [{ namespace, name: status.workflowExecutionRef.name }] : []),
  };
  const runs = RUN_ENGINES.map(({ resource, definition }): Watch => ({
    resource,
    namespace: executionNamespace,
    isOptional: definition !== undefined,
    labelSelector: OURS,
    indexes: byExecution,
    keys: executionKeys,
  }));
  // A pod that is evicted, or starts, is looked at while it is there.
  const pods: Watch<Pod> = {
    resource: Pod,
    namespace: executionNamespace,
    labelSelector: OURS,
    indexes: byExecution,
    keys: executionKeys,
  };
  const locks: Watch<Lease> = { resource: Lease, namespace: executionNamespace, labelSelector: OURS, keys: executionKeys };
  // Only kept: an execution that waits for the catalogue looks again by itself.
  const catalogue: Watch<RemediationWorkflow> = {
    resource: RemediationWorkflow,
    namespace,
    indexes: { [BY_WORKFLOW_ID]: (entry) => [workflowIdOf(entry)] },
    keys: () => [],
  };
  const ledger: Watch<ConfigMap> = {
    resource: ConfigMap,
    namespace,
    labelSelector: LEDGER_SELECTOR,
    keys: (_, related) => waitingForBudget(related),
  };
  return {
    name: 'execution',
    primary: WorkflowExecution,
    watches: [executions, requests, ...runs, pods, locks, catalogue, ledger] as readonly Watch[],
    observe: (key, reader, now) => observe(key, reader, { now, settings: settings(), door }),
    decide,
  };
}

const waitingForBudget = (related: Related): ReturnType<Related> => related(WorkflowExecution, { index: BY_BUDGET_ROLE, value: 'waiting' });
