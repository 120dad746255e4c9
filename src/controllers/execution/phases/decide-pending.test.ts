import { describe, expect, test } from 'vitest';
import type { Job } from '../../../api/builtin/index.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { Read } from '../../../kube/client/read.ts';
import { decide } from '../decide.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import {
  ABSENT,
  aJob,
  aLock,
  anExecution,
  aRequest,
  aTarget,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
  TIMES_OUT_AT,
  UNREADABLE,
  withTarget,
} from '../testing/builders.ts';
import { judged, wanted, type Case } from '../testing/decision-case.ts';

const pending = (spec: Partial<WorkflowExecution['spec']> = {}) => ({ object: anExecution({ spec, status: { phase: 'Pending' } }) });
const other = (status?: WorkflowExecution['status']): Read<WorkflowExecution> =>
  found(anExecution({ uid: 'wfe-2', name: 'we-other', ...(status ? { status } : {}) }));
const endedAgo = (ms: number): WorkflowExecution['status'] => ({ phase: 'Completed', completionTime: toTime(after(NOW, -ms)) });
const otherHas = { lock: found(aLock('wfe-2')) };
const alive = listed(inState({ running: { startedAt: toTime(NOW) } }));

const beginnings: readonly Case[] = [
  {
    name: '[WE-020] new',
    reason: 'every execution starts in Pending',
    seen: { object: anExecution() },
    phase: 'Pending',
    because: 'Pending',
  },
  {
    name: 'free',
    reason: 'the lock comes before the run',
    seen: { lock: ABSENT },
    phase: 'Pending',
    because: 'Pending',
    effects: ['Create Lease'],
  },
  { name: 'locked', reason: 'the lock was seen to be ours', phase: 'Pending', because: 'Pending', effects: ['Create Job'] },
  {
    name: 'old pods',
    reason: 'a Job that is gone may have left a pod at work',
    seen: { pods: alive },
    phase: 'Pending',
    because: 'WaitingForPods',
  },
  { name: 'pods not readable', reason: 'not known is not none', seen: { pods: UNREADABLE }, phase: 'Pending', because: 'WaitingForPods' },
  {
    name: 'created',
    reason: 'its UID is recorded in status, and then it is released',
    seen: { run: found(aJob({ held: true })) },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated', 'Patch Job'],
  },
  {
    name: 'created, the target as it was',
    reason: 'the plan is for exactly this',
    seen: { run: found(aJob({ held: true })), request: found(withTarget()), target: found(aTarget()) },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated', 'Patch Job'],
  },
  {
    name: 'created, target not readable',
    reason: 'not known is not the same',
    seen: { run: found(aJob({ held: true })), request: found(withTarget()), target: UNREADABLE },
    phase: 'Pending',
    because: 'WaitingForTarget',
  },
  {
    name: 'set back to Pending, run recorded in status',
    reason: 'what was started once is never started again',
    seen: { object: anExecution({ status: { ...running, phase: 'Pending' } }) },
    phase: 'Running',
  },
  {
    name: '[WE-075] released from outside',
    reason: 'it acts, so its result is taken',
    seen: { run: found(aJob()) },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated'],
  },
  {
    name: 'released from outside, and finished',
    reason: 'it is not run again',
    seen: { run: found(aJob({ ended: { type: 'Complete' } })) },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated'],
  },
  { name: 'run not readable', reason: 'not known is not absent', seen: { run: UNREADABLE }, phase: 'Pending', because: 'WaitingForLock' },
  { name: 'lock not readable', reason: 'not known is not free', seen: { lock: UNREADABLE }, phase: 'Pending', because: 'WaitingForLock' },
  {
    name: 'no hand-shake yet',
    reason: 'the request will name it on its next pass',
    seen: { lock: ABSENT, request: found(aRequest({ workflowExecutionRef: {} })) },
    phase: 'Pending',
    because: 'Pending',
  },
  {
    name: 'no hand-shake for long',
    reason: 'the condition says what it waits for',
    seen: { lock: ABSENT, request: found(aRequest({ workflowExecutionRef: {} })) },
    at: after(NOW, 10 * SECOND),
    phase: 'Pending',
    because: 'WaitingForRequest',
  },
  {
    name: 'request not readable',
    reason: 'without an answer there is no permission',
    seen: { request: UNREADABLE },
    phase: 'Pending',
    at: after(NOW, 10 * SECOND),
    because: 'WaitingForRequest',
  },
];

const refusals: readonly Case[] = [
  {
    name: '[WE-022] bad spec',
    reason: 'nothing is created for it',
    seen: { ...pending({ targetResource: 'checkout' }), lock: ABSENT },
    phase: 'Failed',
    because: 'ConfigurationError',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  ...['checkout', 'a/b/c/d', 'shop//checkout', 'Node/'].map((targetResource): Case => ({
    name: `[WE-041] a target ${targetResource}`,
    reason: 'one part, four parts and an empty part name no target',
    seen: { ...pending({ targetResource }), lock: ABSENT },
    phase: 'Failed',
    because: 'ConfigurationError',
    effects: ['Event WorkflowFailed'],
    acted: false,
  })),
  {
    name: '[WE-034] bad spec in a cooldown',
    reason: 'waiting would not fix it',
    seen: { ...pending({ targetResource: 'checkout' }), ...otherHas, holder: other(endedAgo(SECOND)) },
    phase: 'Failed',
    because: 'ConfigurationError',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'forged',
    reason: 'its owner is gone',
    seen: { request: ABSENT },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'cancelled while the run is held',
    reason: 'a Pending execution of a cancelled request never starts',
    seen: { run: found(aJob({ held: true })), request: found(aRequest({ overallPhase: 'Cancelled' })) },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  ...(
    [
      ['changed', found(aTarget(3)), 'it may be fixed already'],
      ['replaced', found(aTarget(2, 'another')), 'another object of the name is another target'],
      ['gone', ABSENT, 'there is nothing to act on'],
    ] as const
  ).map(([what, target, reason]) => ({
    name: `created, target ${what}`,
    reason,
    seen: { run: found(aJob({ held: true })), request: found(withTarget()), target },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  })),
  {
    name: 'too late',
    reason: 'what did not start in time does not start',
    at: TIMES_OUT_AT,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'too late with a held run',
    reason: 'held is not started',
    seen: { run: found(aJob({ held: true })) },
    at: TIMES_OUT_AT,
    phase: 'Failed',
    because: 'DeadlineExceeded',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'a moment before',
    reason: 'its time has not run out',
    at: after(TIMES_OUT_AT, -1),
    phase: 'Pending',
    because: 'Pending',
    effects: ['Create Job'],
  },
  {
    name: '[WE-164] a Job without our mark',
    reason: 'neither adopted nor deleted',
    seen: { lock: ABSENT, run: found(aJob({ of: '' })) },
    phase: 'Failed',
    because: 'ConfigurationError',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
  {
    name: 'a Lease without our mark',
    reason: 'neither taken over nor deleted',
    seen: { lock: found(aLock('', { labels: {} })) },
    phase: 'Failed',
    because: 'ConfigurationError',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
];

const conflicts: readonly Case[] = [
  {
    name: '[WE-077] [WE-161] busy',
    reason: 'another run is at work',
    seen: { ...otherHas, run: found(aJob({ of: 'wfe-2' })), holder: other({ phase: 'Running' }) },
    phase: 'Skipped',
    because: 'ResourceBusy',
  },
  {
    name: 'raced',
    reason: 'the other one was first',
    seen: { ...otherHas, holder: other({ phase: 'Pending' }) },
    phase: 'Skipped',
    because: 'ResourceBusy',
  },
  {
    name: '[WE-024] [WE-059] [WE-103] cooldown',
    reason: 'the target rests, the execution waits',
    seen: { ...otherHas, holder: other(endedAgo(20 * SECOND)) },
    phase: 'Pending',
    because: 'CooldownActive',
  },
  {
    name: '[WE-163] result not taken',
    reason: 'a finished run stays until its execution is over',
    seen: { ...otherHas, run: found(aJob({ of: 'wfe-2', ended: { type: 'Complete' } })), holder: other({ phase: 'Running' }) },
    phase: 'Pending',
    because: 'WaitingForLock',
  },
  {
    name: 'orphaned: run',
    reason: 'the run goes before the lock',
    seen: { ...otherHas, run: found(aJob({ uid: 'job-2', of: 'wfe-2', ended: { type: 'Complete' } })), holder: other(endedAgo(MINUTE)) },
    phase: 'Pending',
    because: 'CleaningUp',
    effects: ['Delete Job'],
  },
  {
    name: 'orphaned: lock',
    reason: 'its run has gone',
    seen: { ...otherHas, holder: ABSENT },
    phase: 'Pending',
    because: 'CleaningUp',
    effects: ['Delete Lease'],
  },
  {
    name: 'orphaned: pods',
    reason: 'its pod may still be at work',
    seen: { ...otherHas, holder: ABSENT, pods: alive },
    phase: 'Pending',
    because: 'WaitingForPods',
  },
  {
    name: 'orphaned under our lock',
    reason: 'our own lock stays',
    seen: { run: found(aJob({ uid: 'job-2', of: 'wfe-2', ended: { type: 'Complete' } })), holder: other(endedAgo(MINUTE)) },
    phase: 'Pending',
    because: 'CleaningUp',
    effects: ['Delete Job'],
  },
  {
    name: 'a third one’s run',
    reason: 'only what belongs to the lock that is cleared is cleared with it',
    seen: { ...otherHas, run: found(aJob({ uid: 'job-3', of: 'wfe-3', ended: { type: 'Complete' } })), holder: ABSENT },
    at: after(NOW, 2 * MINUTE),
    phase: 'Pending',
    because: 'CleaningUp',
    effects: ['Delete Lease'],
  },
];

describe('a pending execution', () => {
  test.each([...beginnings, ...refusals, ...conflicts])('$name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));

  test('[WE-076] a run of ours that is over is not run again: its result is taken', () => {
    const over = found(aJob({ ended: { type: 'Complete' } }));
    const { status } = decide(seenWith({ run: over }), NOW);
    const next = decide(seenWith({ object: anExecution({ status: status as ExecutionStatus }), run: over }), NOW);
    expect(next.status).toMatchObject({ phase: 'Completed' });
    expect(next.effects.map(({ kind }) => kind)).toEqual(['Event']);
  });

  test('[WE-055] a cooldown is waited for to the moment when it is near', () => {
    const row = { ...otherHas, holder: other(endedAgo(55 * SECOND)) };
    expect(decide(seenWith(row), NOW).wakeAt).toBe(after(NOW, 5 * SECOND));
  });

  test('the run is recorded by UID in the same decision that lets it go', () => {
    const { status, effects } = decide(seenWith({ run: found(aJob({ held: true })) }), NOW);
    expect(status).toMatchObject({
      phase: 'Running',
      startTime: toTime(NOW),
      executionRef: { kind: 'Job', uid: 'job-1', namespace: 'kubernaut-workflows', name: aJob().metadata.name },
      executionStatus: { status: 'Running', completedTasks: 0, totalTasks: 1 },
      observedGeneration: 1,
    });
    expect(effects[1]).toMatchObject({ kind: 'Patch', uid: 'job-1', resourceVersion: '7' });
  });

  test('an execution that missed its deadline says what it waited for', () => {
    const waiting = decide(seenWith({ request: UNREADABLE }), after(NOW, MINUTE)).status as ExecutionStatus;
    const { status } = decide(seenWith({ object: anExecution({ status: waiting }), request: UNREADABLE }), TIMES_OUT_AT);
    expect((status as ExecutionStatus).failureDetails?.message).toContain('RemediationRequest rr-1 cannot be read: forbidden');
  });

  test.each([
    { lock: ABSENT, want: 'its lock (a Lease) could not be created' },
    { lock: found(aLock()), want: 'its Job could not be created' },
  ])('an execution whose next step was refused until its deadline says which step: $want', ({ lock, want }) => {
    const onItsWay = decide(seenWith({ lock }), NOW).status as ExecutionStatus;
    const { status } = decide(seenWith({ lock, object: anExecution({ status: onItsWay }) }), TIMES_OUT_AT);
    expect((status as ExecutionStatus).failureDetails?.message).toContain(want);
  });

  test('an execution that is refused does not advise to check permissions', () => {
    const seen = { run: found(aJob({ held: true })), request: found(withTarget()), target: found(aTarget(3)) };
    expect((decide(seenWith(seen), NOW).status as ExecutionStatus).failureDetails?.naturalLanguageSummary).toBe(
      'rollback-deployment did not run on shop/Deployment/checkout: the target was changed since it was analysed. ' +
        'Nothing was changed. Check whether the target still needs remediation. ' +
        'Next: kubectl -n sickbay-system describe workflowexecution we-rr-1',
    );
  });

  test('a new execution shows what it is about', () =>
    expect(decide(seenWith({ object: anExecution() }), NOW).status).toMatchObject({
      workflowName: 'rollback-deployment',
      executionEngine: 'job',
      serviceAccountName: 'workflow-rollback-deployment',
    }));

  test('an id that is too long to be shown is cut: the server would refuse the status for ever', () => {
    const object = anExecution({ spec: { workflowRef: { workflowId: 'w'.repeat(300), version: '1', executionBundle: 'b' } } });
    expect((decide(seenWith({ object }), NOW).status as ExecutionStatus).workflowName).toHaveLength(253);
  });

  test('a foreign Lease is named as the lock that it is not', () => {
    const { status } = decide(seenWith({ lock: found(aLock('', { labels: {} })) }), NOW);
    expect((status as ExecutionStatus).failureDetails?.message).toMatch(
      /^Lease kubernaut-workflows\/wfe-\w{16} has the name of this target's lock/,
    );
  });

  test('a foreign object is named, with what to do about it', () => {
    const { status } = decide(seenWith({ lock: ABSENT, run: found(aJob({ of: '' })) }), NOW);
    expect((status as ExecutionStatus).failureDetails?.naturalLanguageSummary).toMatch(
      /Job kubernaut-workflows\/wfe-\w{16} .* delete it if nothing else uses it/,
    );
  });

  test('an unchanged wait writes nothing new', () => {
    const seen = seenWith({ ...otherHas, holder: other(endedAgo(20 * SECOND)) });
    const first = decide(seen, NOW).status as ExecutionStatus;
    const again = decide({ ...seen, object: anExecution({ status: first }) }, after(NOW, 10 * SECOND)).status;
    expect(again).toEqual(first);
  });

  test('two rivals create one lock: both ask for the same name', () => {
    const drafts = ['wfe-1', 'wfe-2'].map(
      (uid) =>
        decide(
          seenWith({
            object: anExecution({ uid, status: { phase: 'Pending' } }),
            lock: ABSENT,
            request: found(aRequest({ workflowExecutionRef: { uid } })),
          }),
          NOW,
        ).effects[0],
    );
    expect(drafts[0]).toMatchObject({
      object: { spec: { holderIdentity: 'wfe-1' }, metadata: { labels: { 'kubernaut.ai/workflow-execution-uid': 'wfe-1' } } },
    });
    expect(drafts[1]).toMatchObject({ object: { spec: { holderIdentity: 'wfe-2' } } });
    expect(nameOf(drafts[0])).toBe(nameOf(drafts[1]));
  });
});

const nameOf = (effect: unknown): string => (effect as { readonly object: Job }).object.metadata.name;
