/**
 * WorkflowExecution: runs one workflow on one target, at most once, under the target's lock.
 *
 *   Pending ─▶ Running ─▶ Completed | Failed          Pending ─▶ Skipped | Failed: nothing ran
 *
 * - `admission.ts`  may it run at all: only for a RemediationRequest that is executing and names it, with exactly this plan.
 * - `validate.ts`   is the spec one that can be run; `catalogue/` what it leaves open, and whether what it needs is there.
 * - `lock.ts`       one Lease per target, and the table of what it allows; `names.ts` is how lock and run are called and marked.
 * - `budget.ts`     how much may run at all: asked under the lock, claimed before the run is created (../budget).
 * - `history/`      what earlier runs left: a back-off after failures before anything ran, a block after others, until a person clears it.
 * - `engines/`      what can run a workflow: how a run is made, how it ended, what its pods say. Whoever decides knows only `engine.ts`.
 * - `engines/awx/` runs a workflow in AWX, which is no object of the cluster and knows no hold.
 * - `strays/`      locks and held runs that arrive when their execution has gone.
 * - `observe.ts` is the only file that reads; `decide.ts` and `decide-*.ts` judge, one phase each, `begin.ts` the start itself; `status.ts` writes it down.
 * The lock comes first, then the run, held; its UID goes on record, then it is let go. Clearing up goes backwards: run, then lock.
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
import { budgetRole, BY_BUDGET } from './budget.ts';
import { BY_WORKFLOW_ID, workflowIdOf } from './catalogue/index.ts';
import { decide } from './decide.ts';
import type { AwxDoor } from './engines/awx/index.ts';
import { ENGINES } from './engines/index.ts';
import { BY_TARGET, targetOf } from './history/index.ts';
import { executionKeys, OURS } from './names.ts';
import { observe, type ExecutionSeen } from './observe.ts';
import { byExecution } from './run-over.ts';
import { createStrayControllers } from './strays/index.ts';

export * from './engines/awx/index.ts';
export { commonAccount, workflowIdOf } from './catalogue/index.ts';
export { COMMON_ACCOUNT, jobDraft } from './engines/job-draft.ts';
export { keptBlock, recordOf, type KeptBlock } from './history/index.ts';
export { runName } from './names.ts';
export type { ExecutionSeen } from './observe.ts';
export { createStrayControllers } from './strays/index.ts';

/** Runs workflows, and clears away what comes too late for them. */
export const createExecutionControllers = (settings: SettingsSource, door?: AwxDoor): readonly Controller[] => [
  createExecutionController(settings, door) as Controller,
  ...createStrayControllers(settings),
];

/** Runs workflows. Without a way to AWX those whose engine is ansible wait. */
export function createExecutionController(settings: SettingsSource, door?: AwxDoor): Controller<ExecutionSeen> {
  const { namespace, executionNamespace } = settings();
  const executions: Watch<WorkflowExecution> = {
    resource: WorkflowExecution,
    namespace,
    indexes: { [BY_BUDGET]: budgetRole, [BY_TARGET]: targetOf },
    // What ends makes room for others.
    keys: (object, related) => [keyOf(object), ...(isTerminal(executionPhases, object.status?.phase) ? waitingForBudget(related) : [])],
  };
  const requests: Watch<RemediationRequest> = {
    resource: RemediationRequest,
    namespace,
    keys: ({ status }) => (status?.workflowExecutionRef?.name ? [{ namespace, name: status.workflowExecutionRef.name }] : []),
  };
  const runs = ENGINES.map(({ resource, definition }): Watch => ({
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

const waitingForBudget = (related: Related): ReturnType<Related> => related(WorkflowExecution, { index: BY_BUDGET, value: 'waiting' });
