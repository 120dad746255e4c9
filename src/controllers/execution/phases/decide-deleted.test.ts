import { describe, expect, test } from 'vitest';
import { after, MINUTE, toTime } from '../../../base/index.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { decide } from '../decide.ts';
import { blockFrom, storedBlockDraft } from '../history/index.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import {
  ABSENT,
  aJob,
  aLock,
  anExecution,
  aRequest,
  effectText,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
  UNREADABLE,
} from '../testing/builders.ts';
import { aFailedRun, aFailedStart } from '../testing/finished-executions.ts';

const metadata = { generation: 2, deletionTimestamp: toTime(NOW) };
const going = (status: WorkflowExecution['status']): WorkflowExecution => anExecution({ status, metadata });
const ended = going({ phase: 'Completed', completionTime: toTime(after(NOW, -MINUTE)) });
const failed = going({ ...aFailedRun().status, phase: 'Failed' });
const alive = listed(inState({ running: { startedAt: toTime(NOW) } }));
const record = (name: string) => {
  const bad = aFailedRun({ name });
  const draft = storedBlockDraft(bad, blockFrom(bad, 'PreviousExecutionFailed'), { namespace: 'kubernaut-workflows', now: NOW });
  return found({ ...draft, metadata: { ...aLock('x').metadata, ...draft.metadata } } as ReturnType<typeof aLock>);
};
const gone: Partial<Everything> = { request: ABSENT };
const leaving = found({ ...aRequest(), metadata: { ...aRequest().metadata, deletionTimestamp: toTime(NOW) } });
const terminating = found({ apiVersion: 'v1', kind: 'Namespace', metadata: { ...aRequest().metadata, deletionTimestamp: toTime(NOW) } });

const GO = ['Event WorkflowExecutionDeleted', 'Patch WorkflowExecution'];
const FREE = ['Delete Lease', 'Event LockReleased'];

interface Row {
  readonly name: string;
  readonly seen: Partial<Everything>;
  readonly effects?: readonly string[];
  /** What people see while it cannot go. */
  readonly says?: string;
}

const rows: readonly Row[] = [
  { name: 'a run at work is deleted', seen: { object: failed, run: found(aJob()) }, effects: ['Delete Job'] },
  {
    name: 'a run that is over too, without a cooldown',
    seen: { object: ended, run: found(aJob({ ended: { type: 'Complete' } })) },
    effects: ['Delete Job'],
  },
  { name: 'a run on its way out is waited for', seen: { object: ended, run: found(aJob({ deleted: true })) }, says: 'is being deleted' },
  { name: 'a run that cannot be read is not gone', seen: { object: ended, run: UNREADABLE }, says: 'its run cannot be read: forbidden' },
  { name: 'nor is a pod', seen: { object: ended, pods: UNREADABLE }, says: 'cannot be read' },
  { name: 'a pod at work keeps it', seen: { object: ended, pods: alive }, says: 'has not ended yet' },
  { name: 'credentials keep it', seen: { object: going({ ...ended.status, ephemeralCredentialIDs: [7] }) }, says: '1 credentials in AWX' },
  { name: 'its lock goes', seen: { object: ended }, effects: FREE },
  { name: 'a lock that cannot be read keeps it', seen: { object: ended, lock: UNREADABLE }, says: 'its lock cannot be read' },
  { name: 'nothing is left', seen: { object: ended, lock: ABSENT }, effects: GO },
  { name: 'another’s lock is no concern of it', seen: { object: ended, lock: found(aLock('wfe-2')) }, effects: GO },
  { name: 'deleted by a person, a failed run leaves nothing', seen: { object: failed, lock: ABSENT }, effects: GO },
  { name: 'nor a lock', seen: { object: failed }, effects: FREE },
  { name: 'a history that cannot be read keeps it', seen: { object: failed, history: UNREADABLE }, says: 'other executions' },
  {
    name: 'a request that cannot be read keeps it',
    seen: { object: failed, request: UNREADABLE },
    says: 'RemediationRequest cannot be read',
  },
  { name: 'with its request the block goes on its lock', seen: { object: failed, ...gone }, effects: ['Patch Lease'] },
  { name: 'or on a new one', seen: { object: failed, ...gone, lock: ABSENT }, effects: ['Create Lease'] },
  { name: 'and then it goes', seen: { object: failed, ...gone, lock: record('we-rr-1') }, effects: GO },
  { name: 'a request on its way out is as good as gone', seen: { object: failed, request: leaving }, effects: ['Patch Lease'] },
  {
    name: 'another request of the name is not its own',
    seen: { object: failed, request: found(aRequest({}, 'other')) },
    effects: ['Patch Lease'],
  },
  { name: 'a namespace on its way out counts too', seen: { object: failed, namespace: terminating }, effects: ['Patch Lease'] },
  { name: 'so does one that cannot be read', seen: { object: failed, namespace: UNREADABLE }, effects: ['Patch Lease'] },
  { name: 'a block of another is enough', seen: { object: failed, ...gone, lock: record('we-other') }, effects: GO },
  {
    name: 'a lock whose holder is gone makes way',
    seen: { object: failed, ...gone, lock: found(aLock('wfe-2')), holder: ABSENT },
    effects: ['Delete Lease'],
  },
  {
    name: 'one whose holder is there is waited for',
    seen: {
      object: failed,
      ...gone,
      lock: found(aLock('wfe-2')),
      holder: found(anExecution({ name: 'we-2', uid: 'wfe-2', status: running })),
    },
    says: 'we-2 holds it',
  },
  {
    name: 'one whose holder cannot be read too',
    seen: { object: failed, ...gone, lock: found(aLock('wfe-2')), holder: UNREADABLE },
    says: 'cannot be read',
  },
  {
    name: 'one on its way out too',
    seen: { object: failed, ...gone, lock: found(aLock('wfe-1', { deletionTimestamp: toTime(NOW) })) },
    says: 'is being deleted',
  },
  {
    name: '[BO-129] by itself it takes the failures before it along',
    seen: { object: failed, history: listed(aFailedStart(2, { name: 'we-2', minutesAgo: 9 })) },
    effects: ['PatchStatus WorkflowExecution'],
  },
];

describe('an execution that is over and was deleted', () => {
  test.each(rows)('$name', ({ seen, effects = [], says }) => {
    const decision = decide(seenWith(seen), NOW);
    const ready = (decision.status as ExecutionStatus).conditions?.find(({ type }) => type === 'Ready');
    expect(decision.effects.map(effectText)).toEqual(effects);
    expect(says === undefined ? ready?.reason : ready?.message).toEqual(says === undefined ? undefined : expect.stringContaining(says));
    expect(decision.wakeAt).toBe(after(NOW, 10_000));
  });

  test('takes off its own finalizer only', () => {
    const finalizers = ['example.com/other', ...(ended.metadata.finalizers ?? [])];
    const object = { ...ended, metadata: { ...ended.metadata, finalizers } };
    const [, patch] = decide(seenWith({ object, lock: ABSENT }), NOW).effects;
    expect(patch).toMatchObject({ resourceVersion: '7', operations: [{ path: '/metadata/finalizers', value: ['example.com/other'] }] });
  });
});

describe('an execution that is not over and was deleted', () => {
  test('is stopped while it runs', () => {
    const { status } = decide(seenWith({ object: going(running), run: found(aJob()), pods: alive }), NOW);
    expect(status).toMatchObject({ phase: 'Failed', failureDetails: { wasExecutionFailure: true } });
  });

  test('says that its run cannot be read', () => {
    const { status } = decide(seenWith({ object: going(running), run: UNREADABLE }), NOW);
    expect((status as ExecutionStatus).conditions?.[0]).toMatchObject({
      reason: 'CleanupBlocked',
      message: expect.stringContaining('cannot be read') as string,
    });
  });

  test.each([found(aRequest()), ABSENT, UNREADABLE])('does not start any more, whatever its request is', (request) => {
    const { status } = decide(seenWith({ object: going({ phase: 'Pending' }), request, lock: ABSENT }), NOW);
    expect(status).toMatchObject({ phase: 'Failed', failureDetails: { wasExecutionFailure: false } });
    expect((status as ExecutionStatus).nextAllowedExecution).toBeUndefined();
  });
});

describe('an execution without a finalizer', () => {
  const bare = anExecution({ status: { phase: 'Pending' }, metadata: { finalizers: [] } });
  test.each([ABSENT, found(aLock())])('gets one before anything else', (lock) => {
    const { effects } = decide(seenWith({ object: bare, lock }), NOW);
    expect(effects.map(effectText)).toEqual(['Patch WorkflowExecution']);
    expect(effects[0]).toMatchObject({ resourceVersion: '7', operations: [{ op: 'add', path: '/metadata/finalizers' }] });
  });
});
