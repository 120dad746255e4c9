import fc from 'fast-check';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../../api/remediation-approval-request/remediation-approval-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { COUNTERS, type Increment } from './counters.ts';
import { approvalMetricsOf, metricsOf } from './request-increments.ts';
import { createNarrationMetrics } from './narration-metrics.ts';
import { anApproval, aReference, aRequest } from '../testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;

const text = ({ counter, labels }: Increment): string =>
  `${counter} ${Object.entries(labels)
    .filter(([label]) => label !== 'namespace')
    .map(([label, value]) => `${label}=${value}`)
    .join(' ')}`.trim();

const counted = (before: Status | undefined, after: Status): readonly string[] =>
  metricsOf(before && aRequest(before), aRequest(after)).map(text);

describe('what is counted', () => {
  test.for<{ before?: Status; after: Status; want: readonly string[] }>([
    { after: { overallPhase: 'Pending' }, want: ['phase_transitions_total from_phase= to_phase=Pending'] },
    {
      before: { overallPhase: 'Pending' },
      after: { overallPhase: 'Processing', signalProcessingRef: aReference('SignalProcessing', 'sp') },
      want: ['child_crd_creations_total child_type=SignalProcessing', 'phase_transitions_total from_phase=Pending to_phase=Processing'],
    },
    {
      before: { overallPhase: 'Failed', notificationRequestRefs: [aReference('NotificationRequest', 'a')] },
      after: {
        overallPhase: 'Failed',
        notificationRequestRefs: [aReference('NotificationRequest', 'a'), aReference('NotificationRequest', 'b')],
      },
      want: ['child_crd_creations_total child_type=NotificationRequest'],
    },
    {
      before: { overallPhase: 'Pending' },
      after: { overallPhase: 'Blocked', blockReason: 'DuplicateInProgress' },
      want: [
        'phase_transitions_total from_phase=Pending to_phase=Blocked',
        'blocked_total reason=DuplicateInProgress',
        'duplicates_skipped_total',
      ],
    },
    {
      before: { overallPhase: 'Analyzing' },
      after: { overallPhase: 'Blocked', blockReason: 'ResourceBusy' },
      want: ['phase_transitions_total from_phase=Analyzing to_phase=Blocked', 'blocked_total reason=ResourceBusy'],
    },
    {
      before: { overallPhase: 'Executing' },
      after: { overallPhase: 'TimedOut', timeoutPhase: 'Executing' },
      want: ['phase_transitions_total from_phase=Executing to_phase=TimedOut', 'timeouts_total phase=Executing'],
    },
    {
      before: { overallPhase: 'Analyzing' },
      after: { overallPhase: 'Completed', outcome: 'NoActionRequired', nextAllowedExecution: '2026-03-03T10:00:00Z' },
      want: ['phase_transitions_total from_phase=Analyzing to_phase=Completed', 'no_action_needed_total reason=WorkflowNotNeeded'],
    },
    {
      before: { overallPhase: 'Analyzing' },
      after: { overallPhase: 'Completed', outcome: 'NoActionRequired' },
      want: ['phase_transitions_total from_phase=Analyzing to_phase=Completed', 'no_action_needed_total reason=Healed'],
    },
    { before: { overallPhase: 'Pending' }, after: { overallPhase: 'Pending', message: 'other words' }, want: [] },
    { after: {}, want: [] },
  ])('$want', ({ before, after, want }) => {
    expect(counted(before, after)).toEqual(want);
  });

  test.for<{ status: NonNullable<RemediationApprovalRequest['status']>; want: readonly string[] }>([
    { status: { decision: 'Rejected' }, want: ['approval_decisions_total decision=Rejected'] },
    { status: { decision: 'Expired' }, want: ['approval_decisions_total decision=Expired'] },
    {
      status: { decision: 'Approved', workflowOverride: { workflowName: 'w', parameters: { A: 'b' } } },
      want: ['approval_decisions_total decision=Approved', 'rar_override_applied_total type=both'],
    },
    {
      status: { decision: 'Approved', workflowOverride: { workflowName: 'w' } },
      want: ['approval_decisions_total decision=Approved', 'rar_override_applied_total type=workflow'],
    },
    {
      status: { decision: 'Approved', workflowOverride: { parameters: { A: 'b' } } },
      want: ['approval_decisions_total decision=Approved', 'rar_override_applied_total type=params'],
    },
    {
      status: { decision: 'Approved', workflowOverride: {} },
      want: ['approval_decisions_total decision=Approved', 'rar_override_applied_total type=none'],
    },
    { status: { decision: '' }, want: [] },
  ])('$want', ({ status, want }) => {
    expect(approvalMetricsOf(anApproval({}), anApproval(status)).map(text)).toEqual(want);
    expect(approvalMetricsOf(anApproval({ decision: 'Approved' }), anApproval(status))).toEqual([]);
  });
});

describe('labels', () => {
  /** Whatever a status holds, in the members that labels are made of. */
  const anything = fc.record(
    {
      overallPhase: fc.oneof(fc.string(), fc.constantFrom('Blocked', 'TimedOut', 'Completed')),
      blockReason: fc.string(),
      timeoutPhase: fc.string(),
      outcome: fc.constantFrom('NoActionRequired', 'Remediated'),
      aiAnalysisRef: fc.record({ kind: fc.string(), uid: fc.string() }),
    },
    { requiredKeys: [] },
  ) as unknown as fc.Arbitrary<Status>;

  test('have few values, whatever a client writes into a status', () => {
    const seen = new Map<string, Set<string>>();
    fc.assert(
      fc.property(anything, anything, (before, after) => {
        for (const { counter, labels } of metricsOf(aRequest(before), aRequest(after))) {
          expect(Object.keys(labels).toSorted()).toEqual([...COUNTERS[counter].labels].toSorted());
          for (const [label, value] of Object.entries(labels)) seen.set(label, (seen.get(label) ?? new Set()).add(value));
        }
      }),
      { numRuns: 500 },
    );
    expect([...seen.values()].every((values) => values.size <= 14)).toBe(true);
    expect(seen.get('to_phase')).toContain('other');
    expect(seen.get('namespace')).toEqual(new Set(['sickbay-system']));
  });

  test('are never made of the signal', () => {
    for (const { labels } of Object.values(COUNTERS)) expect(labels).not.toContain('fingerprint');
  });
});

test('Prometheus gets the names that dashboards know', async () => {
  const registry = new Registry();
  const metrics = createNarrationMetrics(registry);
  metrics.follow({
    pendingEvents: () => 7,
    blocked: () => new Map([['sickbay-system', 2]]),
    failures: () => new Map([['shop/Deployment/checkout', 3]]),
  });
  metrics.count([...metricsOf(aRequest({ overallPhase: 'Pending' }), aRequest({ overallPhase: 'Blocked', blockReason: 'ResourceBusy' }))]);
  metrics.count(approvalMetricsOf(undefined, anApproval({ decision: 'Approved', workflowOverride: {} })));
  metrics.count([{ counter: 'workflowexecution_backoff_skip_total', labels: { reason: 'ExhaustedRetries' } }]);
  metrics.dropped();
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'kubernaut_remediationorchestrator_phase_transitions_total{from_phase="Pending",to_phase="Blocked",namespace="sickbay-system"} 1',
      'kubernaut_remediationorchestrator_blocked_total{namespace="sickbay-system",reason="ResourceBusy"} 1',
      'kubernaut_remediationorchestrator_current_blocked{namespace="sickbay-system"} 2',
      'kubernaut_remediationorchestrator_approval_decisions_total{decision="Approved",namespace="sickbay-system"} 1',
      'kubernaut_rar_override_applied_total{type="none",namespace="sickbay-system"} 1',
      'workflowexecution_backoff_skip_total{reason="ExhaustedRetries"} 1',
      'workflowexecution_consecutive_failures{target_resource="shop/Deployment/checkout"} 3',
      'sickbay_audit_pending_events 7',
      'sickbay_events_dropped_total 1',
    ]),
  );
});
