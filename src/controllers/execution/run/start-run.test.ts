import { describe, expect, test } from 'vitest';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { Start } from '../../../runtime/reconcile/two-step-start.ts';
import { planDigest } from '../../target/index.ts';
import { begin } from './start-run.ts';
import { decide } from '../decide.ts';
import { blockFrom } from '../history/index.ts';
import type { PendingExecution } from '../observed-execution.ts';
import type { Everything } from '../testing/builders.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import {
  ABSENT,
  aBudget,
  aJob,
  aLock,
  anExecution,
  aRequest,
  effectText,
  found,
  listed,
  NOW,
  seenWith,
  UNREADABLE,
} from '../testing/builders.ts';
import { aFailedRun, aFailedStart } from '../testing/finished-executions.ts';

const decided = (change: Partial<Everything> = {}, now = NOW) => {
  const { status, effects, wakeAt } = decide(seenWith(change), now);
  return { status: status as ExecutionStatus, effects, wakeAt };
};
const condition = ({ conditions = [] }: ExecutionStatus, type: string) => conditions.find((one) => one.type === type);
const pending = (status: Partial<ExecutionStatus> = {}, change: Partial<Parameters<typeof anExecution>[0]> = {}): WorkflowExecution =>
  anExecution({ ...change, status: { phase: 'Pending', ...status } });

/** What the start itself decides, whatever led to it. */
const begun = (change: Partial<Everything>, start: Start['kind'] = 'CreateHeld', ref: object = {}) => {
  const seen = seenWith(change);
  const spec = { ...seen.object.spec, workflowRef: { ...seen.object.spec.workflowRef, ...ref } };
  const decision = begin(seen as PendingExecution, NOW, { start: { kind: start } as Start, spec });
  return { status: decision.status as ExecutionStatus, effects: decision.effects, wakeAt: decision.wakeAt };
};
const why = ({ status }: { readonly status: ExecutionStatus }) => {
  const { reason, message } = condition(status, 'Ready') ?? {};
  return { reason, message };
};

describe('before the run is created', () => {
  const tekton = { executionEngine: 'tekton' as const };

  test.each<{ name: string; seen: Partial<Everything>; ref?: object; want: object }>([
    {
      name: 'an engine that was not checked',
      seen: {},
      ref: tekton,
      want: { reason: 'WaitingForEngine', message: 'whether engine tekton is installed cannot be read: it was not read in this pass' },
    },
    {
      name: 'an engine that cannot be checked',
      seen: { installed: UNREADABLE },
      ref: tekton,
      want: { reason: 'WaitingForEngine', message: 'whether engine tekton is installed cannot be read: forbidden' },
    },
    {
      name: 'dependencies that cannot be read',
      seen: { dependencies: UNREADABLE },
      want: { reason: 'WaitingForDependencies', message: 'forbidden' },
    },
    {
      name: 'one dependency that cannot be read',
      seen: { dependencies: { kind: 'value', value: [{ kind: 'Secret', name: 'db', read: UNREADABLE }] } },
      want: { reason: 'WaitingForDependencies', message: 'Secret kubernaut-workflows/db cannot be read: forbidden' },
    },
    {
      name: 'pods that cannot be read',
      seen: { pods: UNREADABLE },
      want: { reason: 'WaitingForPods', message: 'the pods of an earlier run cannot be read: forbidden' },
    },
    {
      name: 'pods that cannot be read, for AWX',
      seen: { pods: UNREADABLE },
      ref: { executionEngine: 'ansible' },
      want: { reason: 'WaitingForPods', message: 'the pods of an earlier run cannot be read: forbidden' },
    },
  ])('it waits for $name', ({ seen, ref, want }) => {
    const decision = begun(seen, 'CreateHeld', ref);
    expect(why(decision)).toEqual(want);
    expect(decision.effects).toEqual([]);
    expect(decision.status.phase).toBe('Pending');
  });

  test('a plan without an engine fails', () => {
    const { status, effects } = begun({}, 'CreateHeld', { executionEngine: undefined });
    expect(status).toMatchObject({
      phase: 'Failed',
      failureReason: 'ConfigurationError',
      failureDetails: { message: 'the workflow names no engine' },
    });
    expect(effects.map(effectText)).toEqual(['Event WorkflowFailed']);
  });

  test('the common account is created before the run where the workflow names none', () => {
    const dependencies = { kind: 'value', value: [{ kind: 'ServiceAccount', name: 'kubernaut-workflow-runner', read: ABSENT }] } as const;
    const { effects, status } = begun({ dependencies }, 'CreateHeld', { serviceAccountName: undefined });
    expect(effects.map(effectText)).toEqual(['Create ServiceAccount', 'Create Job']);
    expect(effects[0]).toMatchObject({ object: { metadata: { name: 'kubernaut-workflow-runner', namespace: 'kubernaut-workflows' } } });
    expect(status).not.toHaveProperty('serviceAccountName');
  });

  test('the engine and the account that are used are recorded in status', () => {
    const { status, effects } = begun({});
    expect(status).toMatchObject({ executionEngine: 'job', serviceAccountName: 'workflow-rollback-deployment' });
    expect(effects).toMatchObject([{ kind: 'Create', object: { metadata: { namespace: 'kubernaut-workflows' } } }]);
  });

  test('for AWX the claim is written alone, and is checked soon', () => {
    const object = pending();
    const dependencies = { kind: 'value', value: [{ kind: 'ServiceAccount', name: 'kubernaut-workflow-runner', read: ABSENT }] } as const;
    const { effects, wakeAt, status } = begun({ object, budget: aBudget(object), dependencies }, 'CreateHeld', {
      executionEngine: 'ansible',
    });
    expect(effects.map(effectText)).toEqual(['Patch ConfigMap', 'Create ServiceAccount']);
    expect(wakeAt).toBe(after(NOW, SECOND));
    expect(status.phase).toBe('Pending');
  });
});

describe('what is not clear yet is waited for', () => {
  test.each<{ start: Start['kind']; seen: Partial<Everything> }>([
    { start: 'Wait', seen: {} },
    { start: 'Taken', seen: { run: found(aJob({ held: true, of: 'wfe-2' })) } },
    { start: 'RecordThenRelease', seen: { run: ABSENT } },
  ])('$start', ({ start, seen }) => {
    const decision = begun(seen, start);
    expect(why(decision).reason).toBe('Pending');
    expect(decision.effects).toEqual([]);
  });
});

test('record, conditions and release are one decision', () => {
  const held = aJob({ held: true });
  const { status, effects } = decided({ run: found(held) });
  const message = `Job kubernaut-workflows/${held.metadata.name} was created`;
  expect(status).toMatchObject({
    phase: 'Running',
    startTime: toTime(NOW),
    executionRef: { name: held.metadata.name, namespace: 'kubernaut-workflows', kind: 'Job', uid: 'job-1', releasedAt: toTime(NOW) },
    executionStatus: { status: 'Running', completedTasks: 0, totalTasks: 1 },
  });
  expect(condition(status, 'ExecutionCreated')).toMatchObject({ status: 'True', reason: 'ExecutionCreated', message });
  expect(condition(status, 'ExecutionRunning')).toMatchObject({
    status: 'True',
    reason: 'ExecutionStarted',
    message: 'the run was released',
  });
  expect(condition(status, 'Ready')).toMatchObject({ status: 'False', reason: 'Running', message: 'the run is in progress' });
  expect(effects.map(effectText)).toEqual(['Event ExecutionCreated', 'Patch Job']);
  expect(effects[0]).toEqual({ kind: 'Event', type: 'Normal', reason: 'ExecutionCreated', message });
});

describe('that the plan can run on its target is recorded in status once nothing about the target blocks it', () => {
  const says = {
    status: 'True',
    reason: 'SelectionCompleted',
    message: 'rollback-deployment can be run on shop/Deployment/checkout',
    observedGeneration: 3,
  };
  const object = pending({}, { metadata: { generation: 3 } });
  const other = (status: ExecutionStatus) => found(anExecution({ uid: 'wfe-2', name: 'we-other', status }));
  const others = { object, lock: found(aLock('wfe-2')) };

  test.each<{ name: string; seen: Partial<Everything>; isSaid: boolean }>([
    { name: 'the target is free', seen: { object, lock: ABSENT }, isSaid: true },
    { name: 'the lock is ours', seen: { object }, isSaid: true },
    { name: 'another is at work on it', seen: { ...others, holder: other({ phase: 'Running' }) }, isSaid: true },
    {
      name: 'it rests after another',
      seen: { ...others, holder: other({ phase: 'Completed', completionTime: toTime(NOW) }) },
      isSaid: false,
    },
    { name: 'it is unknown which execution holds it', seen: { ...others, holder: UNREADABLE }, isSaid: false },
    { name: 'it is left alone after a failure', seen: { object, lock: ABSENT, history: listed(aFailedStart(1)) }, isSaid: false },
    {
      name: 'it is left alone after a failure, and another is at work on it',
      seen: { ...others, history: listed(aFailedStart(1)), holder: other({ phase: 'Running' }) },
      isSaid: false,
    },
  ])('$name: $isSaid', ({ seen, isSaid }) => {
    const said = condition(decided(seen).status, 'Selected');
    if (isSaid) expect(said).toMatchObject(says);
    else expect(said).toBeUndefined();
  });

  test('for the first generation where none is told', () => {
    const { generation: _, ...metadata } = object.metadata;
    expect(condition(decided({ object: { ...object, metadata } }).status, 'Selected')?.observedGeneration).toBe(1);
  });
});

describe('a back-off', () => {
  const history = listed(aFailedStart(1));
  const first = () => decided({ history, lock: ABSENT });

  test('is reported once: its message stays until its end changes', () => {
    const said = condition(first().status, 'Ready')?.message ?? '';
    expect(said).toMatch(new RegExp(`${toTime(after(NOW, MINUTE))}\\D*$`));
    const again = decided({ history, lock: ABSENT, object: anExecution({ status: first().status }) }, after(NOW, 5 * SECOND));
    expect(again.status).toEqual(first().status);
    const older = {
      ...first().status,
      conditions: [{ ...condition(first().status, 'Ready'), message: `first said so, ${said}` }],
    } as ExecutionStatus;
    const kept = decided({ history, lock: ABSENT, object: anExecution({ status: older }) }, after(NOW, 5 * SECOND));
    expect(condition(kept.status, 'Ready')?.message).toBe(`first said so, ${said}`);
  });

  test.each([
    { name: 'the message of another wait', change: { reason: 'WaitingForPods' } },
    { name: 'a message with another end', change: { message: 'until another time' } },
    { name: 'the message of another condition', change: { type: 'Selected' } },
  ])('is reported again instead of $name', ({ change }) => {
    const ready = condition(first().status, 'Ready');
    const said = { ...ready, message: `old: ${ready?.message ?? ''}`, ...change };
    const status = { ...first().status, conditions: [said] } as ExecutionStatus;
    expect(condition(decided({ history, lock: ABSENT, object: anExecution({ status }) }).status, 'Ready')?.message).toBe(ready?.message);
  });

  test('gives way to a cooldown that ends later, and to no other', () => {
    const resting = (ms: number) => ({
      history,
      lock: found(aLock('wfe-2')),
      holder: found(
        anExecution({ uid: 'wfe-2', name: 'we-other', status: { phase: 'Completed', completionTime: toTime(after(NOW, ms)) } }),
      ),
    });
    expect(why(decided(resting(SECOND))).reason).not.toBe('BackingOff');
    expect(why(decided(resting(0))).reason).toBe(condition(first().status, 'Ready')?.reason);
    expect(why(decided(resting(-30 * SECOND))).reason).toBe(condition(first().status, 'Ready')?.reason);
  });
});

describe('the target’s count', () => {
  test('goes on with the execution, and is not told where there is none', () => {
    expect(
      decided({ history: listed(aFailedStart(2, { nextAllowedExecution: toTime(after(NOW, -SECOND)) })) }).status.consecutiveFailures,
    ).toBe(2);
    expect(decided().status).not.toHaveProperty('consecutiveFailures');
    expect(decided({ object: pending({ consecutiveFailures: 3 }) }).status).not.toHaveProperty('consecutiveFailures');
  });

  test('keeps what it was where the past cannot be read, and that is told', () => {
    const decision = decided({ object: pending({ consecutiveFailures: 3 }), history: UNREADABLE });
    expect(decision.status.consecutiveFailures).toBe(3);
    expect(why(decision)).toEqual({ reason: 'WaitingForHistory', message: 'earlier executions on the target cannot be read: forbidden' });
  });
});

test('a block that the lock keeps is a block', () => {
  const block = blockFrom(aFailedRun({ name: 'we-bad' }), 'PreviousExecutionFailed');
  const lock = found(aLock('', { annotations: { [ANNOTATIONS.block]: JSON.stringify(block) } }));
  expect(decided({ lock }).status).toMatchObject({ phase: 'Skipped', skipDetails: { reason: 'PreviousExecutionFailed' } });
});

describe('too late to start', () => {
  const late = after(NOW, 21 * MINUTE);
  const message = (seen: Partial<Everything>) => decided(seen, late).status.failureDetails?.message;

  test.each<{ name: string; seen: Partial<Everything>; says: string; counts: boolean }>([
    {
      name: 'the lock could not be made',
      seen: { lock: ABSENT },
      says: 'its lock (a Lease) could not be created; the log of Sickbay has the answer of the API server',
      counts: true,
    },
    {
      name: 'the run could not be made',
      seen: { object: pending({ executionEngine: 'tekton' }) },
      says: 'its PipelineRun could not be created',
      counts: true,
    },
    { name: 'no engine is recorded', seen: { object: pending() }, says: 'its run could not be created', counts: true },
    {
      name: 'it waited for others',
      seen: {
        object: pending({
          conditions: [
            { type: 'Selected', status: 'True', reason: 'x', message: 'not this', lastTransitionTime: toTime(NOW) },
            { type: 'Ready', status: 'False', reason: 'WaitingForPods', message: 'a pod is left', lastTransitionTime: toTime(NOW) },
          ],
        }),
      },
      says: 'a pod is left',
      counts: false,
    },
  ])('$name', ({ seen, says, counts }) => {
    expect(message(seen)).toContain(`it could not start before ${anExecution().spec.timesOutAt ?? ''}: ${says}`);
    expect(decided(seen, late).status.consecutiveFailures).toBe(counts ? 1 : undefined);
  });

  test('never, where the plan has no end', () => {
    const { timesOutAt: _, ...spec } = anExecution().spec;
    const object = anExecution({ status: { phase: 'Pending' } });
    const request = found(aRequest({ planDigest: planDigest(spec) }));
    const endless = { ...object, spec: { ...spec, planDigest: planDigest(spec) } };
    expect(decided({ object: endless, request }, after(NOW, 300 * MINUTE)).effects.map(effectText)).toEqual(['Create Job']);
  });
});
