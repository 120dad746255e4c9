import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import { remediationApprovalRequestSample } from '../../../api/remediation-approval-request/sample.ts';
import { phaseNames } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { BLOCK_REASONS } from '../../../api/remediation-request/status.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { TargetBlockRead } from '../suppression/read-target-block.ts';
import { CHECK_ORDER, judgeAll, reevaluateBlock } from '../routing/index.ts';
import {
  ago,
  all,
  anEarlyEvidence,
  anEvidence,
  anExecution,
  aRequest,
  at,
  failed,
  NOW,
  TARGET,
  UNREADABLE,
} from '../routing/testing/builders.ts';
import { explainText } from './explain-text.ts';
import { explain } from './explain.ts';
import type { Explanation, ExplainSeen, GateName } from './explanation.ts';

type Status = NonNullable<RemediationRequest['status']>;
const containing = (text: string): unknown => expect.stringContaining(text);
const gateIn = ({ gates }: Explanation, name: GateName) => gates.find((gate) => gate.name === name);
const of = (status: Status | undefined, more: Omit<ExplainSeen, 'request'> = {}) => explain({ request: aRequest('rr', status), ...more });

const anApproval = (status?: RemediationApprovalRequest['status']): RemediationApprovalRequest => ({
  apiVersion: 'kubernaut.ai/v1alpha1',
  kind: 'RemediationApprovalRequest',
  metadata: { name: 'rar-rr', namespace: 'sickbay-system', uid: 'rar', resourceVersion: '1', creationTimestamp: ago(0) },
  spec: { ...remediationApprovalRequestSample.spec, requiredBy: toTime(at(15 * MINUTE)), whyApprovalRequired: 'production' },
  ...(status && { status }),
});

describe('the gates', () => {
  test('are all there in whatever phase, in the order in which they are met', () => {
    for (const overallPhase of [...phaseNames(remediationPhases), undefined]) {
      const { gates } = of(overallPhase && { overallPhase });
      expect(gates.map(({ name }) => name)).toEqual(['Healed', 'DryRun', ...CHECK_ORDER, 'Approval', 'Staleness', 'TargetBlock', 'Budget']);
    }
  });

  test('of the checks say what they judged', () => {
    const others = all(failed('a', 3 * MINUTE), failed('b', 2 * MINUTE), failed('c', MINUTE));
    const explanation = of(
      { overallPhase: 'Pending' },
      { verdicts: judgeAll('pre-analysis', anEarlyEvidence({ others, scope: UNREADABLE }), NOW) },
    );
    expect(gateIn(explanation, 'UnmanagedResource')).toMatchObject({ state: 'unknown', message: 'forbidden' });
    expect(gateIn(explanation, 'ConsecutiveFailures')).toEqual({
      name: 'ConsecutiveFailures',
      state: 'closed',
      inputs: { failures: 3, threshold: 3 },
      message: containing('failed in a row'),
      until: at(HOUR),
    });
    expect(gateIn(explanation, 'ExponentialBackoff')).toEqual({ name: 'ExponentialBackoff', state: 'open', inputs: {} });
    expect(gateIn(explanation, 'ResourceBusy')).toEqual({ name: 'ResourceBusy', state: 'ahead', inputs: {} });
  });

  test.each([
    { name: 'no alert is recorded', alerts: [], state: 'open', firing: 0 },
    { name: 'one still fires', alerts: [{ resolvedAt: ago(0) }, {}], state: 'open', firing: 1 },
  ])('Healed where $name', ({ alerts, state, firing }) => {
    const known = alerts.map((alert, i) => ({ name: `A${i}`, instance: 'i', lastSeenAt: ago(0), ...alert }));
    const gate = gateIn(of({ deduplication: { alerts: known } }), 'Healed');
    expect(gate).toEqual({ name: 'Healed', state, inputs: { alerts: alerts.length, firing } });
  });

  test.each([
    { name: 'resolved a moment ago', health: undefined, state: 'open', says: 'it ends if none fires until then' },
    { name: 'resolved, and healthy', health: { kind: 'healthy', message: 'X is healthy' }, state: 'closed', says: 'X is healthy: nothing' },
    { name: 'resolved, and gone', health: { kind: 'gone', message: 'X no longer exists' }, state: 'closed', says: 'X no longer exists' },
    {
      name: 'resolved, not healthy',
      health: { kind: 'unhealthy', message: 'X crashes' },
      state: 'open',
      says: 'but X crashes: it continues',
    },
  ] as const)('ruling 126: Healed where all alerts are $name', ({ health, state, says }) => {
    const alerts = [{ name: 'A', instance: 'i', lastSeenAt: ago(0), resolvedAt: ago(0) }];
    const resolved = { grace: { since: at(0), endsAt: at(5 * MINUTE) }, ...(health && { health }) };
    const gate = gateIn(of({ deduplication: { alerts } }, { resolved }), 'Healed');
    expect(gate).toMatchObject({ state, inputs: { alerts: 1, firing: 0 }, message: containing(says) });
    expect(gate?.message).toContain(`no alert has fired since ${ago(0)}`);
  });

  test.each([
    { name: 'no approval was requested', approval: undefined, want: { state: 'ahead' } },
    {
      name: 'there is no decision',
      approval: anApproval(),
      want: { state: 'closed', until: at(15 * MINUTE), message: 'production' },
    },
    {
      name: 'it was approved',
      approval: anApproval({ decision: 'Approved', decidedBy: 'ann' }),
      want: { state: 'open', inputs: { decidedBy: 'ann' } },
    },
    {
      name: 'it was rejected',
      approval: anApproval({ decision: 'Rejected', decisionMessage: 'not today' }),
      want: { state: 'closed', message: 'not today', inputs: { decision: 'Rejected', decidedBy: 'an unknown user' } },
    },
    { name: 'it expired', approval: anApproval({ decision: 'Expired' }), want: { state: 'closed', message: 'it was expired' } },
  ])('Approval where $name', ({ approval, want }) =>
    expect(gateIn(of({ overallPhase: 'AwaitingApproval' }, { ...(approval && { approval }) }), 'Approval')).toMatchObject(want),
  );

  test.each([
    {
      answer: { kind: 'void', because: 'NotTrusted', why: 'does not name the approver' },
      want: { state: 'closed', message: 'does not name the approver' },
    },
    { answer: { kind: 'expired', why: 'too late' }, want: { state: 'closed', message: 'too late' } },
    { answer: { kind: 'unknown', reason: 'forbidden' }, want: { state: 'unknown', message: 'forbidden' } },
  ] as const)('Approval where a yes does not count: $answer.kind', ({ answer, want }) => {
    const approval = anApproval({ decision: 'Approved', decidedBy: 'ann' });
    const explanation = of({ overallPhase: 'AwaitingApproval' }, { approval, answer });
    expect(gateIn(explanation, 'Approval')).toMatchObject(want);
    expect(explanation).toMatchObject({
      blocker: { gate: 'Approval' },
      next: { what: 'it becomes Failed at the next check: nothing is run' },
    });
    expect(explanation.next).not.toHaveProperty('commands');
  });

  test.each([
    [{ kind: 'no' }, { state: 'open' }, undefined],
    [{ kind: 'yes', by: 'the request' }, { state: 'closed', message: 'nothing is run: dry run, set by the request' }, 'as a dry run'],
    [
      { kind: 'unreadable' },
      { state: 'unknown', message: 'the namespace of the target or the workflow cannot be read' },
      'it continues when DryRun lets it pass',
    ],
  ] as const)('DryRun where the answer is %j', (dryRun, want, next) => {
    const explanation = of({ overallPhase: 'Analyzing' }, { dryRun });
    expect(gateIn(explanation, 'DryRun')).toMatchObject(want);
    if (next !== undefined) expect(explanation).toMatchObject({ blocker: { gate: 'DryRun' }, next: { what: containing(next) } });
    expect(of({ overallPhase: 'AwaitingApproval' }, { dryRun, approval: anApproval() }).blocker?.gate, 'a person is asked first').toBe(
      'Approval',
    );
  });

  test('that an execution came past stay open, whatever they would say now', () => {
    const alerts = [{ name: 'A', instance: 'i', lastSeenAt: ago(0), resolvedAt: ago(0) }];
    const status: Status = { overallPhase: 'Executing', deduplication: { alerts }, workflowExecutionRef: { name: 'we-rr' } };
    const verdicts = judgeAll('pre-analysis', anEarlyEvidence({ scope: UNREADABLE }), NOW);
    const explanation = of(status, { verdicts });
    for (const { name, state } of explanation.gates)
      expect([name, state]).toEqual([name, ['TargetBlock', 'Budget'].includes(name) ? 'ahead' : 'open']);
    expect(gateIn(explanation, 'Approval')?.message).toBe('not required');
    expect(gateIn(explanation, 'Staleness')?.message).toBe('passed');
    expect(gateIn(of({ ...status, executingStartTime: ago(0) }), 'Staleness')?.message).toBe(`passed at ${ago(0)}`);
    const rejected = anApproval({ decision: 'Rejected' });
    expect(gateIn(of(status, { approval: rejected }), 'Approval')?.state, 'an answer is what it is').toBe('closed');
  });

  test('that cannot be judged say why, and nothing else', () => {
    const explanation = of({ overallPhase: 'Analyzing' }, { unreadable: { Staleness: 'forbidden' }, freshness: { kind: 'same' } });
    expect(gateIn(explanation, 'Staleness')).toEqual({ name: 'Staleness', state: 'unknown', inputs: {}, message: 'forbidden' });
    expect(explainText(explanation, NOW)).toContain('\n  Staleness           ?       not known: forbidden\n');
    expect(explainText(explanation, NOW)).toContain('\nBecause:            not known: forbidden\n');
  });

  test.each([
    [{ kind: 'same' }, { state: 'open', inputs: { target: 'as it was analysed' } }],
    [
      { kind: 'unknown', reason: 'forbidden' },
      { state: 'unknown', message: 'forbidden' },
    ],
    [
      { kind: 'stale', why: 'was changed' },
      { state: 'closed', message: containing('was changed') },
    ],
  ] as const)('Staleness where the target is %j', (freshness, want) =>
    expect(gateIn(of({ overallPhase: 'Analyzing' }, { freshness }), 'Staleness')).toMatchObject(want),
  );

  const BLOCK = {
    reason: 'PreviousExecutionFailed',
    name: 'we-bad',
    workflowId: 'w',
    completedAt: ago(HOUR),
    failures: 0,
    why: 'it failed',
  } as const;
  const blockedBy = (keptOn?: string): TargetBlockRead => ({
    kind: 'value',
    value: { block: { ...BLOCK, ...(keptOn !== undefined && { keptOn }) }, isOwnCleared: false },
  });

  test.each([
    { name: 'was not looked at', block: undefined, want: { state: 'ahead' } },
    { name: 'is free', block: { kind: 'value', value: { isOwnCleared: false } } as const, want: { state: 'open', inputs: {} } },
    { name: 'cannot be read', block: UNREADABLE, want: { state: 'unknown', message: 'forbidden' } },
    {
      name: 'is blocked',
      block: blockedBy(),
      want: {
        state: 'closed',
        inputs: { execution: 'we-bad', reason: 'PreviousExecutionFailed', since: ago(HOUR) },
        message: containing('we-bad failed while it ran on shop/Deployment/checkout'),
      },
    },
    {
      name: 'is blocked by what the lock keeps',
      block: blockedBy('Lease kubernaut-workflows/wfe-1'),
      want: { state: 'closed', inputs: { keptOn: 'Lease kubernaut-workflows/wfe-1' }, message: containing('sickbay clear-block we-bad') },
    },
  ])('TargetBlock where the target $name', ({ block, want }) => {
    for (const overallPhase of ['Pending', 'Analyzing', 'Executing', 'Skipped'] as const)
      expect(gateIn(of({ overallPhase, remediationTarget: TARGET }, { ...(block && { block }) }), 'TargetBlock')).toMatchObject(want);
  });

  test('TargetBlock holds nothing up before the run, and then the signal of one that is over', () => {
    const held = { completedAt: ago(HOUR), nextAllowedExecution: toTime(at(HOUR)), remediationTarget: TARGET };
    for (const overallPhase of ['Pending', 'Analyzing', 'AwaitingApproval', 'Executing'] as const)
      expect(of({ overallPhase }, { block: blockedBy() }).blocker?.gate).not.toBe('TargetBlock');
    for (const overallPhase of ['Skipped', 'Failed', 'TimedOut'] as const) {
      const explanation = of({ overallPhase, ...held }, { block: blockedBy('Lease kubernaut-workflows/wfe-1') });
      expect(explanation).toMatchObject({
        blocker: { gate: 'TargetBlock', state: 'closed', object: { kind: 'WorkflowExecution', name: 'we-bad' } },
        next: {
          what: 'it has ended; its signal opens a new request when an operator clears the block on its target, or when the wait ends',
          at: at(HOUR),
          commands: ['sickbay clear-block shop/Deployment/checkout -n sickbay-system --reason "..."'],
        },
      });
      expect(explainText(explanation, NOW)).toContain('keptOn=Lease kubernaut-workflows/wfe-1');
      const unknown = of({ overallPhase, ...held }, { block: UNREADABLE });
      expect(unknown).toMatchObject({
        blocker: { gate: 'TargetBlock', state: 'unknown' },
        next: { what: containing('when the wait ends') },
      });
      expect(unknown.next).not.toHaveProperty('commands');
    }
  });

  const ready = (status: 'True' | 'False' | 'Unknown') =>
    [{ type: 'Ready', status, reason: 'WaitingForBudget', message: '5 of 5 are running', lastTransitionTime: ago(0) }] as const;
  test.each([
    { name: 'waits', status: { phase: 'Pending', queuePosition: 2, conditions: ready('False') }, state: 'closed' },
    { name: 'is on its way', status: { phase: 'Pending', conditions: ready('Unknown') }, state: 'open' },
    { name: 'lacks something else', status: { phase: 'Pending', conditions: [{ ...ready('False')[0], type: 'Other' }] }, state: 'open' },
    { name: 'is new', status: undefined, state: 'open' },
    { name: 'waits, and does not say in which phase', status: { conditions: ready('False') }, state: 'closed' },
    { name: 'runs', status: { phase: 'Running', conditions: ready('False') }, state: 'open' },
  ] as const)('Budget where the execution $name', ({ status, state }) =>
    expect(gateIn(of({ overallPhase: 'Executing' }, { execution: anExecution('rr', status) }), 'Budget')).toMatchObject({ state }),
  );

  test('Budget says why and which place in the queue', () => {
    const execution = anExecution('rr', { phase: 'Pending', queuePosition: 2, conditions: ready('False') });
    expect(of({ overallPhase: 'Executing' }, { execution })).toMatchObject({
      blocker: { gate: 'Budget', message: '5 of 5 are running', object: { kind: 'WorkflowExecution', name: 'we-rr' } },
      next: { what: containing('Budget lets it pass') },
    });
    expect(gateIn(of({ overallPhase: 'Executing' }, { execution }), 'Budget')?.inputs).toMatchObject({
      queuePosition: 2,
      reason: 'WaitingForBudget',
    });
  });
});

describe('what holds it up', () => {
  const out = { kind: 'out', message: 'namespace shop is not managed' } as const;

  test('before the analysis, and after it, is the first gate that is not open', () => {
    const early = judgeAll('pre-analysis', anEarlyEvidence({ scope: out, others: UNREADABLE }), NOW);
    expect(of({ overallPhase: 'Pending' }, { verdicts: early }).blocker).toEqual({
      gate: 'UnmanagedResource',
      state: 'closed',
      message: out.message,
    });
    const late = judgeAll('post-analysis', anEvidence({ others: UNREADABLE }), NOW);
    expect(of({ overallPhase: 'Analyzing' }, { verdicts: late })).toMatchObject({
      blocker: { gate: 'ConsecutiveFailures', message: 'not known: forbidden' },
      next: { what: 'it continues when ConsecutiveFailures lets it pass' },
    });
  });

  test('names the request that is at work', () => {
    const others = all(aRequest('older', {}, { metadata: { creationTimestamp: ago(2 * HOUR) } }));
    const verdicts = judgeAll('pre-analysis', anEarlyEvidence({ others }), NOW);
    expect(of({ overallPhase: 'Pending' }, { verdicts }).blocker).toMatchObject({ object: { kind: 'RemediationRequest', name: 'older' } });
  });

  test('is nothing where every gate is open', () => {
    const verdicts = judgeAll('post-analysis', anEvidence(), NOW);
    expect(of({ overallPhase: 'Analyzing' }, { verdicts, freshness: { kind: 'same' } })).not.toHaveProperty('blocker');
  });

  test('is nothing that is asked after it', () => {
    const waiting = anExecution('rr', {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', reason: 'WaitingForBudget', message: 'full', lastTransitionTime: ago(0) }],
    });
    for (const overallPhase of ['Pending', 'Analyzing'] as const)
      expect(of({ overallPhase }, { approval: anApproval(), execution: waiting })).not.toHaveProperty('blocker');
    const approval = anApproval({ decision: 'Approved', decidedBy: 'ann' });
    expect(of({ overallPhase: 'AwaitingApproval' }, { approval, execution: waiting })).not.toHaveProperty('blocker');
  });

  test('after a yes is whatever does not let it through any more', () => {
    const verdicts = judgeAll('post-analysis', anEvidence({ scope: out }), NOW);
    const stale = { kind: 'stale', why: 'was changed' } as const;
    const asked = (approval: RemediationApprovalRequest, more: Omit<ExplainSeen, 'request'>) =>
      of({ overallPhase: 'AwaitingApproval' }, { approval, ...more });
    const yes = anApproval({ decision: 'Approved', decidedBy: 'ann' });
    expect(asked(yes, { verdicts }).blocker?.gate).toBe('UnmanagedResource');
    expect(asked(yes, { freshness: stale }).blocker?.gate).toBe('Staleness');
    expect(asked(anApproval(), { verdicts, freshness: stale }).blocker?.gate).toBe('Approval');
    expect(of({ overallPhase: 'Verifying' }, { approval: yes, verdicts })).not.toHaveProperty('blocker');
  });

  test('comes without a command where there is nothing to decide', () => {
    const verdicts = judgeAll('post-analysis', anEvidence({ scope: out }), NOW);
    expect(of({ overallPhase: 'Analyzing' }, { verdicts, approval: anApproval() }).next).not.toHaveProperty('commands');
  });

  test('is nothing that is asked elsewhere', () => {
    const verdicts = judgeAll('post-analysis', anEvidence({ scope: out }), NOW);
    for (const overallPhase of ['Processing', 'Executing', 'Verifying', 'Completed', 'Failed'] as const)
      expect(of({ overallPhase }, { verdicts, approval: anApproval() })).not.toHaveProperty('blocker');
  });

  test('in AwaitingApproval is the approval', () =>
    expect(of({ overallPhase: 'AwaitingApproval' }, { approval: anApproval(), deadline: at(15 * MINUTE) })).toMatchObject({
      blocker: { gate: 'Approval', object: { kind: 'RemediationApprovalRequest', name: 'rar-rr' } },
      next: { what: containing('an approver approves rar-rr'), at: at(15 * MINUTE) },
    }));

  test('the approval comes with what to type', () =>
    expect(explainText(of({ overallPhase: 'AwaitingApproval' }, { approval: anApproval() }), NOW)).toContain(
      [
        'To decide:          sickbay approve rr -n sickbay-system',
        '                    sickbay reject rr -n sickbay-system --reason "..."',
      ].join('\n'),
    ));

  test('in AwaitingApproval is the recorded approval, also where it cannot be read', () =>
    expect(
      of({ overallPhase: 'AwaitingApproval', approvalRequestRef: { name: 'rar-rr' } }, { unreadable: { Approval: 'forbidden' } }),
    ).toMatchObject({
      blocker: { state: 'unknown', message: 'not known: forbidden', object: { name: 'rar-rr' } },
      next: { what: containing('an approver approves rar-rr') },
    }));

  test('in AwaitingApproval is an approval without a name where none is known', () => {
    const { blocker, next } = of({ overallPhase: 'AwaitingApproval' }, { unreadable: { Approval: 'forbidden' } });
    expect(blocker).not.toHaveProperty('object');
    expect(next.what).toContain('an approver approves it');
  });

  test('in Executing is the budget of the recorded run, also where it cannot be read', () => {
    const seen = { unreadable: { Budget: 'forbidden' } };
    expect(of({ overallPhase: 'Executing', workflowExecutionRef: { name: 'we-rr' } }, seen).blocker).toMatchObject({
      gate: 'Budget',
      object: { kind: 'WorkflowExecution', name: 'we-rr' },
    });
    expect(of({ overallPhase: 'Executing' }, seen).blocker).not.toHaveProperty('object');
  });

  test('what is not known sends nothing elsewhere', () =>
    expect(of({ overallPhase: 'Analyzing' }, { freshness: { kind: 'unknown', reason: 'forbidden' } }).next.what).toBe(
      'it continues when Staleness lets it pass',
    ));

  test('healed and stale ones are sent elsewhere', () => {
    const alerts = [{ name: 'A', instance: 'i', lastSeenAt: ago(0), resolvedAt: ago(0) }];
    const resolved = { grace: { since: at(0), endsAt: at(0) }, health: { kind: 'healthy', message: 'healthy' } } as const;
    expect(of({ overallPhase: 'Pending', deduplication: { alerts } }, { resolved }).next.what).toContain('Completed at the next check');
    expect(of({ overallPhase: 'Analyzing' }, { freshness: { kind: 'stale', why: 'was changed' } }).next.what).toBe('it is analysed again');
  });
});

describe('a blocked one', () => {
  const blocked = (status: Status): RemediationRequest =>
    aRequest('rr', { overallPhase: 'Blocked', blockedStartTime: ago(MINUTE), blockMessage: 'told', ...status });
  const explained = (status: Status) => {
    const request = blocked(status);
    const evidence = anEarlyEvidence({
      request,
      scope: { kind: 'out', message: 'no' },
      others: all(aRequest('o', { overallPhase: 'Executing' })),
    });
    return explain({ request, reevaluation: reevaluateBlock(evidence, NOW) });
  };

  test.each(BLOCK_REASONS)('by %s reports the recorded block and what ends it', (blockReason) => {
    const { blocker, next } = explain({ request: blocked({ blockReason }) });
    expect(blocker).toEqual({ gate: blockReason, state: 'closed', message: 'told' });
    expect(next.what).toMatch(/^it (starts again|becomes Failed|is checked again) (when|with) /);
  });

  test('by time names the moment', () =>
    expect(explained({ blockReason: 'ExponentialBackoff', blockedUntil: toTime(at(MINUTE)) }).next).toEqual({
      what: containing('it becomes Failed when the wait ends'),
      at: at(MINUTE),
      lookAgainAt: at(MINUTE),
    }));

  test('by an event names the object, and when it is looked at again', () => {
    expect(explained({ blockReason: 'DuplicateInProgress', duplicateOf: 'o' })).toMatchObject({
      blocker: { object: { kind: 'RemediationRequest', name: 'o' } },
      next: { what: 'it starts again when RemediationRequest o has ended', lookAgainAt: at(30 * SECOND) },
    });
    expect(explain({ request: blocked({ blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-o' }) })).toMatchObject({
      blocker: { object: { kind: 'WorkflowExecution', name: 'we-o' } },
      next: { what: containing('WorkflowExecution we-o has ended') },
    });
    expect(explained({ blockReason: 'UnmanagedResource' }).next.what).toContain('shop/Deployment/checkout or its namespace is labelled');
  });

  test('that is about to go on says where to', () =>
    expect(explained({ blockReason: 'ExponentialBackoff', blockedUntil: ago(0) }).next.what).toContain(
      'it moves to Failed: its block has ended',
    ));

  test('without a reason says when that ends', () => {
    expect(explained({})).not.toHaveProperty('blocker');
    expect(explained({}).next.what).toContain('the longest time in Blocked');
  });
});

describe('what comes next', () => {
  test.each(phaseNames(remediationPhases))('is said in whatever phase: %s', (overallPhase) =>
    expect(of({ overallPhase }).next.what).not.toBe(''),
  );

  test('of one that is over is the next signal, and when', () => {
    const status: Status = { overallPhase: 'Completed', outcome: 'NoActionRequired', completedAt: ago(0) };
    expect(of(status)).toMatchObject({ outcome: 'NoActionRequired', next: { what: 'it has ended; the next signal opens a new request' } });
    expect(of({ ...status, nextAllowedExecution: toTime(at(HOUR)) }).next).toEqual({
      what: containing('when the wait ends'),
      at: at(HOUR),
    });
  });

  test.each([
    { annotations: { 'kubernaut.ai/cancel': 'no', 'kubernaut.ai/cancel-by': 'ann' }, who: 'ann' },
    { annotations: { 'kubernaut.ai/cancel': '' }, who: 'an unknown user' },
  ])('of one that $who cancelled is its end, until it has come', ({ annotations, who }) => {
    const request = (overallPhase: 'Blocked' | 'Failed') => aRequest('rr', { overallPhase }, { metadata: { annotations } });
    expect(explain({ request: request('Blocked') }).next).toEqual({ what: `it becomes Cancelled at the next check, as ${who} asked` });
    expect(explain({ request: request('Failed') }).next.what).not.toContain('Cancelled');
  });

  test('of one at work is the end of its time, where that is known', () => {
    expect(of({ overallPhase: 'Processing' }, { deadline: at(MINUTE) }).next).toEqual({
      what: containing('SignalProcessing'),
      at: at(MINUTE),
    });
    expect(of(undefined)).toMatchObject({ phase: 'Pending', next: { what: containing('checked next') } });
  });
});

describe('for people', () => {
  test('it reads like a description', () => {
    const request = aRequest('rr', {
      overallPhase: 'Blocked',
      message: 'waiting',
      blockReason: 'DuplicateInProgress',
      blockMessage: 'another is at work',
      duplicateOf: 'o',
      blockedStartTime: ago(MINUTE),
    });
    const evidence = anEarlyEvidence({ request, others: all(aRequest('o', { overallPhase: 'Executing' })) });
    const seen = { request, verdicts: judgeAll('pre-analysis', evidence, NOW), reevaluation: reevaluateBlock(evidence, NOW) };
    expect(explainText(explain(seen), NOW).split('\n')).toEqual([
      'Name:               rr',
      'Namespace:          sickbay-system',
      'Phase:              Blocked',
      'Message:            waiting',
      'Blocked by:         DuplicateInProgress (RemediationRequest o)',
      'Because:            another is at work',
      'Next:               it starts again when RemediationRequest o has ended',
      `Checked again at:   ${toTime(at(30 * SECOND))} (in 30s)`,
      'Gates:',
      '  Healed              open    alerts=0 firing=0',
      '  DryRun              -',
      '  UnmanagedResource   open    target=shop/Deployment/checkout scope=in',
      '  ConsecutiveFailures open    failures=0 threshold=3',
      containing('  DuplicateInProgress CLOSED  active=1 original=o | RemediationRequest o works'),
      '  ExponentialBackoff  open',
      '  ResourceBusy        -',
      '  RecentlyRemediated  -',
      '  IneffectiveChain    -',
      '  ChangeFreeze        -',
      '  Approval            -',
      '  Staleness           -',
      '  TargetBlock         -',
      '  Budget              -',
      '',
    ]);
  });

  test.each([
    [HOUR, '(in 1h0m0s)'],
    [0, '(now)'],
    [-MINUTE, '(1m0s ago)'],
  ])('a moment %d ms off is told as %s', (ms, text) => {
    const request = aRequest('rr', { overallPhase: 'Blocked', blockReason: 'ExponentialBackoff', blockedUntil: toTime(at(ms)) });
    expect(explainText(explain({ request }), NOW)).toContain(`At the latest:      ${toTime(at(ms))} ${text}`);
  });

  test('while it is worked on, the moment is the one when its time is up', () =>
    expect(explainText(of({ overallPhase: 'Executing' }, { deadline: at(MINUTE) }), NOW)).toContain(
      `Times out at:       ${toTime(at(MINUTE))} (in 1m0s)`,
    ));

  test('an outcome stands beside the phase, and what holds nothing up is not mentioned', () => {
    const text = explainText(of({ overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(0) }), NOW);
    expect(text).toContain('Phase:              Completed (Remediated)\n');
    expect(text).not.toContain('Blocked by');
    expect(text).not.toContain('Message');
  });
});

describe('an explanation quotes what knows', () => {
  const waiting = (reason: string, message: string) =>
    anExecution('rr', {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', reason, message, lastTransitionTime: ago(0) }],
    });

  test('an execution that may not create its run is not held up by the budget', () => {
    const execution = waiting('Forbidden', 'creating Job x: forbidden');
    const explanation = explain({ request: aRequest('rr', { overallPhase: 'Executing' }), execution });
    expect(explanation.blocker).toEqual({
      gate: 'Execution',
      state: 'closed',
      message: 'creating Job x: forbidden',
      object: { kind: 'WorkflowExecution', name: 'we-rr' },
    });
    expect(explanation.gates.find(({ name }) => name === 'Budget')?.state).toBe('open');
    expect(explanation.next.what).toBe('it continues when its WorkflowExecution can start');
  });

  test('the analysis and the assessment', () => {
    const analysis = { status: { phase: 'Completed', message: 'revision 2 crashes' } } as never;
    const assessment = { status: { phase: 'Assessing', message: 'waits for the alert' } } as never;
    const explanation = explain({ request: aRequest('rr', { overallPhase: 'Verifying' }), analysis, assessment });
    expect(explanation).toMatchObject({ analysis: 'revision 2 crashes (Completed)', assessment: 'waits for the alert (Assessing)' });
    const text = explainText(explanation, NOW);
    expect(text).toContain('Analysis:           revision 2 crashes (Completed)');
    expect(text).toContain('Assessment:         waits for the alert (Assessing)');
  });

  test('and a recorded block is closed, also where its check would pass by now', () => {
    const status = { overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures', blockMessage: 'three failed' } as const;
    const verdicts = [{ kind: 'pass', check: 'ConsecutiveFailures', inputs: { failures: 2, threshold: 3 } }] as const;
    const explanation = explain({ request: aRequest('rr', status), verdicts });
    expect(explanation.blocker).toMatchObject({ gate: 'ConsecutiveFailures', message: 'three failed' });
    const gate = explanation.gates.find(({ name }) => name === 'ConsecutiveFailures');
    expect(gate).toMatchObject({ state: 'closed', message: 'three failed', inputs: { failures: 2, threshold: 3 } });
  });
});
