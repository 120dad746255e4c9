import { ServiceAccount } from '../../api/builtin/index.ts';
import { keyOf, keyText, type KubeObject } from '../../api/meta.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, parseTime, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { Decision, Effect } from '../../runtime/controller.ts';
import { twoStepStart, type Start } from '../../runtime/two-step-start.ts';
import { admit, mayLetGo } from './admission.ts';
import { askBudget, isQueued, type Leave } from './budget.ts';
import { accountToMake, judgeDependencies, resolve, type Fault } from './catalogue/index.ts';
import { stillAlive } from './clearing.ts';
import { startBefore } from './deadlines.ts';
import { decideWithoutLock } from './decide-without-lock.ts';
import { beginAwx } from './engines/awx/index.ts';
import { engineNamed, engineOf } from './engines/index.ts';
import { lockedRun } from './engines/run.ts';
import type { Failure } from './failure.ts';
import { isKept, keep } from './finalizer.ts';
import { holderOf } from './holder.ts';
import { BACKING_OFF, endsAt, judgeHistory, keptBlock, recordOf, type Hold } from './history/index.ts';
import { judgeLock, type LockVerdict } from './lock.ts';
import { isInAwx } from './look-at-awx.ts';
import type { ExecutionSeen } from './observe.ts';
import { selected } from './selected.ts';
import { fail, LOOK_AGAIN_MS, ON_ITS_WAY, refused, skip, stay, waiting, type Wanted } from './status.ts';
import { engineFault, specFault } from './validate.ts';

/** Everything that keeps an execution from starting, in order; each step starts only what the ones before it allow. */
export function decidePending(pending: ExecutionSeen, now: Instant): Decision {
  const seen = inheriting(pending);
  const { object } = seen;
  // Somebody set the phase back. What is on record was started once, and never is again.
  if (isOnRecord(object)) return stay(object, now, { set: { phase: 'Running' } });
  const start = twoStepStart(undefined, lockedRun(seen.run, object.metadata.uid));
  // It acts already, whoever let it go: what is left to do is to take its result.
  if (start.kind === 'ReleasedUnrecorded' && seen.run.kind === 'value') return run(seen, now, seen.run.value);
  const admission = admit(object, seen.request);
  if (admission.kind === 'Refuse') return fail(seen, now, refused(admission.message));
  if (now >= startBefore(object)) return fail(seen, now, tooLate(seen));
  if (admission.kind === 'Wait') return wait(seen, now, isNew(object, now) ? ON_ITS_WAY : waiting('WaitingForRequest', admission.reason));
  return afterHistory(seen, now, start);
}

const isOnRecord = (object: WorkflowExecution): boolean => Boolean(object.status?.executionRef?.uid) || isInAwx(object);

/** Goes on with the target's count: whatever becomes of it, one status says all. */
function inheriting(seen: ExecutionSeen): ExecutionSeen {
  if (seen.history.kind === 'unreadable') return seen;
  const { consecutiveFailures: _, ...status } = seen.object.status ?? {};
  const { failures } = recordOf(seen.history.value);
  return { ...seen, object: { ...seen.object, status: { ...status, ...(failures > 0 && { consecutiveFailures: failures }) } } };
}

/** The hand-shake comes a moment after the execution; only one that does not come is worth telling. */
const isNew = ({ metadata }: ExecutionSeen['object'], now: Instant): boolean =>
  now < after(parseTime(metadata.creationTimestamp) ?? now, LOOK_AGAIN_MS);

/** To wait for others, for room or for a cooldown is no trouble of the target; that the server refused the run may well be. */
const tooLate = (seen: ExecutionSeen): Failure => ({
  reason: 'DeadlineExceeded',
  message: `it could not start before ${seen.object.spec.timesOutAt ?? 'its deadline'}: ${whyWaiting(seen)}`,
  started: false,
  ...(saysWhy(seen) === undefined ? {} : { isUncounted: true }),
});

/** What it said that it waited for; where all was on its way to the end, the server must have refused the next step. */
function whyWaiting(seen: ExecutionSeen): string {
  const { object, lock } = seen;
  const said = saysWhy(seen);
  if (said !== undefined) return said;
  const run = engineNamed(object.status?.executionEngine)?.resource.kind ?? 'run';
  const next = lock.kind === 'value' ? run : 'lock (a Lease)';
  return `its ${next} could not be created; the log of Sickbay has the answer of the API server`;
}

function saysWhy({ object }: ExecutionSeen): string | undefined {
  const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready && ready.reason !== ON_ITS_WAY.reason ? ready.message : undefined;
}

/** What was done to the target before comes first: a plan that cannot be run does not get around it either. */
function afterHistory(seen: ExecutionSeen, now: Instant, start: Start): Decision {
  const { object, history, lock } = seen;
  if (history.kind === 'unreadable')
    return wait(seen, now, waiting('WaitingForHistory', `what ran on the target before cannot be read: ${history.reason}`));
  if (!isKept(object)) return wait(seen, now, ON_ITS_WAY, [keep(object)]);
  const kept = lock.kind === 'value' ? keptBlock(lock.value) : undefined;
  const hold = judgeHistory(object.spec.targetResource, history.value, { settings: seen.settings, now, kept });
  if (hold.kind === 'Skip') return skip(object, now, hold.skip);
  const fault = specFault(object.spec);
  if (fault !== undefined) return misplanned(seen, now, { message: fault });
  const resolution = resolve(object, seen.catalogue);
  if (resolution.kind === 'Wait') return wait(seen, now, waiting('WaitingForCatalogue', resolution.reason));
  if (resolution.kind === 'Fault') return misplanned(seen, now, resolution.fault);
  return afterResolution(seen, now, { start, hold, spec: resolution.spec });
}

/** What keeps a plan from running, and will keep it from running. */
const misplanned = (seen: ExecutionSeen, now: Instant, fault: Pick<Fault, 'message'> & Partial<Fault>): Decision =>
  fail(seen, now, { reason: 'ConfigurationError', ...fault, started: false });

/** A plan that can be run, with nothing left open: it waits until the target may be worked on again. */
interface Resolved {
  readonly start: Start;
  readonly hold: Exclude<Hold, { kind: 'Skip' }>;
  /** The plan, with what it left to the catalogue. */
  readonly spec: WorkflowExecution['spec'];
}

function afterResolution(seen: ExecutionSeen, now: Instant, { start, hold, spec }: Resolved): Decision {
  const { object } = seen;
  const fault = engineFault(spec);
  if (fault !== undefined) return misplanned(seen, now, { message: fault });
  const verdict = judgeLock({
    uid: object.metadata.uid,
    lock: seen.lock,
    run: lockedRun(seen.run, object.metadata.uid),
    holder: holderOf(seen.holder),
    cooldownMs: seen.settings.cooldownMs,
    now,
  });
  if (hold.kind === 'Wait' && !isBetterReason(verdict, hold.until)) return backOff(object, now, hold);
  const ready = hold.kind === 'Wait' ? seen : selected(seen, now, verdict);
  return verdict.kind === 'Held' ? begin(ready, now, { start, spec }) : decideWithoutLock(ready, now, verdict);
}

/** A run at work on the target, or a cooldown that ends later. */
const isBetterReason = (verdict: LockVerdict, until: Instant): boolean =>
  verdict.kind === 'Busy' || (verdict.kind === 'WaitForCooldown' && verdict.until > until);

/** Says so once for the whole wait. */
function backOff(object: WorkflowExecution, now: Instant, { until, message }: Extract<Hold, { kind: 'Wait' }>): Decision {
  const said = object.status?.conditions?.find(({ type, reason }) => type === 'Ready' && reason === BACKING_OFF)?.message;
  const isSaid = said?.endsWith(endsAt(until)) === true;
  return stay(object, now, { conditions: [waiting(BACKING_OFF, isSaid ? said : message)], wakeAt: until });
}

/**
 * The lock is ours, by the cache's or the server's word: what the workflow needs is there, room in the budget is claimed, the run created held, seen, put on record and let go.
 * The budget comes last, so whoever has a claim waits for nobody else.
 */
function begin(seen: ExecutionSeen, now: Instant, { start, spec }: Pick<Resolved, 'start' | 'spec'>): Decision {
  if (start.kind !== 'CreateHeld' && start.kind !== 'RecordThenRelease') return wait(seen, now, ON_ITS_WAY);
  const lacking = start.kind === 'CreateHeld' ? (whileUninstalled(seen, now, spec) ?? whileLacking(seen, now)) : undefined;
  if (lacking) return lacking;
  const leave = askBudget(seen.budget, seen.settings, now);
  if (leave.kind === 'Wait') return stay(seen.object, now, { ...leave, conditions: [leave.ready] });
  if (start.kind === 'CreateHeld') return create(seen, now, { leave, spec });
  if (leave.kind === 'Granted') return stay(seen.object, now, { effects: [leave.effect] });
  return seen.run.kind === 'value' ? letGo(seen, now, seen.run.value) : wait(seen, now, ON_ITS_WAY);
}

/** What to do as long as the engine is not there, or nobody knows; undefined when it is. */
function whileUninstalled(seen: ExecutionSeen, now: Instant, { workflowRef }: WorkflowExecution['spec']): Decision | undefined {
  const { name = '', definition } = engineNamed(workflowRef.executionEngine) ?? {};
  if (definition === undefined || seen.installed?.kind === 'value') return undefined;
  if (seen.installed?.kind === 'absent') return misplanned(seen, now, notInstalled(name, definition));
  const why = seen.installed?.reason ?? 'not looked at yet';
  return wait(seen, now, waiting('WaitingForEngine', `whether engine ${name} is installed cannot be read: ${why}`));
}

const notInstalled = (name: string, definition: string): Fault => ({
  message: `engine ${name} is not installed in this cluster: there is no CustomResourceDefinition ${definition}`,
  advice: 'Install it, or offer the workflow with another engine.',
});

/** What to do as long as something that the workflow needs is not there; undefined when nothing is missing. */
function whileLacking(seen: ExecutionSeen, now: Instant): Decision | undefined {
  const { dependencies, settings } = seen;
  if (dependencies.kind === 'unreadable') return wait(seen, now, waiting('WaitingForDependencies', dependencies.reason));
  const verdict = judgeDependencies(dependencies.value, settings.executionNamespace);
  if (verdict.kind === 'Wait') return wait(seen, now, waiting('WaitingForDependencies', verdict.reason));
  return verdict.kind === 'Fault' ? misplanned(seen, now, verdict.fault) : undefined;
}

function letGo(seen: ExecutionSeen, now: Instant, held: KubeObject): Decision {
  const admission = mayLetGo(seen.object, seen.request, seen.target);
  if (admission.kind === 'Refuse') return fail(seen, now, refused(admission.message));
  if (admission.kind === 'Wait') return wait(seen, now, waiting('WaitingForTarget', admission.reason));
  return run(seen, now, held, [engineOf(held).release(held)]);
}

/** The account of those that name none exists without anybody's doing. */
function makeAccount({ dependencies, settings }: ExecutionSeen): readonly Effect[] {
  const object = dependencies.kind === 'value' ? accountToMake(dependencies.value, settings.executionNamespace) : undefined;
  return object ? [{ kind: 'Create', resource: ServiceAccount, object }] : [];
}

type Granted = Exclude<Leave, { kind: 'Wait' }>;

/** The claim comes first: where it cannot be made, the run is not created. */
function create(seen: ExecutionSeen, now: Instant, { leave, spec }: Pick<Resolved, 'spec'> & { readonly leave: Granted }): Decision {
  const { object, settings } = seen;
  const { executionEngine, serviceAccountName } = spec.workflowRef;
  if (executionEngine === 'ansible') return createInAwx(seen, now, { leave, spec });
  const engine = engineNamed(executionEngine);
  if (!engine) return misplanned(seen, now, { message: 'the workflow names no engine' });
  const obstacle = stillAlive(seen.pods);
  if (obstacle !== undefined) return wait(seen, now, waiting('WaitingForPods', obstacle));
  const draft = engine.draft({ ...object, spec }, { namespace: settings.executionNamespace, now });
  const effect: Effect = { kind: 'Create', resource: engine.resource, object: draft };
  const effects = [...(leave.kind === 'Granted' ? [leave.effect] : []), ...makeAccount(seen), effect];
  // Until the claim is seen it keeps its place in the queue: another may have been faster.
  const set = { executionEngine: engine.name, ...(serviceAccountName && { serviceAccountName }) };
  return stay(object, now, { set, effects, conditions: isQueued(object) ? [] : [ON_ITS_WAY] });
}

/** AWX knows no hold: nothing is made there before the claim was seen. */
function createInAwx(seen: ExecutionSeen, now: Instant, { leave, spec }: Pick<Resolved, 'spec'> & { readonly leave: Granted }): Decision {
  const obstacle = stillAlive(seen.pods);
  if (obstacle !== undefined) return wait(seen, now, waiting('WaitingForPods', obstacle));
  // Nothing tells us of the claim: we look again.
  const wakeAt = after(now, SECOND);
  return leave.kind === 'Granted'
    ? stay(seen.object, now, { effects: [leave.effect, ...makeAccount(seen)], wakeAt })
    : beginAwx(seen, now, spec);
}

/** The record and the release are one decision: the status is written first, or nothing happens. */
function run({ object }: ExecutionSeen, now: Instant, begun: KubeObject, effects: readonly Effect[] = []): Decision {
  const { kind, metadata } = begun;
  const { name, namespace = '', uid } = metadata;
  const message = `${kind} ${keyText(keyOf(begun))} was created`;
  return stay(object, now, {
    set: {
      phase: 'Running',
      startTime: toTime(now),
      executionRef: { name, namespace, kind, uid, releasedAt: toTime(now) },
      executionStatus: { status: 'Running', ...engineOf(begun).progressOf(begun) },
    },
    conditions: [
      { type: 'ExecutionCreated', status: 'True', reason: 'ExecutionCreated', message },
      { type: 'ExecutionRunning', status: 'True', reason: 'ExecutionStarted', message: 'the run was let go' },
      waiting('Running', 'the run is under way'),
    ],
    effects: [...effects, { kind: 'Event', type: 'Normal', reason: 'ExecutionCreated', message }],
  });
}

const wait = ({ object }: ExecutionSeen, now: Instant, ready: Wanted, effects: readonly Effect[] = []): Decision =>
  stay(object, now, { conditions: [ready], effects });
