import { describe, expect, test } from 'vitest';
import type { Pod } from '../../api/builtin/index.ts';
import type { KubeObject, ObjectKey } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import type { RemediationWorkflow } from '../../api/remediation-workflow/remediation-workflow.ts';
import type { WorkflowExecution } from '../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../base/index.ts';
import type { IndexQuery } from '../../kube/cache/cache.ts';
import type { Read, Reader } from '../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { executionBudgetRole, BY_BUDGET_ROLE } from './budget/budget-waiter.ts';
import { BY_WORKFLOW_ID, workflowIdOf } from './catalogue/index.ts';
import { BY_TARGET, lockNameOf } from './history/index.ts';
import { executionUidOf, runName } from './names.ts';
import { observe } from './observe.ts';
import { NOT_READ } from './observed-execution.ts';
import {
  aClaim,
  aJob,
  aLedger,
  aLock,
  anExecution,
  aPod,
  aRequest,
  aTarget,
  entryFor,
  NOW,
  running,
  TIMES_OUT_AT,
  withTarget,
  type Everything,
} from './testing/builders.ts';
import { aFailedRun, aFailedStart, aSuccess } from './testing/finished-executions.ts';

/** Objects by kind: what the cache has, and what the server has. */
interface Views {
  readonly cached?: readonly KubeObject[];
  readonly served?: readonly KubeObject[];
  /** Kinds that cannot be read from either. */
  readonly hidden?: readonly string[];
}

const indexed = (one: KubeObject, { index }: IndexQuery): readonly (string | undefined)[] => {
  if (index === BY_TARGET) return lockNameOf(one as WorkflowExecution);
  if (index === BY_WORKFLOW_ID) return [workflowIdOf(one as RemediationWorkflow)];
  return index === BY_BUDGET_ROLE ? executionBudgetRole(one as WorkflowExecution) : [executionUidOf(one)];
};

const deleted = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: toTime(NOW) } });

const isListed = (one: KubeObject, by?: IndexQuery): boolean => by === undefined || indexed(one, by).includes(by.value);

/** A reader over two views of the world, which notes what the server was asked for. */
function aReader({ cached = [], served = [], hidden = [] }: Views): { reader: Reader; asked: string[] } {
  const asked: string[] = [];
  const read = (view: readonly KubeObject[], resource: Resource, key: ObjectKey): Read<KubeObject> => {
    if (hidden.includes(resource.kind)) return { kind: 'unreadable', reason: 'forbidden' };
    const value = view.find(
      (one) => one.kind === resource.kind && one.metadata.name === key.name && one.metadata.namespace === key.namespace,
    );
    return value ? { kind: 'value', value } : { kind: 'absent' };
  };
  const reader = {
    get: (resource: Resource, key: ObjectKey) => read(cached, resource, key),
    list: (resource: Resource, by?: IndexQuery) => ({
      kind: 'value',
      value: cached.filter((one) => one.kind === resource.kind && isListed(one, by)),
    }),
    fetch: (resource: Resource, key: ObjectKey) => {
      asked.push(`get ${resource.kind}`);
      return Promise.resolve(read(served, resource, key));
    },
    fetchList: (resource: Resource) => {
      asked.push(`list ${resource.kind}`);
      if (hidden.includes(resource.kind)) return Promise.resolve({ kind: 'unreadable', reason: 'forbidden' });
      return Promise.resolve({ kind: 'value', value: served.filter((one) => one.kind === resource.kind) });
    },
  } as unknown as Reader;
  return { reader, asked };
}

async function look(
  execution: WorkflowExecution,
  views: Views,
  now: Instant = NOW,
): Promise<{ seen: Seen | undefined; asked: readonly string[] }> {
  const { reader, asked } = aReader({ ...views, cached: [execution, ...(views.cached ?? [])] });
  const seen = await observe({ namespace: 'sickbay-system', name: execution.metadata.name }, reader, { now, settings: DEFAULT_SETTINGS });
  return { seen: seen as Seen | undefined, asked };
}

/** Each stage has other members; one that it does not have was not read. */
type Seen = Partial<Everything>;
const kindOf = (read: { readonly kind: string } = NOT_READ): string => read.kind;
const kinds = (seen: Seen | undefined) =>
  seen && {
    request: kindOf(seen.request),
    lock: kindOf(seen.lock),
    holder: kindOf(seen.holder),
    run: kindOf(seen.run),
    pods: kindOf(seen.pods),
  };
const names = (seen: Seen | undefined) =>
  seen?.history?.kind === 'value' ? seen.history.value.map(({ metadata }) => metadata.name) : undefined;
const pending = anExecution({ status: { phase: 'Pending' } });
const rival = anExecution({ uid: 'wfe-2', name: 'we-other', status: { phase: 'Running' } });

test('an execution that is gone is not observed', async () => {
  const { reader } = aReader({});
  expect(await observe({ namespace: 'sickbay-system', name: 'we-rr-1' }, reader, { now: NOW, settings: DEFAULT_SETTINGS })).toBeUndefined();
});

test('a new execution needs no read of anything else', async () => {
  const { seen, asked } = await look(anExecution(), { served: [aJob(), aLock()] });
  expect(asked).toEqual([]);
  expect(kinds(seen)).toEqual({ request: 'not-read', lock: 'not-read', holder: 'not-read', run: 'not-read', pods: 'not-read' });
});

describe('pending', () => {
  test('what the cache does not have is asked of the server: foreign objects carry no mark', async () => {
    const { seen, asked } = await look(pending, { cached: [aRequest()], served: [aJob({ of: '' })] });
    expect(kinds(seen)).toMatchObject({ lock: 'absent', run: 'value' });
    expect(asked).toEqual(expect.arrayContaining(['get Lease', 'get Job']));
  });

  test('before the run is created the pods of the name are read', async () => {
    const { seen, asked } = await look(pending, { cached: [aRequest(), aLock(), aLedger(aClaim())], served: [aPod({ phase: 'Running' })] });
    expect(kinds(seen)).toEqual({ request: 'value', lock: 'value', holder: 'not-read', run: 'absent', pods: 'value' });
    expect(asked).toEqual([
      'get Job',
      'get PipelineRun',
      'list Pod',
      'list Pod',
      'list TaskRun',
      'list WorkflowExecution',
      'list RemediationWorkflow',
    ]);
  });

  test.each([
    { past: aFailedStart(1), asks: false, reason: 'to wait is not final' },
    { past: aFailedStart(5), asks: true, reason: 'to be skipped is' },
    { past: aFailedRun(), asks: true, reason: 'and so it is here' },
    { past: aSuccess(), asks: false, reason: 'it will be asked under the lock' },
  ])('what ran before, by the cache: the server is asked $asks, $reason', async ({ past, asks }) => {
    const { seen, asked } = await look(pending, { cached: [aRequest(), past], served: [aFailedRun({ name: 'we-served' }), pending] });
    expect(asked.includes('list WorkflowExecution')).toBe(asks);
    expect(names(seen)).toEqual(asks ? ['we-served'] : [past.metadata.name]);
  });

  test('[BO-120] under the lock a cache that has not heard of a failure is not believed', async () => {
    const views = { cached: [aRequest(), aLock(), aLedger(aClaim())], served: [aFailedRun({ name: 'we-bad' })] };
    expect(names((await look(pending, views)).seen)).toEqual(['we-bad']);
    const held = { ...views, cached: [...views.cached, aJob({ held: true })] };
    expect(names((await look(pending, held)).seen)).toEqual(['we-bad']);
  });

  test('[BO-037] [BO-040] the same name in another cluster is another target', async () => {
    const near = aFailedStart(1);
    const far: WorkflowExecution = { ...near, spec: { ...near.spec, clusterID: 'far' } };
    expect(names((await look(pending, { cached: [aRequest(), far] })).seen)).toEqual([]);
    // The server is asked by the name of the target alone.
    const live = { cached: [aRequest(), aLock(), aLedger(aClaim())], served: [far] };
    expect(names((await look(pending, live)).seen)).toEqual([]);
    expect(names((await look(pending, { ...live, served: [near] })).seen)).toEqual([near.metadata.name]);
  });

  test('before a run is released its owner is read from the server', async () => {
    const cancelled = aRequest({ overallPhase: 'Cancelled' });
    const { seen } = await look(pending, { cached: [aRequest(), aLock(), aJob({ held: true })], served: [cancelled] });
    expect(seen?.request).toMatchObject({ value: { status: { overallPhase: 'Cancelled' } } });
  });

  test('the target is read right before a run is released, and not earlier', async () => {
    const cached = [withTarget(), aLock()];
    const served = [withTarget(), aTarget()];
    expect((await look(pending, { cached: [...cached, aJob({ held: true })], served })).seen?.target).toMatchObject({ kind: 'value' });
    expect((await look(pending, { cached, served })).asked).not.toContain('get Deployment');
  });

  test.each([
    { reason: 'not in the cache yet', cached: [] },
    { reason: 'the cache has one of another UID', cached: [aRequest({}, 'older')] },
  ])('an owner is gone only after a live read: $reason', async ({ cached }) => {
    const { seen } = await look(pending, { cached, served: [aRequest()] });
    expect(seen?.request).toMatchObject({ kind: 'value', value: { metadata: { uid: 'rr-uid' } } });
  });

  test('without an owner no request is read', async () => {
    const orphan = { ...pending, metadata: { ...pending.metadata, ownerReferences: [] } };
    expect((await look(orphan, { served: [aRequest()] })).seen?.request?.kind).toBe('absent');
  });

  test('the holder of the target is read from the server: being skipped for it is final', async () => {
    const over = aJob({ of: 'wfe-2', ended: { type: 'Complete' } });
    const ended = { ...rival, status: { phase: 'Completed' as const } };
    const cached = [aRequest(), aLock('wfe-2'), aJob({ of: 'wfe-2' }), rival];
    const { seen } = await look(pending, { cached, served: [aLock('wfe-2'), over, ended] });
    expect(seen?.run).toMatchObject({ value: { status: { conditions: [{ type: 'Complete' }] } } });
    expect(seen?.holder).toMatchObject({ value: { status: { phase: 'Completed' } } });
    expect(kinds((await look(pending, { cached })).seen)).toMatchObject({ lock: 'absent', run: 'absent', holder: 'not-read' });
  });

  test('a holder is found by UID, and gone only after a live read', async () => {
    const cached = [aRequest(), aLock('wfe-2')];
    expect((await look(pending, { cached, served: [aLock('wfe-2'), rival] })).seen?.holder).toMatchObject({
      value: { metadata: { name: 'we-other' } },
    });
    const namesake = anExecution({ uid: 'wfe-3', name: 'we-other' });
    expect((await look(pending, { cached, served: [aLock('wfe-2'), namesake] })).seen?.holder?.kind).toBe('absent');
  });

  test('the owner of a run without a lock is read too', async () => {
    const run = aJob({ of: 'wfe-2' });
    expect((await look(pending, { cached: [aRequest(), run], served: [run, rival] })).seen?.holder?.kind).toBe('value');
  });

  test('after some time of waiting the server is read: watch events may be lost', async () => {
    const cached = [aRequest({ overallPhase: 'Analyzing' }), aLock()];
    const late = await look(pending, { cached, served: [aRequest()] }, after(NOW, 10 * SECOND));
    expect(late.seen?.request).toMatchObject({ value: { status: { overallPhase: 'Executing' } } });
    expect((await look(pending, { cached, served: [aRequest()] })).asked).not.toContain('get RemediationRequest');
  });

  test('what cannot be read is not asked for again', async () => {
    const { seen, asked } = await look(pending, { hidden: ['Job', 'Lease'] });
    expect(kinds(seen)).toMatchObject({ lock: 'unreadable', run: 'unreadable' });
    expect(asked).not.toContain('get Job');
  });
});

describe('the budget', () => {
  const claimOf = (n: number) =>
    aClaim(anExecution({ uid: `wfe-${n}`, name: `we-${n}`, spec: { targetResource: `shop/Deployment/d${n}` } }));
  const ready = (reason: string) => [{ type: 'Ready', status: 'False' as const, reason, message: '', lastTransitionTime: toTime(NOW) }];
  const waits = (name: string, change: Partial<WorkflowExecution['metadata']> = {}, spec: Partial<WorkflowExecution['spec']> = {}) => {
    const one = anExecution({ uid: name, name, spec, status: { phase: 'Pending', conditions: ready('WaitingForBudget') } });
    return { ...one, metadata: { ...one.metadata, ...change } };
  };
  const start = [aRequest(), aLock()];
  const questionOf = ({ budget }: Seen) => (budget?.kind === 'value' ? budget.question : undefined);

  test('is of interest only under our own lock', async () => {
    const { seen, asked } = await look(pending, { cached: [aRequest()], served: [aLedger()] });
    expect(seen?.budget).toEqual(NOT_READ);
    expect(asked).not.toContain('get ConfigMap');
  });

  test('a ledger that is not in the cache is asked of the server', async () => {
    const { seen, asked } = await look(pending, { cached: start, served: [aLedger(aClaim())] });
    expect(asked).toContain('get ConfigMap');
    expect(seen?.budget?.kind).toBe('value');
  });

  test.each([
    { reason: 'absent', views: { cached: start }, want: 'absent' },
    { reason: 'not readable', views: { cached: start, hidden: ['ConfigMap'] }, want: 'unreadable' },
    { reason: 'garbled', views: { cached: [...start, { ...aLedger(), data: { x: '?' } }] }, want: 'unreadable' },
  ])('a ledger that is $reason is that', async ({ views, want }) => expect((await look(pending, views)).seen?.budget?.kind).toBe(want));

  test('an execution that has its claim reads nothing more', async () => {
    const { seen } = await look(pending, { cached: [...start, aLedger(aClaim()), waits('we-3'), rival] });
    expect(seen && questionOf(seen)).toMatchObject({ waiting: [], claims: [{ uid: 'wfe-1' }] });
  });

  test('an execution without a claim sees the waiters, but none that is past its deadline or being deleted', async () => {
    const late = waits('we-late', {}, { timesOutAt: toTime(NOW) });
    const { seen } = await look(pending, {
      cached: [...start, aLedger(), waits('we-3'), late, waits('we-gone', { deletionTimestamp: toTime(NOW) })],
    });
    expect(seen && questionOf(seen)?.waiting.map(({ uid }) => uid)).toEqual(['we-3']);
  });

  test('what runs without a claim counts all the same, but not twice', async () => {
    const claimed = anExecution({ uid: 'wfe-3', name: 'we-3', status: { phase: 'Running' } });
    const { seen } = await look(pending, { cached: [...start, aLedger(claimOf(3)), claimed, rival] });
    expect(seen && questionOf(seen)?.claims.map(({ uid }) => uid)).toEqual(['wfe-3', 'wfe-2']);
  });

  test('whose end is not known is read from the server only when an execution waits for it', async () => {
    const one = await look(pending, { cached: [...start, aLedger(claimOf(3))] });
    expect(one.asked).not.toContain('get WorkflowExecution');
    const two = await look(pending, { cached: [...start, aLedger(claimOf(3), claimOf(4))] });
    expect(two.asked).toContain('get WorkflowExecution');
    expect(two.seen && [...(questionOf(two.seen)?.over ?? [])]).toEqual(['wfe-3', 'wfe-4']);
  });

  test('over budget the pods are left alone', async () => {
    const going = [3, 4].map((n) => anExecution({ uid: `wfe-${n}`, name: `we-${n}`, status: { phase: 'Running' } }));
    const { asked } = await look(pending, { cached: [...start, aLedger(claimOf(3), claimOf(4)), ...going] });
    expect(asked).not.toContain('list Pod');
  });

  test.each([
    {
      reason: 'its node',
      served: [{ ...aPod(), metadata: { ...aPod().metadata, name: 'p', namespace: 'shop' } }],
      want: { kind: 'value', question: { asking: { node: 'node1' } } },
    },
    { reason: 'gone, so on none', served: [], want: { kind: 'value', question: { asking: { target: 'shop/Pod/p' } } } },
    { reason: 'not known', hidden: ['Pod'], want: { kind: 'unreadable', reason: 'the node of the target cannot be read: forbidden' } },
  ])('a pod is looked up: $reason', async ({ want, served = [], hidden = [] }) => {
    const execution = anExecution({ spec: { targetResource: 'shop/Pod/p' }, status: { phase: 'Pending' } });
    const lock = { ...aLock(), metadata: { ...aLock().metadata, name: runName(execution.spec) } };
    const { seen } = await look(execution, { cached: [aRequest(), lock, aLedger()], served, hidden });
    expect(seen?.budget).toMatchObject(want);
  });

  test('before a recorded run is released, its claim is read', async () => {
    const { seen } = await look(anExecution({ status: running }), {
      cached: [aRequest(), aLedger(aClaim())],
      served: [aJob({ held: true }), aRequest()],
    });
    expect(seen?.budget?.kind).toBe('value');
  });
});

describe('what the plan needs', () => {
  const entry = entryFor(pending.spec);
  const start = [aRequest(), aLock(), aLedger(aClaim()), entry];
  const account = {
    ...aPod(),
    kind: 'ServiceAccount',
    metadata: { ...aPod().metadata, name: 'workflow-rollback-deployment' },
  } as KubeObject;

  test('is read under our own lock, before the run is created, from the server', async () => {
    const { seen, asked } = await look(pending, { cached: start, served: [aRequest(), entry, account] });
    expect(seen).toMatchObject({
      catalogue: { kind: 'value', value: [{ metadata: { name: entry.metadata.name } }] },
      dependencies: { kind: 'value', value: [{ kind: 'ServiceAccount', read: { kind: 'value' } }] },
      installed: { kind: 'value', value: true },
      awx: NOT_READ,
    });
    expect(asked).toEqual(expect.arrayContaining(['list RemediationWorkflow', 'get ServiceAccount']));
  });

  test.each<{ name: string; views: Views }>([
    { name: 'the target is free', views: { cached: [aRequest(), aLedger(aClaim()), entry], served: [entry] } },
    { name: 'another has the lock', views: { cached: [aRequest(), aLock('wfe-2'), entry], served: [aLock('wfe-2'), entry] } },
    { name: 'the run is there', views: { cached: [...start, aJob({ held: true })], served: [entry, aRequest()] } },
    { name: 'the catalogue does not have the plan', views: { cached: [aRequest(), aLock(), aLedger(aClaim())] } },
  ])('is not read where $name', async ({ views }) => {
    const { seen, asked } = await look(pending, views);
    expect(seen?.dependencies).toEqual(NOT_READ);
    expect(seen?.installed).toEqual(NOT_READ);
    expect(asked).not.toContain('get ServiceAccount');
  });

  test('without room for it a cached read of the catalogue is enough', async () => {
    const going = [3, 4].map((n) => anExecution({ uid: `wfe-${n}`, name: `we-${n}`, status: { phase: 'Running' } }));
    const claims = going.map((one) => aClaim(one));
    const { asked } = await look(pending, { cached: [aRequest(), aLock(), aLedger(...claims), entry, ...going] });
    expect(asked).not.toContain('list RemediationWorkflow');
  });

  test('an engine that has to be installed is checked', async () => {
    const spec = { workflowRef: { ...pending.spec.workflowRef, executionEngine: 'tekton' as const } };
    const tekton = anExecution({ spec, status: { phase: 'Pending' } });
    const offered = entryFor(tekton.spec);
    const { seen, asked } = await look(tekton, { cached: [aRequest(), aLock(), aLedger(aClaim()), offered], served: [offered] });
    expect(seen?.installed).toEqual({ kind: 'absent' });
    expect(asked).toContain('get CustomResourceDefinition');
  });
});

describe('the state of the owner', () => {
  test.each<{ name: string; views: Views; isAsked: boolean }>([
    { name: 'is that of the cache while there is no run', views: { cached: [aRequest()] }, isAsked: false },
    { name: 'is asked of the server where a run is there', views: { cached: [aRequest(), aLock(), aJob()] }, isAsked: true },
    { name: 'is asked of the server where another has its name', views: { cached: [aRequest({}, 'rr-2')] }, isAsked: true },
    { name: 'is not asked for again where it cannot be read', views: { hidden: ['RemediationRequest'] }, isAsked: false },
  ])('$name', async ({ views, isAsked }) => expect((await look(pending, views)).asked.includes('get RemediationRequest')).toBe(isAsked));

  test('is not read for an execution without an owner', async () => {
    const { seen } = await look(anExecution({ status: { phase: 'Pending' }, metadata: { ownerReferences: [] } }), { cached: [aRequest()] });
    expect(seen?.request).toEqual({ kind: 'absent' });
  });
});

test('a run in AWX is no object of the cluster', async () => {
  const inAwx = anExecution({ status: { phase: 'Running', executionRef: { kind: 'AWXJob' } } });
  const { seen, asked } = await look(inAwx, { cached: [aRequest()], served: [aJob()] });
  expect(seen).toMatchObject({
    stage: 'running-in-awx',
    request: { kind: 'value' },
    awx: { kind: 'unreadable', reason: 'this process has no connection to AWX' },
  });
  expect(asked).toEqual([]);
});

describe('running', () => {
  const execution = anExecution({ status: running });

  test('a run that the cache has is not asked for', async () => {
    const { seen, asked } = await look(execution, { cached: [aJob({ ready: 1 }), aRequest()] });
    expect(kinds(seen)).toEqual({ request: 'value', lock: 'not-read', holder: 'not-read', run: 'value', pods: 'not-read' });
    expect(asked).toEqual([]);
  });

  test('a run is gone only after a live read', async () => {
    expect((await look(execution, { served: [aJob()] })).seen?.run?.kind).toBe('value');
    expect((await look(execution, {})).seen?.run?.kind).toBe('absent');
  });

  test.each([
    { reason: 'events may be lost', now: after(NOW, 10 * SECOND) },
    { reason: 'being too late is final', now: after(TIMES_OUT_AT, MINUTE) },
  ])('a run that takes longer is asked of the server: $reason', async ({ now }) => {
    const ended = aJob({ ended: { type: 'Complete' } });
    const { seen } = await look(execution, { cached: [aJob({ ready: 1 })], served: [ended] }, now);
    expect(seen?.run).toMatchObject({ value: { status: { conditions: [{ type: 'Complete' }] } } });
  });

  test.each([
    { reason: 'it may not have begun', job: aJob(), asks: true },
    { reason: 'it is ready', job: aJob({ ready: 1 }), asks: false },
    { reason: 'it failed', job: aJob({ ready: 1, ended: { type: 'Failed' } }), asks: true },
    { reason: 'it went through, and may say what it did', job: aJob({ ended: { type: 'Complete' } }), asks: true },
    { reason: 'it is held', job: aJob({ held: true }), asks: false },
  ])('pods are read when they can show something new: $reason', async ({ job, asks }) => {
    expect((await look(execution, { cached: [job, aRequest()] })).asked.includes('list Pod')).toBe(asks);
  });

  test('an obstacle that was seen is checked until it is gone', async () => {
    const stuck = anExecution({ status: { ...running, executionStatus: { status: 'Waiting' } } });
    const { asked, seen } = await look(stuck, { cached: [aJob({ ready: 1 }), aRequest()] });
    expect(asked).toEqual(['list Pod', 'list Event', 'list Event']);
    expect(seen?.events?.kind).toBe('value');
  });

  test.each([
    { reason: 'it is evicted', pod: aPod({ conditions: [{ type: 'DisruptionTarget', status: 'True' }] }), asks: true },
    { reason: 'it is being deleted', pod: deleted(aPod()), asks: true },
    { reason: 'it continues', pod: aPod({ phase: 'Running' }), asks: false },
    { reason: 'another’s is being deleted', pod: deleted(aPod({}, { of: 'wfe-2' })), asks: false },
  ])('a ready pod is read while it is there, if $reason: $asks', async ({ pod, asks }) => {
    const { asked } = await look(execution, { cached: [aJob({ ready: 1 }), aRequest(), pod], served: [pod] });
    expect(asked.includes('list Pod')).toBe(asks);
  });

  test('the pods of a run that is late are read', async () => {
    const late = after(TIMES_OUT_AT, MINUTE);
    const { asked } = await look(execution, { cached: [aJob({ ready: 1 }), aRequest()], served: [aJob({ ready: 1 })] }, late);
    expect(asked).toContain('list Pod');
  });

  test('a run that is still held needs a live read of its owner', async () => {
    const held = aJob({ held: true });
    const { seen, asked } = await look(execution, { cached: [held, aLedger(aClaim()), aRequest()], served: [held, aRequest()] });
    expect(seen?.request?.kind).toBe('value');
    expect(asked).toEqual(['get Job', 'get RemediationRequest']);
  });

  test('a run that seems held may have been released: it is read from the server before it is cancelled', async () => {
    const { seen } = await look(execution, { cached: [aJob({ held: true })], served: [aJob()] });
    expect(seen?.run).toMatchObject({ value: { spec: { suspend: false } } });
  });
});

test('Events of pods that cannot be read are not read', async () => {
  const { seen, asked } = await look(anExecution({ status: running }), { cached: [aJob(), aRequest()], hidden: ['Pod'] });
  expect(seen?.pods?.kind).toBe('unreadable');
  expect(seen?.events).toEqual(NOT_READ);
  expect(asked).not.toContain('list Event');
});

test('a recorded run is read as one of its engine', async () => {
  const status = { ...running, executionRef: { ...running?.executionRef, kind: 'PipelineRun', uid: 'pr-1' } };
  const { asked } = await look(anExecution({ status }), { cached: [aRequest()] });
  expect(asked).toEqual(['get PipelineRun']);
});

describe('to be stopped', () => {
  const execution = anExecution({ status: running });

  test('that its request is gone needs a live read', async () => {
    const { seen, asked } = await look(execution, { cached: [aJob({ ready: 1 })], served: [aRequest()] });
    expect(asked).toEqual(['get RemediationRequest']);
    expect(seen?.request?.kind).toBe('value');
  });

  test('what its pods have done is seen before it is stopped', async () => {
    const cancelled = aRequest({ overallPhase: 'Cancelled' });
    expect((await look(execution, { cached: [aJob({ ready: 1 }), cancelled] })).asked).toEqual(['list Pod', 'list Event', 'list Event']);
  });
});

describe('ended', () => {
  const ended = (agoMs: number) => anExecution({ status: { phase: 'Completed', completionTime: toTime(after(NOW, -agoMs)) } });

  test('during the cooldown the cache will do', async () => {
    const { seen, asked } = await look(ended(0), { cached: [aLock()] });
    expect(kinds(seen)).toMatchObject({ lock: 'value', run: 'absent', pods: 'not-read' });
    expect(asked).toEqual([]);
  });

  test('a lock goes only when the server says that its run has', async () => {
    const { seen, asked } = await look(ended(MINUTE), { cached: [aLock()], served: [aJob()] });
    expect(seen?.run?.kind).toBe('value');
    expect(asked).toEqual(['get Job', 'get PipelineRun', 'list Pod', 'list Pod', 'list TaskRun']);
  });

  test.each([
    { reason: 'nothing is left', cached: [] },
    { reason: 'the lock is another’s', cached: [aLock('wfe-2')] },
    { reason: 'the run goes first', cached: [aLock(), aJob({ ended: { type: 'Complete' } })] },
  ])('otherwise nothing is asked: $reason', async ({ cached }) => {
    expect((await look(ended(MINUTE), { cached })).asked).toEqual([]);
  });
});
