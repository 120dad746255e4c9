import { ServiceAccount } from '../../../api/builtin/index.ts';
import { keyOf, keyText, type KubeObject } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { Decision, Effect } from '../../../runtime/reconcile/controller.ts';
import type { Start } from '../../../runtime/reconcile/two-step-start.ts';
import { mayRelease } from '../admission/admit.ts';
import { askBudget, type Leave } from '../../budget/index.ts';
import { isQueued } from '../budget/budget-waiter.ts';
import { accountToMake, judgeDependencies, type PlanFault } from '../catalogue/index.ts';
import { whyRunMayBeActive } from './owned-objects.ts';
import { startAwxJob } from '../engines/awx/index.ts';
import { engineNamed, engineOf } from '../engines/index.ts';
import { startTimeAfter } from '../history/index.ts';
import { needed, type PendingExecution } from '../observed-execution.ts';
import { fail, STARTING, refusal, stay, wait, waiting } from '../status/execution-status.ts';
import { normalEvent } from '../../kubernetes-events.ts';

/** What a start goes by. */
export interface StartPlan {
  readonly start: Start;
  /** The plan, with what it left to the catalogue. */
  readonly spec: WorkflowExecution['spec'];
}

/**
 * The lock is ours, from the cache or a live read: what the workflow needs is there, room in the budget is claimed, the run created held, seen,
 * recorded in status and released.
 * The budget comes last, so an execution with a claim waits for no other.
 */
export function begin(seen: PendingExecution, now: Instant, { start, spec }: StartPlan): Decision {
  if (start.kind !== 'CreateHeld' && start.kind !== 'RecordThenRelease') return wait(seen.object, now, STARTING);
  const lacking = start.kind === 'CreateHeld' ? (whileUninstalled(seen, now, spec) ?? whileLacking(seen, now)) : undefined;
  if (lacking) return lacking;
  const leave = askBudget(needed(seen.budget), seen.settings, now);
  if (leave.kind === 'Wait') return stay(seen.object, now, { ...leave, conditions: [leave.ready] });
  if (start.kind === 'CreateHeld') return create(seen, now, { leave, spec });
  if (leave.kind === 'Granted') return stay(seen.object, now, { effects: [leave.effect] });
  return seen.run.kind === 'value' ? letGo(seen, now, seen.run.value) : wait(seen.object, now, STARTING);
}

/** What to do as long as the engine is not installed, or that is unknown; undefined when it is. */
function whileUninstalled(seen: PendingExecution, now: Instant, { workflowRef }: WorkflowExecution['spec']): Decision | undefined {
  const { name = '', definition } = engineNamed(workflowRef.executionEngine) ?? {};
  const installed = needed(seen.installed);
  if (definition === undefined || installed.kind === 'value') return undefined;
  if (installed.kind === 'absent') return failPlan(seen, now, notInstalled(name, definition));
  return wait(seen.object, now, waiting('WaitingForEngine', `whether engine ${name} is installed cannot be read: ${installed.reason}`));
}

const notInstalled = (name: string, definition: string): PlanFault => ({
  message: `engine ${name} is not installed in this cluster: there is no CustomResourceDefinition ${definition}`,
  advice: 'Install it, or offer the workflow with another engine.',
});

/** What to do as long as something that the workflow needs is not there; undefined when nothing is missing. */
function whileLacking(seen: PendingExecution, now: Instant): Decision | undefined {
  const { settings } = seen;
  const dependencies = needed(seen.dependencies);
  if (dependencies.kind === 'unreadable') return wait(seen.object, now, waiting('WaitingForDependencies', dependencies.reason));
  const verdict = judgeDependencies(dependencies.value, settings.executionNamespace);
  if (verdict.kind === 'Wait') return wait(seen.object, now, waiting('WaitingForDependencies', verdict.reason));
  return verdict.kind === 'Fault' ? failPlan(seen, now, verdict.fault) : undefined;
}

function letGo(seen: PendingExecution, now: Instant, held: KubeObject): Decision {
  const admission = mayRelease(seen.object, seen.request, needed(seen.target));
  if (admission.kind === 'Refuse') return fail(seen, now, refusal(admission.message));
  if (admission.kind === 'Wait') return wait(seen.object, now, waiting('WaitingForTarget', admission.reason));
  return run(seen, now, held, [engineOf(held).release(held)]);
}

/** The common account, for workflows that name none, is created without an operator. */
function makeAccount({ dependencies, settings }: PendingExecution): readonly Effect[] {
  const object = dependencies.kind === 'value' ? accountToMake(dependencies.value, settings.executionNamespace) : undefined;
  return object ? [{ kind: 'Create', resource: ServiceAccount, object }] : [];
}

type Granted = Exclude<Leave, { kind: 'Wait' }>;

/** The claim comes first: where it cannot be made, the run is not created. */
function create(seen: PendingExecution, now: Instant, { leave, spec }: Pick<StartPlan, 'spec'> & { readonly leave: Granted }): Decision {
  const { object, settings } = seen;
  const { executionEngine, serviceAccountName } = spec.workflowRef;
  if (executionEngine === 'ansible') return createInAwx(seen, now, { leave, spec });
  const engine = engineNamed(executionEngine);
  if (!engine) return failPlan(seen, now, { message: 'the workflow names no engine' });
  const obstacle = whyRunMayBeActive(needed(seen.pods));
  if (obstacle !== undefined) return wait(seen.object, now, waiting('WaitingForPods', obstacle));
  const draft = engine.draft({ ...object, spec }, { namespace: settings.executionNamespace, now });
  const effect: Effect = { kind: 'Create', resource: engine.resource, object: draft };
  const effects = [...(leave.kind === 'Granted' ? [leave.effect] : []), ...makeAccount(seen), effect];
  // Until the claim is seen it keeps its place in the queue: another may have been faster.
  const set = { executionEngine: engine.name, ...(serviceAccountName && { serviceAccountName }) };
  return stay(object, now, { set, effects, conditions: isQueued(object) ? [] : [STARTING] });
}

/** AWX knows no hold: nothing is made there before the claim was seen. */
function createInAwx(
  seen: PendingExecution,
  now: Instant,
  { leave, spec }: Pick<StartPlan, 'spec'> & { readonly leave: Granted },
): Decision {
  const obstacle = whyRunMayBeActive(needed(seen.pods));
  if (obstacle !== undefined) return wait(seen.object, now, waiting('WaitingForPods', obstacle));
  // Nothing tells us of the claim: we look again.
  const wakeAt = after(now, SECOND);
  return leave.kind === 'Granted'
    ? stay(seen.object, now, { effects: [leave.effect, ...makeAccount(seen)], wakeAt })
    : startAwxJob(seen, now, spec);
}

/** The record and the release are one decision: the status is written first, or nothing happens. */
export function run({ object, history }: PendingExecution, now: Instant, begun: KubeObject, effects: readonly Effect[] = []): Decision {
  const { kind, metadata } = begun;
  const { name, namespace = '', uid } = metadata;
  const message = `${kind} ${keyText(keyOf(begun))} was created`;
  return stay(object, now, {
    set: {
      phase: 'Running',
      startTime: toTime(startTimeAfter(history, now)),
      executionRef: { name, namespace, kind, uid, releasedAt: toTime(now) },
      executionStatus: { status: 'Running', ...engineOf(begun).progressOf(begun) },
    },
    conditions: [
      { type: 'ExecutionCreated', status: 'True', reason: 'ExecutionCreated', message },
      { type: 'ExecutionRunning', status: 'True', reason: 'ExecutionStarted', message: 'the run was released' },
      waiting('Running', 'the run is in progress'),
    ],
    // The Event comes first: it is recorded once, and a run that has changed since is released by the next pass.
    effects: [normalEvent('ExecutionCreated', message), ...effects],
  });
}

/** What keeps a plan from running, and will keep it from running. */
export const failPlan = (seen: PendingExecution, now: Instant, fault: Pick<PlanFault, 'message'> & Partial<PlanFault>): Decision =>
  fail(seen, now, { reason: 'ConfigurationError', ...fault, started: false });
