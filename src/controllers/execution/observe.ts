import { Lease, Pod, type Event } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { Resource } from '../../api/resource.ts';
import { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, assertNever, parseTime, type Instant } from '../../base/index.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { readRun } from '../../runtime/reconcile/two-step-start.ts';
import type { Settings } from '../settings.ts';
import { readTarget, type SeenTarget } from '../target/index.ts';
import { ownerOf } from './admission/admit.ts';
import type { SeenBudget } from '../budget/index.ts';
import { dependenciesOf, readCatalogue, readDependencies, resolve, type SeenDependency } from './catalogue/index.ts';
import { isLate, keptUntil } from './run/deadlines.ts';
import type { AwxDoor, SeenAwx } from './engines/awx/index.ts';
import { engineNamed, engineOf } from './engines/index.ts';
import { isGoing } from './phases/execution-finalizer.ts';
import { jobEngine } from './engines/job/job-engine.ts';
import { readRunEvents } from './engines/evidence/run-events.ts';
import { readHistory } from './history/index.ts';
import { occupantOf } from './lock/judge-lock.ts';
import { isInAwx, lookAfter, lookBefore, lookDuring } from './engines/awx/observe-awx-job.ts';
import { observeLeaving } from './phases/observe-deleted.ts';
import { executionUidOf, runName } from './names.ts';
import { hasLeave, readBudget } from './budget/read-budget.ts';
import { cachedRun, othersFirst, ownFirst, readInstalled, readPods, recordedEngine, servedRun } from './run/read-run.ts';
import { BY_EXECUTION } from './run/run-finished.ts';
import { LOOK_AGAIN_MS } from './status/execution-status.ts';
import { whyStop } from './admission/stop-reason.ts';

/** All that a decision about an execution rests on. What its phase does not need is left `unreadable`, never taken for absent. */
export interface ExecutionSeen {
  readonly object: WorkflowExecution;
  readonly settings: Settings;
  /** The owner, from the server once there is something to let go. */
  readonly request: Read<RemediationRequest>;
  readonly lock: Read<Lease>;
  /** The other execution that has the lock or the run; its absence is the server's word. */
  readonly holder: Read<WorkflowExecution>;
  /** Of any engine: its kind tells which. */
  readonly run: Read<KubeObject>;
  /** Of interest under our own lock, as long as there is something to let go. */
  readonly budget: SeenBudget;
  readonly pods: Listed<Pod>;
  /** What is told of the run and its pods only there; read with the pods of a run under way. */
  readonly events: Listed<Event>;
  /** The other executions on the target, while it waits; on the server's word where it is about to start. */
  readonly history: Listed<WorkflowExecution>;
  /** The namespace of the execution, from the server; read when somebody has deleted the execution. */
  readonly namespace: Read<KubeObject>;
  /** What the catalogue has of its workflow, while it waits; on the server's word where that decides. */
  readonly catalogue: Listed<RemediationWorkflow>;
  /** What the workflow says it needs, on the server's word; read only before its run is created. */
  readonly dependencies: Listed<SeenDependency>;
  /** Whether its engine is there, on the server's word; read with the dependencies, where the engine may be missing. */
  readonly installed?: Read<true>;
  /** The resource that the plan is for, from the server; read only where there is something to let go. */
  readonly target: Read<SeenTarget>;
  /** What AWX has of it, for an execution that runs there. */
  readonly awx: SeenAwx;
}

const NOT_NEEDED = { kind: 'unreadable', reason: 'not looked at in this phase' } as const;

export async function observe(
  key: ObjectKey,
  reader: Reader,
  at: { readonly now: Instant; readonly settings: Settings; readonly door?: AwxDoor | undefined },
): Promise<ExecutionSeen | undefined> {
  const found = reader.get(WorkflowExecution, key);
  if (found.kind !== 'value') return undefined;
  const object = found.value;
  const seen: ExecutionSeen = {
    object,
    settings: at.settings,
    request: NOT_NEEDED,
    lock: NOT_NEEDED,
    holder: NOT_NEEDED,
    run: NOT_NEEDED,
    budget: NOT_NEEDED,
    pods: NOT_NEEDED,
    events: NOT_NEEDED,
    history: NOT_NEEDED,
    namespace: NOT_NEEDED,
    target: NOT_NEEDED,
    catalogue: NOT_NEEDED,
    dependencies: NOT_NEEDED,
    awx: NOT_NEEDED,
  };
  const look = { object, reader, ...at, key: { namespace: at.settings.executionNamespace, name: runName(object.spec) } };
  const phase = object.status?.phase;
  switch (phase) {
    case undefined:
      return seen;
    case 'Pending':
      return { ...seen, ...(await observePending(look)) };
    case 'Running':
      return { ...seen, ...(await observeUnderWay(look)) };
    case 'Completed':
    case 'Failed':
    case 'Skipped':
      return { ...seen, ...(await (isGoing(object) ? observeLeaving(look) : observeEnded(look))), awx: await lookAfter(look) };
    default:
      return assertNever(phase);
  }
}

interface Look {
  readonly object: WorkflowExecution;
  readonly reader: Reader;
  readonly now: Instant;
  readonly settings: Settings;
  /** The way to AWX, where there is one. */
  readonly door?: AwxDoor | undefined;
  /** Of both the run and the lock. */
  readonly key: ObjectKey;
}

/**
 * Objects of our name without our mark are not in the cache: where it has nothing, the server is asked. And so it is where another execution
 * has the target: being skipped for it is final.
 */
async function observePending(look: Look): Promise<Partial<ExecutionSeen>> {
  const { object, reader, key } = look;
  const first = othersFirst(object.metadata.uid);
  const known = cachedRun(reader, key, first);
  const isAnothers = occupant(object, reader.get(Lease, key), known) !== undefined;
  const lock = isAnothers ? await reader.fetch(Lease, key) : await cachedOrServed(reader, Lease, key);
  const run = isAnothers || known.kind === 'absent' ? await servedRun(reader, key, first) : known;
  const other = occupant(object, lock, run);
  const holder = other === undefined ? NOT_NEEDED : await readHolder(other, look);
  const budget = isOurs(object, lock) ? await readBudget(look) : NOT_NEEDED;
  const past = await observePast(look, { lock, run, budget });
  const needs = await observeNeeds(look, { lock, run, budget });
  const isReady = isHeld(run) || needs.awx.kind === 'start';
  const request = await readRequest(look, run.kind === 'value' || isReady || isWaiting(look));
  return { lock, run, holder, budget, ...past, ...needs, request, target: await readTargetOf(request, isReady, reader) };
}

/** What the plan is held against, and what must be there for it. */
async function observeNeeds(
  look: Look,
  { lock, run, budget }: Pick<ExecutionSeen, 'lock' | 'run' | 'budget'>,
): Promise<Pick<ExecutionSeen, 'catalogue' | 'dependencies' | 'installed' | 'awx'>> {
  const { object, reader, key } = look;
  const isHeld = isOurs(object, lock);
  const isNext = isHeld && hasLeave(budget, look);
  const catalogue = await readCatalogue(reader, object, isNext);
  const resolution = resolve(object, catalogue);
  if (!isHeld || run.kind !== 'absent' || resolution.kind !== 'Resolved') return { catalogue, dependencies: NOT_NEEDED, awx: NOT_NEEDED };
  const dependencies = await readDependencies(reader, key.namespace, dependenciesOf(resolution.spec));
  const awx = isNext ? await lookBefore(look, resolution.spec) : NOT_NEEDED;
  const engine = engineNamed(resolution.spec.workflowRef.executionEngine);
  const installed = engine && { installed: await readInstalled(reader, engine) };
  return { catalogue, dependencies: { kind: 'value', value: dependencies }, ...installed, awx };
}

/** What earlier executions left behind, in the execution namespace and on record. */
async function observePast(
  look: Look,
  { lock, run, budget }: Pick<ExecutionSeen, 'lock' | 'run' | 'budget'>,
): Promise<Pick<ExecutionSeen, 'pods' | 'history'>> {
  const isHeld = isOurs(look.object, lock);
  const isNext = !isHeld || hasLeave(budget, look);
  const pods = lock.kind === 'value' && run.kind === 'absent' && isNext ? await readPods(look.reader, look.key) : NOT_NEEDED;
  return { pods, history: await readHistory(look, isHeld && isNext) };
}

const isOurs = ({ metadata }: WorkflowExecution, lock: Read<Lease>): boolean =>
  lock.kind === 'value' && lock.value.spec?.holderIdentity === metadata.uid;

const occupant = ({ metadata }: WorkflowExecution, lock: Read<Lease>, run: Read<KubeObject>): string | undefined =>
  occupantOf(metadata.uid, lock, run.kind === 'value' ? executionUidOf(run.value) : undefined);

/** Events may be lost, so whoever has waited for some time asks the server. */
const isWaiting = ({ object, now }: Look): boolean =>
  now >= after(parseTime(object.status?.startTime ?? object.metadata.creationTimestamp) ?? now, LOOK_AGAIN_MS);

const observeUnderWay = (look: Look): Promise<Partial<ExecutionSeen>> => (isInAwx(look.object) ? observeInAwx(look) : observeRunning(look));

/** What runs in AWX is no object of the cluster. */
const observeInAwx = async (look: Look): Promise<Partial<ExecutionSeen>> => ({
  run: { kind: 'absent' },
  request: await readRequest(look, false),
  awx: await lookDuring(look),
});

async function observeRunning(look: Look): Promise<Partial<ExecutionSeen>> {
  const { object, reader, key } = look;
  const { uid: recordedUid = '', kind } = object.status?.executionRef ?? {};
  const { resource } = recordedEngine(kind) ?? jobEngine;
  // One that seems held may have been let go: to call it off as if it had not is final.
  const run = await readRun(reader, { resource, key, recordedUid, isLate: isWaiting(look) || isHeld(reader.get(resource, key)) });
  if (run.kind !== 'value') return { run };
  const request = await readRequest(look, isHeld(run));
  const budget = isHeld(run) ? await readBudget(look) : NOT_NEEDED;
  // Before a run is stopped, what it has done so far is seen.
  const isToStop = whyStop(object, request) !== undefined;
  const witnesses = isToStop || needsPods(look, run.value) ? await readWitnesses(look, run.value) : {};
  return { run, request, budget, ...witnesses, target: await readTargetOf(request, isHeld(run), reader) };
}

async function readWitnesses({ reader, key, now }: Look, run: KubeObject): Promise<Pick<ExecutionSeen, 'pods' | 'events'>> {
  const pods = await readPods(reader, key, run);
  if (pods.kind === 'unreadable') return { pods, events: NOT_NEEDED };
  return { pods, events: await readRunEvents(reader, { run, pods: pods.value, endedAt: engineOf(run).endOf(run)?.at, now }) };
}

function needsPods({ object, reader, now }: Look, run: KubeObject): boolean {
  const engine = engineOf(run);
  if (engine.isHeld(run)) return false;
  if (engine.needsPods(run) || object.status?.executionStatus?.status === 'Waiting' || isLate(object, now)) return true;
  const cached = reader.list(Pod, { index: BY_EXECUTION, value: object.metadata.uid });
  return cached.kind === 'value' && cached.value.some(isLeaving);
}

/** On its way out, before its time: soon there will be nothing left of it to ask why. */
const isLeaving = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined || (status?.conditions ?? []).some(({ type }) => type === 'DisruptionTarget');

const isHeld = (run: Read<KubeObject>): boolean => run.kind === 'value' && engineOf(run.value).isHeld(run.value);

/** What is ours is marked, so the cache knows of it; but that the run has really gone is for the server to say. */
async function observeEnded({ object, reader, now, key, settings }: Look): Promise<Partial<ExecutionSeen>> {
  const hasOurMark = (read: Read<KubeObject>): boolean => read.kind === 'value' && executionUidOf(read.value) === object.metadata.uid;
  const lock = reader.get(Lease, key);
  const first = ownFirst(object.metadata.uid, object.status?.executionRef?.uid);
  const run = cachedRun(reader, key, first);
  if (!hasOurMark(lock) || hasOurMark(run) || now < keptUntil(object, settings)) return { lock, run };
  return { lock, run: await servedRun(reader, key, first), pods: await readPods(reader, key) };
}

async function cachedOrServed<T extends KubeObject>(reader: Reader, resource: Resource<T>, key: ObjectKey): Promise<Read<T>> {
  const cached = reader.get(resource, key);
  return cached.kind === 'absent' ? reader.fetch(resource, key) : cached;
}

/** Before anything is let go, the owner's word must be of now: it may have been cancelled. */
async function readRequest({ object, reader }: Look, isOfNow: boolean): Promise<Read<RemediationRequest>> {
  const owner = ownerOf(object);
  if (!owner) return { kind: 'absent' };
  const key = { namespace: object.metadata.namespace ?? '', name: owner.name };
  const cached = reader.get(RemediationRequest, key);
  const isTheOne = cached.kind === 'unreadable' || (cached.kind === 'value' && cached.value.metadata.uid === owner.uid);
  return isTheOne && !isOfNow ? cached : reader.fetch(RemediationRequest, key);
}

/** What the request decided to work on, as it is now; of interest as long as the run is held. */
async function readTargetOf(request: Read<RemediationRequest>, isReady: boolean, reader: Reader): Promise<Read<SeenTarget>> {
  const planned = request.kind === 'value' ? request.value.status?.remediationTarget : undefined;
  return planned && isReady ? readTarget(reader, planned) : NOT_NEEDED;
}

/** By UID, on the server's word: names come back after a deletion. */
async function readHolder(uid: string, { object, reader }: Look): Promise<Read<WorkflowExecution>> {
  const { namespace = '' } = object.metadata;
  const served = await reader.fetchList(WorkflowExecution, {
    namespace,
    fieldSelector: `spec.targetResource=${object.spec.targetResource}`,
  });
  if (served.kind === 'unreadable') return served;
  const holder = served.value.find(({ metadata }) => metadata.uid === uid);
  return holder ? { kind: 'value', value: holder } : { kind: 'absent' };
}
