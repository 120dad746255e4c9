import { Lease } from '../../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { readBudget } from '../budget/read-budget.ts';
import { dependenciesOf, readCatalogue, readDependencies, resolve } from '../catalogue/index.ts';
import { observeBeforeLaunch } from '../engines/awx/observe-awx-job.ts';
import { engineNamed } from '../engines/index.ts';
import { readHistory } from '../history/index.ts';
import { NOT_READ, type ExecutionContext, type PendingExecution } from '../observed-execution.ts';
import { cachedRun, preferOthers, readInstalled, readPods, liveRun } from '../run/read-run.ts';
import { hasWaited, holdsLock, isSuspended, mayStartNow, needsEarlierPods, otherHolder } from './choose-reads.ts';
import { readRequest, readTargetOf } from './read-request.ts';

/** Reads what an execution needs before its run is recorded. */
export async function observePending(context: ExecutionContext): Promise<PendingExecution> {
  const { object, settings } = context;
  const { lock, run, holder } = await readLockAndRun(context);
  const budget = holdsLock(object, lock) ? await readBudget(context) : NOT_READ;
  const pods = needsEarlierPods(context, { lock, run, budget }) ? await readPods(context.reader, context.key) : NOT_READ;
  const history = await readHistory(context, mayStartNow(context, { lock, budget }));
  const needs = await readNeeds(context, { lock, run, budget });
  const isReleasable = isSuspended(run) || needs.awx.kind === 'start';
  const request = await readRequest(context, run.kind === 'value' || isReleasable || hasWaited(context));
  const target = await readTargetOf(request, isReleasable, context.reader);
  return { stage: 'pending', object, settings, lock, run, holder, budget, pods, history, ...needs, request, target };
}

/**
 * Objects of our name without our labels are not in the cache: where it has none, the API server is asked. It is asked too where another
 * execution has the target, since to be skipped for that is final.
 */
async function readLockAndRun(context: ExecutionContext): Promise<Pick<PendingExecution, 'lock' | 'run' | 'holder'>> {
  const { object, reader, key } = context;
  const first = preferOthers(object.metadata.uid);
  const known = cachedRun(reader, key, first);
  const isAnothers = otherHolder(object, { lock: reader.get(Lease, key), run: known }) !== undefined;
  const lock = isAnothers ? await reader.fetch(Lease, key) : await cachedOrLive(reader, Lease, key);
  const run = isAnothers || known.kind === 'absent' ? await liveRun(reader, key, first) : known;
  const other = otherHolder(object, { lock, run });
  return { lock, run, holder: other === undefined ? NOT_READ : await readHolder(other, context) };
}

/** The catalogue and, before the run is created, everything else that the workflow needs. */
async function readNeeds(
  context: ExecutionContext,
  { lock, run, budget }: Pick<PendingExecution, 'lock' | 'run' | 'budget'>,
): Promise<Pick<PendingExecution, 'catalogue' | 'dependencies' | 'installed' | 'awx'>> {
  const { object, reader, key } = context;
  const isNext = mayStartNow(context, { lock, budget });
  const catalogue = await readCatalogue(reader, object, isNext);
  const plan = resolve(object, catalogue);
  if (!holdsLock(object, lock) || run.kind !== 'absent' || plan.kind !== 'Resolved')
    return { catalogue, dependencies: NOT_READ, installed: NOT_READ, awx: NOT_READ };
  const dependencies = await readDependencies(reader, key.namespace, dependenciesOf(plan.spec));
  const awx = isNext ? await observeBeforeLaunch(context, plan.spec) : NOT_READ;
  const engine = engineNamed(plan.spec.workflowRef.executionEngine);
  const installed = engine ? await readInstalled(reader, engine) : NOT_READ;
  return { catalogue, dependencies: { kind: 'value', value: dependencies }, installed, awx };
}

async function cachedOrLive<T extends KubeObject>(reader: Reader, resource: Resource<T>, key: ObjectKey): Promise<Read<T>> {
  const cached = reader.get(resource, key);
  return cached.kind === 'absent' ? reader.fetch(resource, key) : cached;
}

/** By UID, from a live read: a name may be used again after a deletion. */
async function readHolder(uid: string, { object, reader }: ExecutionContext): Promise<Read<WorkflowExecution>> {
  const { namespace = '' } = object.metadata;
  const served = await reader.fetchList(WorkflowExecution, {
    namespace,
    fieldSelector: `spec.targetResource=${object.spec.targetResource}`,
  });
  if (served.kind === 'unreadable') return served;
  const holder = served.value.find(({ metadata }) => metadata.uid === uid);
  return holder ? { kind: 'value', value: holder } : { kind: 'absent' };
}
