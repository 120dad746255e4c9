import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { after, HOUR, instant, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSettings, Settings } from '../../settings.ts';
import { askBudget, type SeenBudget } from '../../budget/index.ts';
import { executionBudgetRole, isQueued, missingClaimOf, executionWaiter } from './budget-waiter.ts';
import { decide } from '../decide.ts';
import { aBudget, aClaim, aJob, aLedger, anExecution, aRequest, found, NOW, running, seenWith, UNREADABLE } from '../testing/builders.ts';
import { judged, wanted, type Case } from '../testing/decision-case.ts';

const object = anExecution({ status: { phase: 'Pending' } });
const other = (n: number) => anExecution({ uid: `wfe-${n}`, name: `we-${n}`, spec: { targetResource: `shop/Deployment/d${n}` } });
const room = aBudget(object);
const full = aBudget(object, { claimed: [other(2), other(3)] });
const paused: Settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'incident 7' } };
const held = found(aJob({ held: true }));
const recorded = { object: anExecution({ status: running }), run: held };
const absent: SeenBudget = { kind: 'absent' };

const pending: readonly Case[] = [
  {
    name: 'room',
    reason: 'the claim comes before the run',
    seen: { budget: room },
    phase: 'Pending',
    because: 'Pending',
    effects: ['Patch ConfigMap', 'Create Job'],
  },
  { name: 'claimed', reason: 'the claim was seen', phase: 'Pending', because: 'Pending', effects: ['Create Job'] },
  { name: 'full', reason: 'nothing is made', seen: { budget: full }, phase: 'Pending', because: 'WaitingForBudget' },
  {
    name: 'no ledger',
    reason: 'an empty one comes first',
    seen: { budget: absent },
    phase: 'Pending',
    because: 'WaitingForLedger',
    effects: ['Create ConfigMap'],
  },
  {
    name: 'ledger not readable',
    reason: 'not known is not empty',
    seen: { budget: UNREADABLE },
    phase: 'Pending',
    because: 'BudgetUnreadable',
  },
  { name: 'paused', reason: 'not even what has its claim', seen: { settings: paused }, phase: 'Pending', because: 'BudgetPaused' },
  {
    name: 'lock not readable',
    reason: 'nothing is claimed for what cannot start',
    seen: { budget: room, lock: UNREADABLE },
    phase: 'Pending',
    because: 'WaitingForLock',
  },
  {
    name: 'pods not readable',
    reason: 'nothing is claimed before it could start',
    seen: { budget: room, pods: UNREADABLE },
    phase: 'Pending',
    because: 'WaitingForPods',
  },
  {
    name: 'held, claimed',
    reason: 'all is there',
    seen: { run: held },
    phase: 'Running',
    because: 'Running',
    effects: ['Event ExecutionCreated', 'Patch Job'],
  },
  {
    name: 'held, claim gone',
    reason: 'the claim is made again, and the run is not released before that is seen',
    seen: { run: held, budget: room },
    phase: 'Pending',
    effects: ['Patch ConfigMap'],
  },
  { name: 'held, full', reason: 'it stays held', seen: { run: held, budget: full }, phase: 'Pending', because: 'WaitingForBudget' },
  {
    name: 'held, paused',
    reason: 'a pause stops it at the last moment',
    seen: { run: held, settings: paused },
    phase: 'Pending',
    because: 'BudgetPaused',
  },
  {
    name: 'held, ledger not readable',
    reason: 'its claim cannot be seen',
    seen: { run: held, budget: UNREADABLE },
    phase: 'Pending',
    because: 'BudgetUnreadable',
  },
  {
    name: 'cancelled while it waits',
    reason: 'its request no longer wants it',
    seen: { budget: full, request: found(aRequest({ overallPhase: 'Cancelled' })) },
    phase: 'Failed',
    because: 'Forbidden',
    effects: ['Event WorkflowFailed'],
    acted: false,
  },
];

const onRecord: readonly Case[] = [
  { name: 'claimed', reason: 'a crash came between record and release', seen: recorded, phase: 'Running', effects: ['Patch Job'] },
  {
    name: 'claim gone',
    reason: 'no run is released without its claim',
    seen: { ...recorded, budget: room },
    phase: 'Running',
    effects: ['Patch ConfigMap'],
  },
  { name: 'full', reason: 'it has to wait again', seen: { ...recorded, budget: full }, phase: 'Running' },
  { name: 'paused', reason: 'nothing starts', seen: { ...recorded, settings: paused }, phase: 'Running' },
  {
    name: 'no ledger',
    reason: 'an empty one comes first',
    seen: { ...recorded, budget: absent },
    phase: 'Running',
    effects: ['Create ConfigMap'],
  },
  {
    name: 'released',
    reason: 'what runs is not stopped',
    seen: { ...recorded, run: found(aJob()), settings: paused, budget: UNREADABLE },
    phase: 'Running',
  },
];

describe('in the budget', () => {
  test.each(pending)('pending, $name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));
  test.each(onRecord)('recorded in status, $name: $reason', (row) => expect(judged(row)).toEqual(wanted(row)));

  test('who was granted room keeps its place in the queue until the claim is seen', () => {
    const conditions = [
      { type: 'Ready', status: 'False', reason: 'WaitingForBudget', message: '1st', lastTransitionTime: toTime(NOW) },
    ] as const;
    const queued = anExecution({ status: { phase: 'Pending', conditions, observedGeneration: 1 } });
    const decision = decide(seenWith({ object: queued, budget: aBudget(queued) }), NOW);
    expect((decision.status as ExecutionStatus).conditions).toEqual(expect.arrayContaining([...conditions]));
  });

  test('the condition names what keeps a recorded run from starting', () => {
    const { executionStatus } = decide(seenWith({ ...recorded, settings: paused }), NOW).status as ExecutionStatus;
    expect(executionStatus).toMatchObject({
      status: 'Waiting',
      reason: 'BudgetPaused',
      message: 'starts are paused: incident 7; nothing is running',
    });
  });

  test('being too late says what it waited for', () => {
    const waits = decide(seenWith({ budget: full }), NOW).status as ExecutionStatus;
    const late = decide(seenWith({ object: anExecution({ status: waits }), budget: full }), after(NOW, 20 * MINUTE))
      .status as ExecutionStatus;
    expect(late.failureDetails?.message).toContain('2 of 2 running in namespace shop (we-2, we-3)');
  });
});

describe('asking', () => {
  const hour: BudgetSettings = { ...DEFAULT_SETTINGS.budget, perHour: { cluster: 2, namespace: 9 } };
  const ask = (budget: SeenBudget, at = NOW) => askBudget(budget, { ...DEFAULT_SETTINGS, budget: hour }, at);
  const started = (agoMs: number) => ({ ...aClaim(other(agoMs)), claimedAt: after(NOW, -agoMs), endedAt: NOW });
  const inHour = (...agoMs: readonly number[]): SeenBudget => {
    const claims = agoMs.map(started);
    return {
      kind: 'value',
      ledger: aLedger(...claims),
      question: { claims, over: new Set(), waiting: [], asking: executionWaiter(object) },
    };
  };

  test('tells when the hour’s first room comes', () =>
    expect(ask(inHour(HOUR - 5 * SECOND, MINUTE))).toMatchObject({ kind: 'Wait', wakeAt: after(NOW, 5 * SECOND) }));
  test('has no time to tell where an end is waited for', () => expect(askBudget(full, DEFAULT_SETTINGS, NOW)).not.toHaveProperty('wakeAt'));
  test('at the hour to the moment there is room', () => expect(ask(inHour(HOUR, MINUTE))).toMatchObject({ kind: 'Granted' }));
});

describe('an execution as it asks', () => {
  const asks = (targetResource: string, node?: string) => executionWaiter(anExecution({ spec: { targetResource } }), node);
  test.each([
    { target: 'shop/Deployment/checkout', want: { namespace: 'shop' } },
    { target: 'Node/worker-1', want: { node: 'worker-1' } },
    { target: 'Namespace/shop', want: {} },
    { target: 'nonsense', want: {} },
  ])('$target', ({ target, want }) => {
    const { namespace, node } = asks(target);
    expect({ namespace, node }).toEqual({ namespace: undefined, node: undefined, ...want });
  });

  test('a pod is on the node that was read', () =>
    expect(asks('shop/Pod/a', 'worker-1')).toMatchObject({ namespace: 'shop', node: 'worker-1' }));
  test('a node is itself', () => expect(asks('Node/worker-1', 'worker-2')).toMatchObject({ node: 'worker-1' }));
  test('names itself and when it came', () =>
    expect(asks('Node/worker-1')).toMatchObject({
      uid: 'wfe-1',
      kind: 'WorkflowExecution',
      key: 'sickbay-system/we-rr-1',
      createdAt: NOW,
    }));

  test('what runs without a claim is counted from its start', () => {
    expect(missingClaimOf(anExecution({ status: running }), after(NOW, MINUTE)).claimedAt).toBe(NOW);
    expect(missingClaimOf(anExecution({ status: { phase: 'Running' } }), instant(7)).claimedAt).toBe(7);
  });
});

describe('its role', () => {
  const ready = (phase: 'Pending' | 'Running' | 'Failed', reason: string): WorkflowExecution =>
    anExecution({
      status: { phase, conditions: [{ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: toTime(NOW) }] },
    });
  test.each([
    { execution: ready('Pending', 'WaitingForBudget'), want: ['waiting'] },
    { execution: ready('Pending', 'BudgetPaused'), want: ['waiting'] },
    { execution: ready('Pending', 'WaitingForLock'), want: [] },
    { execution: ready('Pending', 'BudgetUnreadable'), want: [] },
    { execution: ready('Running', 'Running'), want: ['running'] },
    { execution: ready('Running', 'WaitingForBudget'), want: ['running'] },
    { execution: ready('Failed', 'WaitingForBudget'), want: [] },
    { execution: anExecution(), want: [] },
  ])('$execution.status.phase: $want', ({ execution, want }) => {
    expect(executionBudgetRole(execution)).toEqual(want);
    expect(isQueued(execution)).toBe(want[0] === 'waiting');
  });
});
