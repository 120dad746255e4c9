import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../../api/remediation-request/remediation-request.ts';
import type { WorkflowExecution } from '../../../../api/workflow-execution/workflow-execution.ts';
import { HOUR, MINUTE, SECOND } from '../../../../base/index.ts';
import type { PlannedEvidence } from '../evidence.ts';
import { ago, all, anAssessment, anEarlyEvidence, anEvidence, anExecution, aRequest, at, NOW, UNREADABLE } from '../testing/builders.ts';
import { ineffectiveChainCheck } from './ineffective-chain.ts';
import { recentlyRemediatedCheck } from './recently-remediated.ts';
import { resourceBusyCheck } from './resource-busy.ts';

const containing = (text: string): unknown => expect.stringContaining(text);

test.each([resourceBusyCheck, recentlyRemediatedCheck, ineffectiveChainCheck])('without a plan no verdict is possible', (check) =>
  expect(check(anEarlyEvidence(), NOW)).toMatchObject({ kind: 'unknown', reason: 'there is no plan yet' }),
);

describe('check 5, ResourceBusy', () => {
  const check = (...executions: readonly WorkflowExecution[]) =>
    resourceBusyCheck(anEvidence({ planned: { executions: all(...executions) } }), NOW);

  test.each([{ phase: 'Pending' }, { phase: 'Running' }, undefined] as const)(
    '[RR-139, RR-140, RR-156] one that is at work on the target is waited for: %j',
    (status) =>
      expect(check(anExecution('other', status))).toEqual({
        kind: 'block',
        check: 'ResourceBusy',
        inputs: { target: 'shop/Deployment/checkout', activeExecutions: 1 },
        message: containing('WorkflowExecution we-other works on shop/Deployment/checkout'),
        blocker: { kind: 'WorkflowExecution', name: 'we-other' },
        lookAgainAt: at(30 * SECOND),
      }),
  );

  test.each(['Completed', 'Failed', 'Skipped'] as const)('[RR-139] one that is over is not: %s', (phase) =>
    expect(check(anExecution('other', { phase }))).toMatchObject({ kind: 'pass', inputs: { activeExecutions: 0 } }),
  );

  test('[RR-139] the own one is not meant', () => expect(check(anExecution('rr', { phase: 'Running' })).kind).toBe('pass'));

  test('of several the first by name is named, in whatever order they come', () => {
    const [a, b] = [anExecution('a', {}), anExecution('b', {})];
    expect(check(a, b)).toMatchObject({ blocker: { name: 'we-a' }, inputs: { activeExecutions: 2 } });
    expect(check(b, a)).toEqual(check(a, b));
  });

  test('[RR-156] it is looked at again as the settings say', () =>
    expect(
      resourceBusyCheck(
        anEvidence({ planned: { executions: all(anExecution('o', {})) }, routing: { requeueResourceBusyMs: MINUTE } }),
        NOW,
      ),
    ).toMatchObject({ lookAgainAt: at(MINUTE) }));

  test('what cannot be read may be busy', () =>
    expect(resourceBusyCheck(anEvidence({ planned: { executions: UNREADABLE } }), NOW)).toMatchObject({
      kind: 'unknown',
      reason: 'forbidden',
    }));
});

describe('check 6, RecentlyRemediated', () => {
  const ran = (agoMs: number, more: Partial<NonNullable<WorkflowExecution['status']>> = {}) =>
    anExecution('other', { phase: 'Completed', completionTime: ago(agoMs), ...more });
  const check = (...executions: readonly WorkflowExecution[]) =>
    recentlyRemediatedCheck(anEvidence({ planned: { executions: all(...executions) } }), NOW);

  test.each([
    [0, 5 * MINUTE],
    [2 * MINUTE, 3 * MINUTE],
    [5 * MINUTE - SECOND, SECOND],
  ])('[RR-141, RR-142, RR-147] the same workflow %d ms ago: blocked for the %d ms that are left', (agoMs, left) =>
    expect(check(ran(agoMs))).toEqual({
      kind: 'block',
      check: 'RecentlyRemediated',
      inputs: { target: 'shop/Deployment/checkout', workflowId: 'rollback-1', lastRun: 'we-other', lastRunEnded: ago(agoMs) },
      message: containing('we-other ran the same workflow on shop/Deployment/checkout'),
      blocker: { kind: 'WorkflowExecution', name: 'we-other' },
      until: at(left),
      lookAgainAt: at(left),
    }),
  );

  test.each([5 * MINUTE, HOUR])('[RR-142] %d ms ago: it passes', (agoMs) =>
    expect(check(ran(agoMs))).toMatchObject({ kind: 'pass', inputs: { lastRun: 'we-other' } }),
  );

  test('[RR-141] another workflow on the target passes', () =>
    expect(check(anExecution('other', { phase: 'Completed', completionTime: ago(0) }, { workflowId: 'restart-1' })).kind).toBe('pass'));

  const failedRun = (wasExecutionFailure?: boolean): Partial<NonNullable<WorkflowExecution['status']>> => ({
    phase: 'Failed',
    failureDetails: {
      reason: 'TaskFailed',
      message: '',
      naturalLanguageSummary: '',
      failedAt: ago(0),
      failedTaskName: '',
      failedTaskIndex: 0,
      ...(wasExecutionFailure !== undefined && { wasExecutionFailure }),
    },
  });

  test.each([
    { name: 'failed on the way', status: failedRun(true), want: 'block' },
    { name: 'failed, without saying where', status: failedRun(), want: 'block' },
    { name: 'failed, without saying anything', status: { phase: 'Failed' } as const, want: 'block' },
    { name: 'failed before it began', status: failedRun(false), want: 'pass' },
    { name: 'was skipped', status: { phase: 'Skipped' } as const, want: 'pass' },
    { name: 'still runs', status: { phase: 'Running' } as const, want: 'pass' },
  ])('[RR-141] one that $name: $want', ({ status, want }) => expect(check(ran(MINUTE, status)).kind).toBe(want));

  test('[RR-141] one without a status: pass', () => expect(check(anExecution('other', undefined)).kind).toBe('pass'));

  test('the last of several counts, in whatever order they come', () => {
    const early = { ...ran(4 * MINUTE), metadata: { ...ran(0).metadata, name: 'we-early' } };
    expect(check(early, ran(MINUTE))).toMatchObject({ until: at(4 * MINUTE) });
    expect(check(ran(MINUTE), early)).toEqual(check(early, ran(MINUTE)));
  });

  test('one that does not say when it ended goes by when it began', () => {
    const { completionTime: _, ...rest } = ran(0, { startTime: ago(MINUTE) }).status ?? {};
    expect(check(anExecution('other', rest))).toMatchObject({ until: at(4 * MINUTE) });
    const { startTime: __, ...nothing } = rest;
    expect(check(anExecution('other', nothing)).kind).toBe('pass');
  });

  test('[RR-147] the settings say how long', () =>
    expect(
      recentlyRemediatedCheck(
        anEvidence({ planned: { executions: all(ran(5 * MINUTE)) }, routing: { recentlyRemediatedCooldownMs: 6 * MINUTE } }),
        NOW,
      ),
    ).toMatchObject({ until: at(MINUTE) }));

  test('taking a change back is exempt, of this check only', () => {
    const request = aRequest('rr', {}, { spec: { undoOf: { name: 'other' } } });
    const executions = all(ran(0));
    expect(recentlyRemediatedCheck(anEvidence({ request, planned: { executions } }), NOW)).toMatchObject({
      kind: 'pass',
      inputs: { undoOf: 'other' },
    });
    const busy = all(anExecution('other', { phase: 'Running' }));
    expect(resourceBusyCheck(anEvidence({ request, planned: { executions: busy } }), NOW).kind).toBe('block');
  });

  test('a plan that names no workflow cannot be compared', () =>
    expect(recentlyRemediatedCheck(anEvidence({ planned: { workflowId: '', executions: all(ran(0)) } }), NOW).kind).toBe('unknown'));

  test('what cannot be read may have run', () =>
    expect(recentlyRemediatedCheck(anEvidence({ planned: { executions: UNREADABLE } }), NOW)).toMatchObject({ kind: 'unknown' }));
});

describe('check 7, IneffectiveChain', () => {
  /** A remediation of the target that was over so long ago. */
  const remediation = (name: string, agoMs: number, status: RemediationRequest['status'] = {}) =>
    aRequest(
      name,
      { overallPhase: 'Completed', outcome: 'Inconclusive', verifyingStartTime: ago(agoMs), completedAt: ago(agoMs), ...status },
      { spec: { signalFingerprint: name.padEnd(64, '0') } },
    );
  const fires = { alertAssessed: true, alertScore: 0 };
  const gone = { alertAssessed: true, alertScore: 1 };
  const check = (planned: Partial<PlannedEvidence>) => ineffectiveChainCheck(anEvidence({ planned }), NOW);
  const names = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);
  const inARow = (count: number, components: Parameters<typeof anAssessment>[1]) => ({
    history: all(...names(count).map((name, i) => remediation(name, (i + 1) * 10 * MINUTE))),
    assessments: all(...names(count).map((name) => anAssessment(name, components))),
  });

  test('nothing recorded: it passes', () =>
    expect(check({})).toEqual({
      kind: 'pass',
      check: 'IneffectiveChain',
      inputs: { target: 'shop/Deployment/checkout', remediations: 0, ineffectiveInRow: 0, window: '4h0m0s' },
    }));

  test('[RR-143] with 2 in a row after which the alert still fired it passes', () =>
    expect(check(inARow(2, fires))).toMatchObject({ kind: 'pass', inputs: { ineffectiveInRow: 2 } }));

  test('[RR-111, RR-143, RR-144, RR-153] with 3, whatever their fingerprints, nothing more is tried; looked at again after 4 h', () =>
    expect(check(inARow(3, fires))).toEqual({
      kind: 'block',
      check: 'IneffectiveChain',
      inputs: { target: 'shop/Deployment/checkout', remediations: 3, ineffectiveInRow: 3, window: '4h0m0s' },
      message: containing('the last 3 remediations of shop/Deployment/checkout did not help within 4h0m0s'),
      lookAgainAt: at(4 * HOUR),
    }));

  test('[RR-143] one that helped ends the row', () => {
    const { history, assessments } = inARow(3, fires);
    const helped = (agoMs: number) => ({
      history: all(...history.value, remediation('ok', agoMs)),
      assessments: all(...assessments.value, anAssessment('ok', gone)),
    });
    expect(check(helped(MINUTE))).toMatchObject({ kind: 'pass', inputs: { ineffectiveInRow: 0, remediations: 4 } });
    expect(check(helped(15 * MINUTE))).toMatchObject({ kind: 'pass', inputs: { ineffectiveInRow: 1 } });
    expect(check(helped(HOUR))).toMatchObject({ kind: 'block', inputs: { ineffectiveInRow: 3 } });
  });

  test.each([
    { name: 'unfinished', components: undefined },
    { name: 'empty', components: {} },
    { name: 'of health alone', components: { healthAssessed: true, healthScore: 1 } },
    { name: 'that read the alert and says nothing', components: { alertAssessed: true } },
    { name: 'with a score that is not marked as assessed', components: { alertScore: 1 } },
  ])('[CO-147] an assessment that is $name neither counts nor ends the row', ({ components }) => {
    const { history, assessments } = inARow(3, fires);
    const between = {
      history: all(...history.value, remediation('x', MINUTE)),
      assessments: all(...assessments.value, anAssessment('x', components)),
    };
    expect(check(between)).toMatchObject({ kind: 'block', inputs: { ineffectiveInRow: 3 } });
    expect(check(inARow(4, components))).toMatchObject({ kind: 'pass', inputs: { ineffectiveInRow: 0 } });
  });

  describe('a spec that is back at what it was', () => {
    const [A, B] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
    const chain = (specHash: string | undefined, spec: Parameters<typeof anAssessment>[2], components = gone) => ({
      history: inARow(3, gone).history,
      assessments: all(...names(3).map((name) => anAssessment(name, components, spec))),
      ...(specHash !== undefined && { specHash }),
    });

    test('[RR-143] counts, although the alert had gone', () =>
      expect(check(chain(A, { preRemediationSpecHash: A, appliedSpecHash: B }))).toMatchObject({ kind: 'block' }));

    test.each([
      { name: 'it is as the remediation left it', planned: chain(B, { preRemediationSpecHash: A, appliedSpecHash: B }) },
      { name: 'the remediation never changed it', planned: chain(A, { preRemediationSpecHash: A, appliedSpecHash: A }) },
      { name: 'its current state is unknown', planned: chain(undefined, { preRemediationSpecHash: A, appliedSpecHash: B }) },
      { name: 'its earlier state is unknown', planned: chain(A, { appliedSpecHash: B }) },
    ])('does not count where $name', ({ planned }) => expect(check(planned).kind).toBe('pass'));

    test('is judged by what the assessment read, where the applied state is not recorded', () => {
      expect(check(chain(A, { preRemediationSpecHash: A }, { ...gone, postRemediationSpecHash: A } as typeof gone)).kind).toBe('pass');
      expect(check(chain(A, { preRemediationSpecHash: A }, { ...gone, postRemediationSpecHash: B } as typeof gone)).kind).toBe('block');
      expect(check(chain(A, { preRemediationSpecHash: A })).kind).toBe('block');
      const unseen = {
        ...chain(A, {}),
        assessments: all(...names(3).map((name) => anAssessment(name, undefined, { preRemediationSpecHash: A }))),
      };
      expect(check(unseen).kind, 'its result was never seen').toBe('block');
    });

    test('is judged by the request where there is no assessment', () => {
      const history = all(...names(3).map((name) => remediation(name, MINUTE, { preRemediationSpecHash: A })));
      expect(check({ history, specHash: A }).kind).toBe('block');
      expect(check({ history, specHash: B }).kind).toBe('pass');
    });
  });

  test.each([
    [4, 'pass'],
    [5, 'block'],
    [6, 'block'],
  ] as const)('[RR-154] %i remediations in the window, though they helped: %s', (count, want) =>
    expect(check(inARow(count, gone))).toMatchObject({ kind: want, inputs: { remediations: count, ineffectiveInRow: 0 } }),
  );

  test('[RR-154] it says so', () =>
    expect(check(inARow(5, gone))).toMatchObject({ message: containing('shop/Deployment/checkout was remediated 5 times') }));

  test('[RR-155] only what was over inside the window belongs to it', () => {
    const at4h = (agoMs: number) => ({ ...inARow(3, fires), history: all(...names(3).map((name) => remediation(name, agoMs))) });
    expect(check(at4h(4 * HOUR - SECOND)).kind).toBe('block');
    expect(check(at4h(4 * HOUR)).kind).toBe('pass');
  });

  test('[RR-155] what counts is when its run was over, and not when that was known', () => {
    const history = all(...names(3).map((name) => remediation(name, 5 * HOUR, { completedAt: ago(MINUTE) })));
    expect(check({ ...inARow(3, fires), history })).toMatchObject({ kind: 'pass', inputs: { remediations: 0 } });
  });

  test('of two that were over at the same moment one comes first, in whatever order they come', () => {
    const [older, younger] = [remediation('a', MINUTE), remediation('b', MINUTE)];
    const assessments = all(anAssessment('a', gone), anAssessment('b', fires));
    for (const history of [all(older, younger), all(younger, older)])
      expect(check({ history, assessments })).toMatchObject({ inputs: { ineffectiveInRow: 1 } });
  });

  test('[RR-153, RR-154, RR-155] the settings say how many and how long', () => {
    const planned = inARow(3, fires);
    const kind = (routing: Parameters<typeof anEvidence>[0]) => ineffectiveChainCheck(anEvidence({ planned, ...routing }), NOW).kind;
    expect(kind({ routing: { ineffectiveChainThreshold: 4 } })).toBe('pass');
    expect(kind({ routing: { ineffectiveChainThreshold: 4, recurrenceCountThreshold: 3 } })).toBe('block');
    expect(kind({ routing: { ineffectiveTimeWindowMs: 20 * MINUTE } })).toBe('pass');
  });

  describe('what counts as a remediation', () => {
    const withoutVerification = (overallPhase: 'Failed' | 'TimedOut' | 'Cancelled' | 'Skipped' | 'Executing') => {
      const { verifyingStartTime: _, ...status } = remediation('x', MINUTE).status ?? {};
      return aRequest('x', { ...status, overallPhase, workflowExecutionRef: { name: 'we-x', uid: 'we-x-uid' } });
    };
    const counted = (request: RemediationRequest, ...executions: readonly WorkflowExecution[]) =>
      check({ history: all(request), executions: all(...executions) }).inputs['remediations'];
    const details = {
      reason: 'TaskFailed',
      message: '',
      naturalLanguageSummary: '',
      failedAt: ago(0),
      failedTaskName: '',
      failedTaskIndex: 0,
    } as const;

    test('one that got to verification does', () => expect(counted(remediation('x', MINUTE))).toBe(1));
    test.each(['Failed', 'TimedOut', 'Cancelled'] as const)('one that is %s does if its run got to the target', (phase) => {
      expect(counted(withoutVerification(phase), anExecution('x', { phase: 'Failed' }))).toBe(1);
      const early = anExecution('x', { phase: 'Failed', failureDetails: { ...details, wasExecutionFailure: false } });
      expect(counted(withoutVerification(phase), early)).toBe(0);
    });
    test('one whose run is gone does: it may have changed the target', () => expect(counted(withoutVerification('Failed'))).toBe(1));
    test('one that was skipped does not', () => expect(counted(withoutVerification('Skipped'))).toBe(0));
    test('one that is at work does not yet', () => expect(counted(withoutVerification('Executing'))).toBe(0));
    test('one that never had a run does not', () =>
      expect(counted(aRequest('x', { overallPhase: 'Failed', completedAt: ago(MINUTE) }))).toBe(0));
  });

  test('an assessment of a request that had the name before is not its', () => {
    const { history, assessments } = inARow(3, fires);
    const foreign = assessments.value.map((assessment) => ({
      ...assessment,
      metadata: { ...assessment.metadata, ownerReferences: [{ ...assessment.metadata.ownerReferences![0]!, uid: 'earlier' }] },
    }));
    expect(check({ history, assessments: all(...foreign) }).kind).toBe('pass');
    const ownerless = assessments.value.map((assessment) => ({ ...assessment, metadata: { ...assessment.metadata, ownerReferences: [] } }));
    expect(check({ history, assessments: all(...ownerless) }).kind, 'nor one without an owner').toBe('pass');
  });

  test.each(['history', 'executions', 'assessments'] as const)('[CO-149] %s that cannot be read is no good record', (list) =>
    expect(check({ ...inARow(1, gone), [list]: UNREADABLE })).toMatchObject({ kind: 'unknown', reason: 'forbidden' }),
  );
});
