import { describe, expect, test } from 'vitest';
import { phaseNames } from '../../../api/phases.ts';
import { remediationPhases } from '../../../api/remediation-request/phases.ts';
import { HOUR, MINUTE } from '../../../base/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { TARGET_GONE } from '../verification/target-gone.ts';
import { draftNotification } from './messages.ts';
import { requiredNotifications } from './required-notifications.ts';
import type { RemediationStatus } from '../status.ts';
import { ago, anAnalysis, aRequest } from '../testing/builders.ts';

const noticed = (status: RemediationStatus | undefined, analysis?: ReturnType<typeof anAnalysis>) =>
  requiredNotifications(aRequest(status), analysis, DEFAULT_SETTINGS);

/** An analysis of a signal that matters so much to the business. */
function mattering(businessPriority: string): ReturnType<typeof anAnalysis> {
  const analysis = anAnalysis();
  const { analysisRequest } = analysis.spec;
  const signalContext = { ...analysisRequest.signalContext, businessPriority };
  return { ...analysis, spec: { ...analysis.spec, analysisRequest: { ...analysisRequest, signalContext } } };
}

describe('a notification is required for', () => {
  const quiet = phaseNames(remediationPhases).filter(
    (phase) => !remediationPhases.terminal.includes(phase) && phase !== 'AwaitingApproval' && phase !== 'Blocked',
  );

  test.each([undefined, ...quiet])('nothing in %s', (overallPhase) =>
    expect(noticed(overallPhase && { overallPhase, duplicateCount: 2 })).toEqual([]),
  );

  test.each([
    ['WaitingForBudget', ['nr-wait-rr']],
    ['BudgetPaused', ['nr-wait-rr']],
    ['WaitingForTarget', []],
    ['RecentlyRemediated', []],
    ['CooldownActive', []],
    ['Executing', []],
  ])('a run that waits: %s', (reason, names) => {
    const conditions = [{ type: 'Ready', status: 'Unknown' as const, reason, message: '', lastTransitionTime: ago(0) }];
    expect(noticed({ overallPhase: 'Executing', conditions }).map(({ name }) => name)).toEqual(names);
  });

  test('nothing in Blocked without a block reason', () => expect(noticed({ overallPhase: 'Blocked' })).toEqual([]));

  test.each([
    ['P0', 'Critical'],
    ['P1', 'High'],
    ['P2', 'Medium'],
    ['P3', 'Low'],
  ] as const)('an approval as urgently as the signal is: %s is %s', (businessPriority, priority) =>
    expect(noticed({ overallPhase: 'AwaitingApproval' }, mattering(businessPriority))).toEqual([
      { name: 'nr-approval-rr', about: 'approval', type: 'Approval', priority },
    ]),
  );

  test('an approval without a known priority', () =>
    expect(noticed({ overallPhase: 'AwaitingApproval' })).toMatchObject([{ priority: 'Low' }]));

  test('an approval once for each plan', () =>
    expect(noticed({ overallPhase: 'AwaitingApproval', analysisAttempt: 2 })).toMatchObject([{ name: 'nr-approval-rr-2' }]));

  test('its end and its block where a failure holds its signal back, with what the analysis says', () => {
    const status: RemediationStatus = {
      overallPhase: 'Blocked',
      blockReason: 'ConsecutiveFailures',
      failurePhase: 'AIAnalysis',
      completedAt: ago(0),
    };
    expect(noticed(status, anAnalysis({ subReason: 'WorkflowNotFound' }))).toMatchObject([
      { name: 'nr-manual-review-rr', priority: 'High' },
      { name: 'nr-block-consecutivefailures-rr', priority: 'High' },
    ]);
  });
});

describe('a review names who asks for it', () => {
  test.each<[string, RemediationStatus]>([
    ['AIAnalysis', { overallPhase: 'Completed', outcome: 'ManualReviewRequired' }],
    ['AIAnalysis', { overallPhase: 'Failed', failurePhase: 'AIAnalysis' }],
    ['WorkflowExecution', { overallPhase: 'Completed', outcome: 'Inconclusive' }],
    ['WorkflowExecution', { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' }],
    ['WorkflowExecution', { overallPhase: 'Skipped', skipReason: 'ExhaustedRetries' }],
    ['RoutingEngine', { overallPhase: 'Blocked', blockReason: 'IneffectiveChain' }],
  ])('%s: %j', (reviewSource, status) => expect(noticed(status)).toMatchObject([{ type: 'ManualReview', reviewSource }]));

  test('[CO-105] a failure of an execution that changed nothing asks for no review and is not critical (ruling 118)', () =>
    expect(noticed({ overallPhase: 'Failed', failurePhase: 'WorkflowExecution', requiresManualReview: false })).toEqual([
      { name: 'nr-escalation-rr', about: 'end', type: 'Escalation', priority: 'High' },
    ]));

  test.each([
    ['Critical', { humanReviewReason: 'alignment_check_failed', subReason: 'WorkflowNotFound' }],
    ['High', { subReason: 'TransientError' }],
    ['Medium', { humanReviewReason: 'low_confidence' }],
    ['Medium', {}],
  ] as const)('and is %s after %j', (priority, why) =>
    expect(noticed({ overallPhase: 'Failed', failurePhase: 'AIAnalysis' }, anAnalysis(why as never))).toMatchObject([{ priority }]),
  );
});

describe('a phase that ran out of time is named', () => {
  const ranOut = (timeoutPhase: string, start: string): RemediationStatus =>
    ({ overallPhase: 'TimedOut', timeoutPhase, startTime: ago(40 * MINUTE), [start]: ago(40 * MINUTE) }) as RemediationStatus;

  test.each([
    ['Processing', 'processingStartTime'],
    ['Analyzing', 'analyzingStartTime'],
    ['AwaitingApproval', 'awaitingApprovalStartTime'],
    ['Executing', 'executingStartTime'],
  ])('%s', (phase, start) => {
    expect(noticed(ranOut(phase, start))).toMatchObject([{ name: `phase-timeout-${phase.toLowerCase()}-rr` }]);
    expect(noticed({ ...ranOut(phase, start), startTime: ago(2 * HOUR) })).toMatchObject([{ name: 'timeout-rr' }]);
  });
});

describe('what only ended by itself is reported, and not escalated', () => {
  const STATUS = { type: 'StatusUpdate', priority: 'Low', about: 'end' };

  test.each(['ConsecutiveFailures', 'RecentlyRemediated', 'ExponentialBackoff'] as const)('a wait for %s', (blockReason) =>
    expect(noticed({ overallPhase: 'Failed', failurePhase: 'Blocked', blockReason, blockedUntil: ago(0) })).toMatchObject([
      { ...STATUS, name: 'nr-completion-rr' },
    ]),
  );

  test.each(['UnmanagedResource', 'ResourceBusy'] as const)('but a block by %s that nothing lifted is escalated', (blockReason) =>
    expect(noticed({ overallPhase: 'Failed', failurePhase: 'Blocked', blockReason })).toMatchObject([{ type: 'Escalation' }]),
  );

  test('a target that was deleted after its remediation', () => {
    const condition = {
      type: 'EffectivenessAssessed',
      status: 'False',
      reason: TARGET_GONE,
      message: '',
      lastTransitionTime: ago(0),
    } as const;
    const gone: RemediationStatus = { overallPhase: 'Completed', outcome: 'Inconclusive', conditions: [condition] };
    expect(noticed(gone)).toMatchObject([{ ...STATUS, name: 'nr-completion-rr' }]);
  });
});

describe('a notification of an end that is followed by a wait says what comes next', () => {
  const failed: RemediationStatus = { overallPhase: 'Failed', failurePhase: 'Approval', failureReason: 'no', nextAllowedExecution: ago(0) };
  const body = (asksAlertmanager: boolean, status: RemediationStatus = failed): string => {
    const [notice] = noticed(status);
    return notice ? draftNotification(notice, aRequest(status), undefined, asksAlertmanager).spec.body : '';
  };

  test('with an Alertmanager', () =>
    expect(body(true)).toContain(`After ${ago(0)} Sickbay asks Alertmanager, and opens a new request if the alert still fires`));

  test('and without one', () =>
    expect(body(false)).toContain(`After ${ago(0)} the next signal opens a new request; no Alertmanager is configured`));

  test('but not after a success', () =>
    expect(body(true, { overallPhase: 'Completed', outcome: 'Remediated' })).not.toContain('Alertmanager'));
});

describe('a notification says what the cause rests on, and how to read the rest', () => {
  const status: RemediationStatus = { overallPhase: 'Failed', failurePhase: 'WorkflowExecution', failureReason: 'exit code 1 since 09:37' };
  const body = (contributingFactors: readonly string[]): readonly string[] => {
    const rootCauseAnalysis = { summary: 'revision 2 crashes', signalType: 'CrashLoop', contributingFactors: [...contributingFactors] };
    const analysis = anAnalysis({ rootCauseAnalysis });
    const [notice] = noticed(status);
    return notice ? draftNotification(notice, aRequest(status), analysis).spec.body.split('\n') : [];
  };

  test('three findings, and how many more there are', () =>
    expect(body(['a', 'b', 'c', 'd', 'e'].map((name) => `finding ${name}`)).filter((line) => line.startsWith('Evidence'))).toEqual([
      'Evidence: finding a',
      'Evidence: finding b',
      'Evidence: finding c',
      'Evidence: 2 more findings',
    ]));

  test('none that the message says already', () => expect(body(['exit code 1']).filter((line) => line.startsWith('Evidence'))).toEqual([]));

  test('the command that explains the remediation', () => expect(body([]).at(-1)).toBe('Explain: sickbay explain rr -n sickbay-system'));
});

describe('the rows of the contract', () => {
  const ended: RemediationStatus = { overallPhase: 'Completed', outcome: 'Remediated' };

  test('[CO-109] without duplicates there is no notification about them', () => {
    for (const status of [ended, { ...ended, duplicateCount: 0 }]) expect(noticed(status).map(({ about }) => about)).toEqual(['end']);
    expect(noticed({ ...ended, duplicateCount: 1 }).map(({ about }) => about)).toEqual(['end', 'duplicates']);
  });

  test('[CO-113] a plan that needs approval is notified, with the commands that decide it', () => {
    const status: RemediationStatus = { overallPhase: 'AwaitingApproval', message: 'waits for approval until 03:15' };
    const [notice] = noticed(status);
    const { spec } = draftNotification(notice!, aRequest(status), anAnalysis());
    expect(spec).toMatchObject({ type: 'Approval', remediationRequestRef: { name: 'rr' } });
    expect(spec.body).toMatch(/waits for approval until 03:15[\s\S]*Approve: sickbay approve rr [\s\S]*Reject: {2}sickbay reject rr /);
  });

  test('[CO-114] an ineffective chain asks people for a review', () =>
    expect(noticed({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain' })).toMatchObject([
      { type: 'ManualReview', reviewSource: 'RoutingEngine', priority: 'High' },
    ]));

  test('[CO-123] a notification is deleted with its request, whose controller reference it has', () => {
    const request = aRequest(ended);
    const { metadata } = draftNotification(noticed(ended)[0]!, request, undefined);
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'RemediationRequest', uid: request.metadata.uid, controller: true }]);
  });
});
