import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { kubernetesEventsOf } from './request-events.ts';
import { aReference, aRequest, at } from '../testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;

const told = (before: Status | undefined, after: Status): readonly string[] =>
  kubernetesEventsOf(aRequest(before), aRequest(after)).map(({ type, reason, message }) => `${type} ${reason} ${message}`);

const PENDING: Status = { overallPhase: 'Pending', message: 'waiting' };
const ANALYZING: Status = { overallPhase: 'Analyzing', message: 'looking' };
const VERIFYING: Status = { overallPhase: 'Verifying', message: 'judging' };
const DUPLICATE: Status = {
  overallPhase: 'Blocked',
  blockReason: 'DuplicateInProgress',
  duplicateOf: 'rr-first',
  message: 'rr-first is at work',
};

describe('the Events of a request', () => {
  test.for<{ reason: string; before?: Status; after: Status; want: string }>([
    {
      reason: 'RemediationCreated',
      after: PENDING,
      want: 'Normal RemediationCreated KubePodCrashLooping (critical) on shop/Pod/checkout-6d9f7c-x2x9k: the remediation starts',
    },
    {
      reason: 'PhaseTransition',
      before: { overallPhase: 'AwaitingApproval', message: 'waiting' },
      after: { overallPhase: 'Analyzing', message: 'the target changed' },
      want: 'Normal PhaseTransition AwaitingApproval → Analyzing: the target changed',
    },
    {
      reason: 'PhaseTransition, for ends without a name of their own',
      before: ANALYZING,
      after: { overallPhase: 'Cancelled', message: 'alex cancelled it: maintenance' },
      want: 'Normal PhaseTransition Analyzing → Cancelled: alex cancelled it: maintenance',
    },
    {
      reason: 'RemediationCompleted',
      before: VERIFYING,
      after: { overallPhase: 'Completed', outcome: 'Remediated', message: 'the alert is gone' },
      want: 'Normal RemediationCompleted Remediated: the alert is gone',
    },
    {
      reason: 'RemediationCompleted, with something left to do',
      before: VERIFYING,
      after: { overallPhase: 'Completed', outcome: 'Inconclusive', message: 'the alert still fires' },
      want: 'Warning RemediationCompleted Inconclusive: the alert still fires',
    },
    {
      reason: 'DryRunCompleted',
      before: ANALYZING,
      after: { overallPhase: 'Completed', outcome: 'DryRun', message: 'dry run: restart would have been run' },
      want: 'Normal DryRunCompleted dry run: restart would have been run',
    },
    {
      reason: 'RemediationFailed',
      before: ANALYZING,
      after: { overallPhase: 'Failed', failurePhase: 'AIAnalysis', message: 'no model answered: look at its log' },
      want: 'Warning RemediationFailed AIAnalysis: no model answered: look at its log',
    },
    {
      reason: 'RemediationTimeout',
      before: ANALYZING,
      after: { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing', message: 'ai-rr-checkout took over 10m' },
      want: 'Warning RemediationTimeout timed out in Analyzing: ai-rr-checkout took over 10m',
    },
    {
      reason: 'ApprovalRequired',
      before: ANALYZING,
      after: {
        overallPhase: 'AwaitingApproval',
        message: 'approval is needed: production',
        approvalRequestRef: aReference('RemediationApprovalRequest', 'rar-rr-checkout'),
      },
      want: 'Normal ApprovalRequired approval is needed: production; approve or reject RemediationApprovalRequest rar-rr-checkout',
    },
    {
      reason: 'EscalatedToManualReview',
      before: VERIFYING,
      after: { ...VERIFYING, requiresManualReview: true },
      want: 'Warning EscalatedToManualReview manual review is required: judging',
    },
    {
      reason: 'InheritedCompleted',
      before: DUPLICATE,
      after: { overallPhase: 'Completed', outcome: 'Remediated', message: 'the alert is gone' },
      want: 'Normal InheritedCompleted inherits the result of rr-first: Remediated: the alert is gone',
    },
    {
      reason: 'RemediationCompleted, where it healed while it waited for another',
      before: DUPLICATE,
      after: { overallPhase: 'Completed', outcome: 'NoActionRequired', message: 'the alert is gone' },
      want: 'Normal RemediationCompleted NoActionRequired: the alert is gone',
    },
    {
      reason: 'InheritedFailed',
      before: DUPLICATE,
      after: { overallPhase: 'Failed', failurePhase: 'Deduplicated', message: 'it failed' },
      want: 'Warning InheritedFailed inherits the result of rr-first: it failed',
    },
    {
      reason: 'HashCaptureDegraded',
      before: ANALYZING,
      after: {
        ...ANALYZING,
        conditions: [
          {
            type: 'PreRemediationHashCaptured',
            status: 'False',
            reason: 'Forbidden',
            message: 'may not read it',
            lastTransitionTime: at('10:02'),
          },
        ],
      },
      want: 'Warning HashCaptureDegraded the state of the target before the run is not recorded, so drift cannot be detected: may not read it',
    },
  ])('$reason', ({ before, after, want }) => {
    expect(told(before, after)).toEqual([want]);
  });

  test.for([
    { blockReason: 'ConsecutiveFailures', want: 'Warning ConsecutiveFailureBlocked' },
    { blockReason: 'DuplicateInProgress', want: 'Normal DuplicateBlocked' },
    { blockReason: 'ResourceBusy', want: 'Normal ResourceBusyBlocked' },
    { blockReason: 'RecentlyRemediated', want: 'Normal CooldownActive' },
    { blockReason: 'ExponentialBackoff', want: 'Normal CooldownActive' },
    { blockReason: 'UnmanagedResource', want: 'Warning UnmanagedResourceBlocked' },
    { blockReason: 'IneffectiveChain', want: 'Warning IneffectiveChainDetected' },
  ] as const)('$want, with until when', ({ blockReason, want }) => {
    const blocked: Status = { overallPhase: 'Blocked', blockReason, blockMessage: 'because', blockedUntil: at('11:00') };
    expect(told(PENDING, blocked)).toEqual([`${want} blocked: because (until ${at('11:00')})`]);
  });

  test('the steps of every remediation have no Event, any other step has', () => {
    const steps = ['Pending', 'Processing', 'Analyzing', 'AwaitingApproval', 'Executing', 'Verifying'] as const;
    const silent = steps.flatMap((from) =>
      steps
        .filter((to) => from !== to && told({ overallPhase: from }, { overallPhase: to, message: 'm' }).length === 0)
        .map((to) => `${from} → ${to}`),
    );
    expect(silent).toEqual([
      'Pending → Processing',
      'Processing → Analyzing',
      'Analyzing → Executing',
      'AwaitingApproval → Executing',
      'Executing → Verifying',
    ]);
  });

  test('another block is told, the same one with new words is not', () => {
    const first: Status = { ...DUPLICATE, blockedStartTime: at('10:01') };
    expect(told(first, { ...first, message: 'still at work' })).toEqual([]);
    expect(told(first, { ...first, blockedStartTime: at('10:05') })).toHaveLength(1);
    expect(told(first, { ...first, blockReason: 'ResourceBusy' })).toHaveLength(1);
  });

  test('nothing is told twice', () => {
    const conditions = [
      { type: 'PreRemediationHashCaptured', status: 'False', reason: 'x', message: 'x', lastTransitionTime: at('10:02') },
    ] as const;
    const states: readonly Status[] = [
      PENDING,
      { ...ANALYZING, conditions, requiresManualReview: true },
      { ...VERIFYING, effectivenessAssessmentRef: aReference('EffectivenessAssessment', 'ea') },
      DUPLICATE,
      { overallPhase: 'Failed' },
    ];
    for (const status of states) expect(told(status, { ...status, message: 'other words' })).toEqual([]);
  });

  test('a request without a phase has nothing to tell yet', () => {
    expect(kubernetesEventsOf(undefined, aRequest())).toEqual([]);
  });

  test('a long message is cut to what an Event holds', () => {
    const [note] = kubernetesEventsOf(aRequest(ANALYZING), aRequest({ overallPhase: 'Failed', message: 'x'.repeat(5_000) }));
    expect(note?.message).toHaveLength(1_000);
  });
});
