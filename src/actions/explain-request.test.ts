import { beforeEach, describe, expect, test } from 'vitest';
import { Deployment, Lease, Namespace } from '../api/builtin/index.ts';
import type { RemediationRequest } from '../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS, LABELS } from '../api/well-known.ts';
import { after, HOUR, MINUTE, SECOND, toTime } from '../base/index.ts';
import type { Explanation, GateName } from '../controllers/remediation/explain/index.ts';
import { DEFAULT_SETTINGS } from '../controllers/default-settings.ts';
import { windowAround } from '../controllers/remediation/testing/change-evidence.ts';
import { ExplainStage, SYSTEM } from './testing/explain-stage.ts';

const containing = (text: string): unknown => expect.stringContaining(text);
const states = ({ gates }: Explanation) => Object.fromEntries(gates.map(({ name, state }) => [name, state]));
const gate = ({ gates }: Explanation, name: GateName) => gates.find((one) => one.name === name);
const checks = (state: string) =>
  Object.fromEntries(
    [
      'UnmanagedResource',
      'ConsecutiveFailures',
      'DuplicateInProgress',
      'ExponentialBackoff',
      'ResourceBusy',
      'RecentlyRemediated',
      'IneffectiveChain',
      'ChangeFreeze',
    ].map((name) => [name, state]),
  );

let stage: ExplainStage;
/** A moment from now. */
const at = (ms: number): string => toTime(after(stage.clock.now(), ms));
beforeEach(async () => {
  stage = await new ExplainStage().open();
});

describe('on its way', () => {
  test('before the analysis the first four checks are asked, the others are ahead', async () => {
    await stage.request({ overallPhase: 'Pending', startTime: at(0) });
    const explanation = await stage.explain();
    expect(states(explanation)).toEqual({
      Healed: 'open',
      DryRun: 'ahead',
      ...checks('open'),
      ResourceBusy: 'ahead',
      RecentlyRemediated: 'ahead',
      IneffectiveChain: 'ahead',
      ChangeFreeze: 'ahead',
      Approval: 'ahead',
      Staleness: 'ahead',
      TargetBlock: 'open',
      Budget: 'ahead',
    });
    expect(explanation).not.toHaveProperty('blocker');
    expect(explanation.next).toEqual({ what: 'its signal is checked next', at: after(stage.clock.now(), HOUR) });
  });

  test('a request without a status, before its first pass, is explained too', async () => {
    await stage.request({});
    expect(await stage.explain()).toMatchObject({ phase: 'Pending', next: { what: 'its signal is checked next' } });
  });

  test('with a plan all seven are asked, and whether the target is as it was analysed', async () => {
    await stage.plan(await stage.request({ overallPhase: 'Analyzing', startTime: at(0), analyzingStartTime: at(0) }));
    const explanation = await stage.explain();
    expect(states(explanation)).toMatchObject({ ...checks('open'), Staleness: 'open', Approval: 'ahead' });
    expect(explanation.next.at).toBe(after(stage.clock.now(), 10 * MINUTE));
  });

  test('a target that was changed since is reported', async () => {
    await stage.plan(await stage.request({ overallPhase: 'Analyzing', startTime: at(0) }));
    await stage.admin.patch(Deployment, { namespace: 'shop', name: 'checkout' }, { type: 'merge', body: { spec: { replicas: 3 } } });
    expect(await stage.explain()).toMatchObject({
      blocker: { gate: 'Staleness', message: containing('was changed since it was analysed') },
      next: { what: 'it is analysed again' },
    });
  });

  test('a dry run is explained, whichever setting asks for it', async () => {
    await stage.plan(await stage.request({ overallPhase: 'Analyzing', startTime: at(0) }));
    await stage.admin.patch(
      Namespace,
      { namespace: '', name: 'shop' },
      { type: 'merge', body: { metadata: { labels: { [LABELS.dryRun]: 'true' } } } },
    );
    expect(await stage.explain()).toMatchObject({
      blocker: { gate: 'DryRun', message: containing('namespace shop (label kubernaut.ai/dry-run)') },
      next: { what: 'it becomes Completed at the next check, as a dry run' },
    });
    const settings = { ...DEFAULT_SETTINGS, dryRun: true };
    expect((await stage.explain('rr', { settings })).blocker?.message).toContain('the configuration (dryRun)');
  });

  test('the limits of the request win over the settings', async () => {
    await stage.request({ overallPhase: 'Processing', startTime: at(0), processingStartTime: at(0), timeoutConfig: { processing: '2m' } });
    expect((await stage.explain()).next.at).toBe(after(stage.clock.now(), 2 * MINUTE));
  });
});

describe('blocked', () => {
  const block = (status: NonNullable<RemediationRequest['status']>) =>
    stage.request({ overallPhase: 'Blocked', startTime: at(0), blockedStartTime: at(0), blockMessage: 'told', ...status });

  test('by time: until when', async () => {
    await block({ blockReason: 'ConsecutiveFailures', blockedUntil: at(HOUR) });
    expect(await stage.explain()).toMatchObject({
      blocker: { gate: 'ConsecutiveFailures', message: 'told' },
      next: { what: containing('it becomes Failed when the cooldown ends'), at: after(stage.clock.now(), HOUR) },
    });
  });

  test('by another request: which, and that it is still at work', async () => {
    await stage.request({ overallPhase: 'Executing' }, 'first');
    await block({ blockReason: 'DuplicateInProgress', duplicateOf: 'first' });
    const explanation = await stage.explain();
    expect(gate(explanation, 'DuplicateInProgress')).toMatchObject({ state: 'closed', inputs: { original: 'first' } });
    expect(explanation).toMatchObject({
      blocker: { object: { kind: 'RemediationRequest', name: 'first' } },
      next: { what: 'it starts again when RemediationRequest first has ended' },
    });
  });

  test('by another request that is finished by now: it continues', async () => {
    await stage.request({ overallPhase: 'Completed', outcome: 'Remediated', completedAt: at(0) }, 'first');
    await block({ blockReason: 'DuplicateInProgress', duplicateOf: 'first' });
    expect((await stage.explain()).next.what).toBe('it moves to Pending: RemediationRequest first has ended');
  });

  test('by a busy target: which execution, and when it is looked at again', async () => {
    const other = await stage.request({ overallPhase: 'Executing' }, 'other', { signalFingerprint: 'a'.repeat(64) });
    await stage.execute(other, { phase: 'Running' });
    await stage.plan(await block({ blockReason: 'ResourceBusy', blockingWorkflowExecution: 'we-other' }));
    const explanation = await stage.explain();
    expect(gate(explanation, 'ResourceBusy')).toMatchObject({ state: 'closed', inputs: { activeExecutions: 1 } });
    expect(explanation).toMatchObject({
      blocker: { gate: 'ResourceBusy', object: { kind: 'WorkflowExecution', name: 'we-other' } },
      next: { lookAgainAt: after(stage.clock.now(), 30 * SECOND) },
    });
  });

  test('by a target that is not managed: what to do', async () => {
    stage = await new ExplainStage().open({ managed: 'false' });
    await block({ blockReason: 'UnmanagedResource' });
    const explanation = await stage.explain();
    expect(gate(explanation, 'UnmanagedResource')).toMatchObject({ state: 'closed' });
    expect(explanation.next.what).toContain('is labelled kubernaut.ai/managed=true');
  });

  test('the settings that Sickbay runs with decide', async () => {
    for (const name of ['a', 'b'])
      await stage.request({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', completedAt: at(0) }, name);
    await stage.request({ overallPhase: 'Pending' });
    const strict = { ...DEFAULT_SETTINGS, routing: { ...DEFAULT_SETTINGS.routing, consecutiveFailureThreshold: 2 } };
    expect(states(await stage.explain())).toMatchObject({ ConsecutiveFailures: 'open' });
    expect(states(await stage.explain('rr', { settings: strict }))).toMatchObject({ ConsecutiveFailures: 'closed' });
  });
});

describe('waiting for a person', () => {
  const awaiting = () => stage.request({ overallPhase: 'AwaitingApproval', startTime: at(0), awaitingApprovalStartTime: at(0) });

  test('how to decide, and until when', async () => {
    await stage.ask(await awaiting());
    const explanation = await stage.explain();
    expect(explanation).toMatchObject({
      blocker: { gate: 'Approval', object: { kind: 'RemediationApprovalRequest', name: 'rar-rr' } },
      next: {
        what: 'it continues when an approver approves rar-rr, and becomes Failed if none does in time',
        at: after(stage.clock.now(), 15 * MINUTE),
        commands: [`sickbay approve rr -n ${SYSTEM}`, `sickbay reject rr -n ${SYSTEM} --reason "..."`],
      },
    });
    expect(states(explanation)).toMatchObject({ ...checks('open'), Staleness: 'open' });
  });

  test('a yes that counts leaves nothing in the way', async () => {
    await stage.ask(await awaiting(), { decision: 'Approved', decidedBy: 'ann', decidedAt: at(0) });
    expect(states(await stage.explain())).toMatchObject({ Approval: 'open' });
    expect(await stage.explain()).not.toHaveProperty('blocker');
  });

  test('a yes that does not count is no yes', async () => {
    await stage.ask(await awaiting(), { decision: 'Approved', decidedBy: 'ann' });
    expect(await stage.explain()).toMatchObject({
      blocker: { gate: 'Approval', message: containing('does not say when it was decided') },
      next: { what: 'it becomes Failed at the next check: nothing is run' },
    });
  });

  test('after a yes whatever else is in the way counts again', async () => {
    await stage.ask(await awaiting(), { decision: 'Approved', decidedBy: 'ann', decidedAt: at(0) });
    await stage.execute(await stage.request({ overallPhase: 'Executing' }, 'other', { signalFingerprint: 'a'.repeat(64) }), {
      phase: 'Running',
    });
    expect(await stage.explain()).toMatchObject({ blocker: { gate: 'ResourceBusy' } });
  });
});

test('what merely has the name of a child is not its own', async () => {
  const other = await stage.request({ overallPhase: 'Executing' }, 'other');
  const { analysis } = await stage.plan(other);
  expect(analysis.metadata.name).toBe('ai-rr');
  await stage.request({ overallPhase: 'Analyzing', startTime: at(0) });
  expect(states(await stage.explain())).toMatchObject({ ResourceBusy: 'ahead', Staleness: 'ahead' });
});

describe('carried out', () => {
  const executing = () =>
    stage.request({
      overallPhase: 'Executing',
      startTime: at(0),
      executingStartTime: at(0),
      workflowExecutionRef: { name: 'we-rr', uid: 'x' },
    });

  test('waiting for the budget: why, and at which position', async () => {
    const ready = { type: 'Ready', status: 'False', reason: 'BudgetExhausted', message: '5 of 5 run', lastTransitionTime: at(0) } as const;
    await stage.execute(await executing(), { phase: 'Pending', queuePosition: 2, conditions: [ready] });
    const explanation = await stage.explain();
    expect(explanation).toMatchObject({ blocker: { gate: 'Budget', message: '5 of 5 run', object: { name: 'we-rr' } } });
    expect(gate(explanation, 'Budget')).toMatchObject({ state: 'closed', inputs: { queuePosition: 2 } });
    expect(explanation.next.at).toBe(after(stage.clock.now(), 30 * MINUTE));
  });

  test('running: every gate has passed, whatever it would decide now', async () => {
    await stage.execute(await executing(), { phase: 'Running' });
    const explanation = await stage.explain();
    expect(states(explanation)).toEqual({
      Healed: 'open',
      DryRun: 'open',
      ...checks('open'),
      Approval: 'open',
      Staleness: 'open',
      TargetBlock: 'open',
      Budget: 'open',
    });
    expect(gate(explanation, 'ResourceBusy')?.message).toBe(`passed at ${at(0)}`);
    expect(gate(explanation, 'Approval')?.message).toBe('not required');
    expect(explanation).not.toHaveProperty('blocker');
  });

  test('verifying: until when', async () => {
    await stage.request({ overallPhase: 'Verifying', startTime: at(0), verifyingStartTime: at(0), verificationDeadline: at(HOUR) });
    expect((await stage.explain()).next.at).toBe(after(stage.clock.now(), HOUR));
  });
});

describe('over', () => {
  test('why, and until when its signal is held back', async () => {
    await stage.request({
      overallPhase: 'Failed',
      message: 'the pods did not get ready',
      failurePhase: 'WorkflowExecution',
      completedAt: at(0),
      nextAllowedExecution: at(MINUTE),
    });
    expect(await stage.text()).toContain(
      [
        'Phase:              Failed',
        'Message:            the pods did not get ready',
        'Next:               it has ended; its signal opens a new request when the wait ends',
        `At the latest:      ${at(MINUTE)} (in 1m0s)`,
      ].join('\n'),
    );
  });

  describe('skipped for a block of its target', () => {
    const held = (): Promise<RemediationRequest> =>
      stage.request({
        overallPhase: 'Skipped',
        skipReason: 'PreviousExecutionFailed',
        completedAt: at(0),
        requiresManualReview: true,
        nextAllowedExecution: at(24 * HOUR),
        workflowExecutionRef: { name: 'we-rr' },
      });

    /** The lock of the target, which keeps what an execution that is gone has said. */
    async function keepBlock(more: Readonly<Record<string, string>> = {}): Promise<string> {
      const { name, executionNamespace: namespace } = { ...DEFAULT_SETTINGS, name: 'wfe-1' };
      await stage.admin.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      const block = {
        reason: 'PreviousExecutionFailed',
        name: 'we-gone',
        workflowId: 'w',
        completedAt: at(0),
        failures: 0,
        why: 'exit code 1',
      };
      const annotations = { [ANNOTATIONS.targetResource]: 'shop/Deployment/checkout', [ANNOTATIONS.block]: JSON.stringify(block), ...more };
      const metadata = { name, namespace, labels: { [LABELS.workflowExecutionUid]: 'gone' }, annotations };
      await stage.admin.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: {} });
      return `Lease ${namespace}/${name}`;
    }

    test('which a lock blocks: what blocks it, since when, the state of that run, and how to clear it', async () => {
      await held();
      const keptOn = await keepBlock();
      const explanation = await stage.explain();
      expect(gate(explanation, 'TargetBlock')).toMatchObject({
        state: 'closed',
        inputs: { execution: 'we-gone', reason: 'PreviousExecutionFailed', since: at(0), keptOn },
        message: containing('we-gone failed while it ran on shop/Deployment/checkout'),
      });
      expect(explanation.next).toMatchObject({
        at: after(stage.clock.now(), 24 * HOUR),
        commands: [`sickbay clear-block shop/Deployment/checkout -n ${SYSTEM} --reason "..."`],
      });
    });

    test('that an operator has cleared: nothing blocks any more', async () => {
      await held();
      await keepBlock({ [ANNOTATIONS.blockClearedBy]: 'anna', [ANNOTATIONS.blockClearReason]: 'looked' });
      expect(gate(await stage.explain(), 'TargetBlock')).toMatchObject({ state: 'open' });
    });

    test('which its reader may not see is not known', async () => {
      await held();
      await keepBlock();
      const guest = await stage.guest(['remediationrequests', 'workflowexecutions', 'effectivenessassessments']);
      expect(gate(await stage.explain('rr', { client: guest }), 'TargetBlock')).toMatchObject({
        state: 'unknown',
        message: containing('leases'),
      });
    });
  });

  test('with an outcome', async () => {
    await stage.request({ overallPhase: 'Completed', outcome: 'Remediated', completedAt: at(0) });
    expect(await stage.explain()).toMatchObject({
      outcome: 'Remediated',
      next: { what: 'it has ended; the next signal opens a new request' },
    });
  });
});

describe('what may not be read', () => {
  test('is not known, and never passed', async () => {
    await stage.ask(await stage.request({ overallPhase: 'AwaitingApproval', startTime: at(0), approvalRequestRef: { name: 'rar-rr' } }));
    const client = await stage.guest(['remediationrequests']);
    const explanation = await stage.explain('rr', { client });
    expect(states(explanation)).toMatchObject({
      UnmanagedResource: 'unknown',
      Approval: 'unknown',
      Staleness: 'unknown',
      Budget: 'unknown',
    });
    expect(explanation.blocker).toMatchObject({ gate: 'Approval', message: containing('not known: ') });
    expect(explanation.blocker?.message).toContain('forbidden');
    expect(gate(explanation, 'ConsecutiveFailures')?.state).toBe('open');
  });

  test('also where there is a plan: executions and assessments', async () => {
    await stage.plan(await stage.request({ overallPhase: 'Analyzing', startTime: at(0) }));
    const client = await stage.guest(['remediationrequests', 'aianalyses']);
    const unknown = { UnmanagedResource: 'unknown', ResourceBusy: 'unknown', RecentlyRemediated: 'unknown', IneffectiveChain: 'unknown' };
    expect(states(await stage.explain('rr', { client }))).toMatchObject({ ...unknown, Staleness: 'unknown' });
  });

  test('the request itself: the server’s word', async () => {
    await stage.request({ overallPhase: 'Pending' });
    const client = await stage.guest(['aianalyses']);
    await expect(stage.explain('rr', { client })).rejects.toMatchObject({ code: 'Forbidden' });
  });
});

describe('no such request', () => {
  test('where the user may not list others', async () => {
    const client = await stage.guest(['remediationrequests'], ['get']);
    await expect(stage.explain('x', { client })).rejects.toThrow(
      /^there is no RemediationRequest x in the namespace sickbay-system \(.*forbidden/,
    );
  });

  test('where there is none at all', () =>
    expect(stage.explain('x')).rejects.toThrow(/^there is no RemediationRequest x in the namespace sickbay-system, nor any other$/));

  test('names those that there are, the newest first, ten at most', async () => {
    for (let i = 0; i < 12; i++) {
      await stage.request({ overallPhase: 'Pending' }, `r${i}`);
      stage.clock.jump(SECOND);
    }
    await expect(stage.explain('x')).rejects.toThrow(/; there is r11, r10, r9, r8, r7, r6, r5, r4, r3, r2 and 2 more$/);
  });
});

test('for programs moments are written as Kubernetes writes them', async () => {
  await stage.ask(await stage.request({ overallPhase: 'AwaitingApproval', startTime: at(0), awaitingApprovalStartTime: at(0) }));
  const { next, gates } = JSON.parse(await stage.text('rr', 'json')) as Explanation;
  expect(next.at).toBe(at(15 * MINUTE));
  expect(gates.find(({ name }) => name === 'Approval')?.until).toBe(at(15 * MINUTE));
});

describe('waiting for a change freeze', () => {
  test('without the config file of the process whether one is in force is not known, which blocks nothing', async () => {
    await stage.plan(await stage.request({ overallPhase: 'Analyzing', startTime: at(0), analyzingStartTime: at(0) }));
    const { gates, blocker } = await stage.explain('rr', { windowsAreUnknown: true });
    const gate = gates.find(({ name }) => name === 'ChangeFreeze');
    expect(gate).toMatchObject({ state: 'unknown', message: containing('give --config') });
    expect(blocker).toBeUndefined();
  });

  test('a maintenance window of the same name is not the freeze that it waits for', async () => {
    const changeWindow = { kind: 'ChangeFreeze', name: 'year-end' } as const;
    const blocked = { overallPhase: 'Blocked', blockReason: 'ChangeFreeze', changeWindow } as const;
    await stage.request({ ...blocked, blockMessage: 'm', blockedUntil: at(HOUR), blockedStartTime: at(0) });
    const windows = [windowAround(stage.clock.now(), HOUR)];
    const settings = { ...DEFAULT_SETTINGS, changeWindows: { changeFreezes: [], maintenanceWindows: windows } };
    const { next } = await stage.explain('rr', { settings });
    expect(next.what).toMatch(/^it is checked again when the change freeze year-end ends/);
  });

  test('without the config file of the process the freeze is not taken as removed', async () => {
    const changeWindow = { kind: 'ChangeFreeze', name: 'year-end' } as const;
    const blockMessage = 'change freeze year-end: it waits';
    await stage.request({
      overallPhase: 'Blocked',
      blockReason: 'ChangeFreeze',
      blockMessage,
      changeWindow,
      blockedUntil: at(HOUR),
      blockedStartTime: at(0),
    });
    const { next, blocker } = await stage.explain();
    expect(next).toEqual({
      what: 'it is checked again when the change freeze year-end ends, or when a person with the right overrides it',
      at: after(stage.clock.now(), HOUR),
      commands: [expect.stringMatching(/^sickbay override-freeze \S+ -n sickbay-system --reason/)],
    });
    expect(blocker).toMatchObject({ gate: 'ChangeFreeze', state: 'closed', message: blockMessage });
  });
});
