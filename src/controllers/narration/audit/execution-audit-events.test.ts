import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../api/meta.ts';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import { AUDIT_TYPES } from '../../../store/audit-log.ts';
import { decide } from '../../execution/decide.ts';
import type { SeenDependency } from '../../execution/catalogue/index.ts';
import type { ExecutionStatus } from '../../execution/status/execution-status.ts';
import {
  ABSENT,
  aJob,
  aLock,
  anExecution,
  found,
  inState,
  listed,
  NOW,
  running,
  seenWith,
  UNREADABLE,
  type Everything,
} from '../../execution/testing/builders.ts';
import { aFailedRun, CLEARED } from '../../execution/testing/finished-executions.ts';
import { executionEventsOf } from './execution-audit-events.ts';

type Status = NonNullable<WorkflowExecution['status']>;

const told = (status: Status): readonly string[] =>
  executionEventsOf(anExecution({ status })).map(({ type }) => type.replace('workflowexecution.', ''));

/** The audit events that exist once the decision on this observation has been written. */
function recorded(seen: Partial<Everything>, at: Instant = NOW): readonly string[] {
  return told(decide(seenWith(seen), at).status as ExecutionStatus);
}

const condition = (type: string): Condition => ({ type, status: 'True', reason: 'R', message: '', lastTransitionTime: toTime(NOW) });
const pending = (spec: Partial<WorkflowExecution['spec']> = {}): WorkflowExecution => anExecution({ spec, status: { phase: 'Pending' } });

describe('selection.completed', () => {
  test.each([
    { reason: 'the lock is to be taken', seen: { lock: ABSENT } },
    { reason: 'the lock is ours and the run is created', seen: {} },
  ])('[WE-062] is recorded after validation, engine and cooldown: $reason', ({ seen }) => {
    expect(recorded(seen)).toEqual(['selection.completed']);
  });

  test('[WE-063] is recorded for an execution that fails on a dependency, and before anything is created', () => {
    const missing = { kind: 'Secret', name: 'token', read: ABSENT } as const;
    const decision = decide(seenWith({ dependencies: listed<SeenDependency>(missing) }), NOW);
    const status = decision.status as ExecutionStatus;
    expect(decision.effects.filter(({ kind }) => kind === 'Create')).toEqual([]);
    expect(told(status)).toContain('selection.completed');
  });

  test.each<{ reason: string; seen: Partial<Everything> }>([
    { reason: 'its spec is not valid', seen: { object: pending({ targetResource: 'nonsense' }) } },
    { reason: 'its workflow is not in the catalogue', seen: { catalogue: listed() } },
    { reason: 'the catalogue cannot be read', seen: { catalogue: UNREADABLE } },
    { reason: 'it is not known whether the target rests', seen: { lock: UNREADABLE } },
    { reason: 'what ran before cannot be read', seen: { history: UNREADABLE } },
    { reason: 'a run before it blocks the target', seen: { history: listed(aFailedRun()) } },
  ])('[WE-064] is not recorded where $reason', ({ seen }) => {
    expect(recorded(seen)).not.toContain('selection.completed');
  });

  test('[WE-064] is not recorded during the cooldown of the target', () => {
    const other = anExecution({ uid: 'wfe-2', name: 'we-other', status: { phase: 'Completed', completionTime: toTime(NOW) } });
    const ended = aJob({ of: 'wfe-2', ended: { type: 'Complete' } });
    const seen = { lock: found(aLock('wfe-2')), run: found(ended), holder: found(other) };
    const decision = decide(seenWith(seen), after(NOW, SECOND));
    const status = decision.status as ExecutionStatus;
    expect(status.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe('CooldownActive');
    expect(told(status)).toEqual([]);
  });

  test('[WE-065] is the same event in every pass', () => {
    const first = decide(seenWith({ lock: ABSENT }), NOW).status as ExecutionStatus;
    const second = decide(seenWith({ object: anExecution({ status: first }) }), after(NOW, MINUTE)).status as ExecutionStatus;
    const [one, two] = [first, second].map((status) => executionEventsOf(anExecution({ status })));
    expect(two).toEqual(one);
    expect(one?.[0]).toMatchObject({ id: 'wfe-1/workflowexecution.selection.completed', correlationId: 'rr-1', at: toTime(NOW) });
  });

  test('names what is run on what, and of parameters only the names', () => {
    const [event] = executionEventsOf(anExecution({ status: { phase: 'Pending', conditions: [condition('Selected')] } }));
    expect(event?.data).toMatchObject({
      workflow: 'rollback-deployment',
      engine: 'job',
      target: 'shop/Deployment/checkout',
      parameters: ['REVISION'],
    });
  });
});

describe('execution.started', () => {
  test('[WE-079] is recorded when the run is recorded, which is after it was created', () => {
    expect(recorded({ run: ABSENT })).not.toContain('execution.started');
    expect(recorded({ run: found(aJob({ held: true })) })).toEqual(['selection.completed', 'execution.started', 'workflow.started']);
  });

  test.each<{ reason: string; seen: Partial<Everything>; at?: Instant }>([
    { reason: 'the server refused the run to the end', seen: {}, at: after(NOW, 60 * MINUTE) },
    {
      reason: 'it was skipped, because another has the target',
      seen: { lock: found(aLock('wfe-2')), holder: found(anExecution({ uid: 'wfe-2', name: 'we-other', status: running })) },
    },
  ])('[WE-080] is not recorded where $reason', ({ seen, at }) => {
    expect(recorded(seen, at)).not.toContain('execution.started');
  });

  test('[WE-081] is the same event when a run that was released before a crash is adopted', () => {
    const adopted = decide(seenWith({ run: found(aJob()) }), NOW).status as ExecutionStatus;
    const ids = executionEventsOf(anExecution({ status: adopted })).map(({ id }) => id);
    expect(ids.filter((id) => id.endsWith('execution.started'))).toEqual(['wfe-1/workflowexecution.execution.started']);
    const again = decide(seenWith({ object: anExecution({ status: adopted }), run: found(aJob()) }), after(NOW, MINUTE))
      .status as ExecutionStatus;
    const of = (status: Status) => executionEventsOf(anExecution({ status })).find(({ type }) => type.endsWith('execution.started'));
    expect(of(again)).toEqual(of(adopted));
  });
});

describe('the end', () => {
  const isRunning = { object: anExecution({ status: running }) };

  test('of a run that went through', () => {
    expect(recorded({ ...isRunning, run: found(aJob({ ended: { type: 'Complete' } })) })).toContain('workflow.completed');
  });

  test('of a run that failed tells why, and whether it may have acted', () => {
    const pods = listed(inState({ terminated: { exitCode: 1, reason: 'Error', message: 'no' } }, 'Failed'));
    const { status } = decide(seenWith({ ...isRunning, run: found(aJob({ ended: { type: 'Failed' } })), pods }), NOW);
    const event = executionEventsOf(anExecution({ status: status as ExecutionStatus })).at(-1);
    expect(event).toMatchObject({ type: 'workflowexecution.workflow.failed', at: toTime(NOW) });
    expect(event?.data).toMatchObject({
      reason: 'TaskFailed',
      exitCode: 1,
      wasExecutionFailure: true,
      message: 'container workflow exited with 1: no',
    });
  });

  test('of one that never began is a failure as well', () => {
    expect(recorded({ object: pending({ targetResource: 'nonsense' }) })).toEqual(['workflow.failed']);
  });

  test('of one that was skipped is told by its request', () => {
    const skipDetails = { reason: 'ResourceBusy' as const, message: 'm', skippedAt: toTime(NOW) };
    expect(told({ phase: 'Skipped', skipDetails })).toEqual([]);
  });
});

describe('block.cleared', () => {
  test('tells who let workflows run again, and why', () => {
    const events = executionEventsOf(aFailedRun({ blockClearance: CLEARED }));
    expect(events.at(-1)).toMatchObject({
      type: 'workflowexecution.block.cleared',
      at: CLEARED.clearedAt,
      data: { by: 'anna', because: 'looked at it', method: 'StatusField', target: 'shop/Deployment/checkout' },
    });
  });

  test('waits for its time', () => {
    const { clearedAt: _, ...untimed } = CLEARED;
    expect(executionEventsOf(aFailedRun({ blockClearance: untimed })).map(({ type }) => type)).toEqual([
      'workflowexecution.workflow.failed',
    ]);
  });
});

test('every type has its case here', () => {
  const all: Status = {
    phase: 'Completed',
    completionTime: toTime(NOW),
    blockClearance: CLEARED,
    conditions: [condition('Selected'), condition('ExecutionCreated'), condition('ExecutionRunning')],
  };
  const types = new Set(
    [all, { ...all, phase: 'Failed' as const }].flatMap((status) => executionEventsOf(anExecution({ status }))).map(({ type }) => type),
  );
  expect([...types].toSorted()).toEqual(AUDIT_TYPES.filter((type) => type.startsWith('workflowexecution.')).toSorted());
});

test('a condition that does not hold is no event', () => {
  const conditions = [{ ...condition('Selected'), status: 'False' as const }];
  expect(told({ phase: 'Pending', conditions })).toEqual([]);
  expect(executionEventsOf({ ...anExecution(), status: undefined } as never)).toEqual([]);
});
