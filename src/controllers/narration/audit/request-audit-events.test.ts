import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { AUDIT_TYPES, type AuditEvent, type AuditType } from '../../../store/audit-log.ts';
import { auditEventsOf } from './request-audit-events.ts';
import { anApproval, aReference, aRequest, at } from '../testing/builders.ts';

type Status = NonNullable<RemediationRequest['status']>;

const STARTED: Status = { overallPhase: 'Pending', startTime: at('10:01') };
const EXECUTED: Status = {
  ...STARTED,
  overallPhase: 'Verifying',
  processingStartTime: at('10:01'),
  analyzingStartTime: at('10:02'),
  executingStartTime: at('10:03'),
  verifyingStartTime: at('10:04'),
  workflowExecutionRef: aReference('WorkflowExecution', 'we-rr-checkout'),
  effectivenessAssessmentRef: aReference('EffectivenessAssessment', 'ea-rr-checkout'),
};
const REMEDIATED: Status = {
  ...EXECUTED,
  overallPhase: 'Completed',
  outcome: 'Remediated',
  completedAt: at('10:20'),
  message: 'it is well',
};

/** The id without the UID of the object that it begins with. */
const mark = ({ id, subject }: AuditEvent): string => {
  expect(id.startsWith(`${subject.uid}/`)).toBe(true);
  return id.slice(subject.uid.length + 1);
};

const marks = (request: RemediationRequest, ...approvals: ReturnType<typeof anApproval>[]): readonly string[] =>
  auditEventsOf(request, approvals).map(mark);

const only = (type: AuditType, status: Status | undefined, approvals: ReturnType<typeof anApproval>[] = []): readonly AuditEvent[] =>
  auditEventsOf(aRequest(status), approvals).filter((event) => event.type === type);

describe('what a state implies', () => {
  test.for<{ type: AuditType; status?: Status; at: string; mark: string; data: object; reason?: string }>([
    {
      type: 'orchestrator.lifecycle.created',
      at: at('10:00'),
      mark: '',
      data: { signal: 'KubePodCrashLooping', severity: 'critical', target: 'shop/Pod/checkout-6d9f7c-x2x9k' },
      reason: 'it needs no status',
    },
    {
      type: 'orchestrator.lifecycle.started',
      status: { ...STARTED, timeoutConfig: { global: '1h' } },
      at: at('10:01'),
      mark: '',
      data: { timeouts: { global: '1h' } },
    },
    {
      type: 'orchestrator.phase.transitioned',
      status: { ...STARTED, overallPhase: 'Analyzing', analyzingStartTime: at('10:02'), analysisAttempt: 2 },
      at: at('10:02'),
      mark: `/Analyzing@${at('10:02')}`,
      data: { phase: 'Analyzing', attempt: 2 },
    },
    {
      type: 'orchestrator.lifecycle.transitioned',
      status: {
        ...STARTED,
        overallPhase: 'Cancelled',
        completedAt: at('10:05'),
        message: 'alex cancelled it',
        cancellation: { by: 'alex', reason: 'maintenance', requestedAt: at('10:05') },
      },
      at: at('10:05'),
      mark: `/Cancelled@${at('10:05')}`,
      data: { phase: 'Cancelled', message: 'alex cancelled it', cancelledBy: 'alex', because: 'maintenance' },
    },
    {
      type: 'orchestrator.lifecycle.completed',
      status: {
        ...REMEDIATED,
        workflowDisplayName: 'raise-memory-limit:1.2.0',
        planDigest: 'sha256:e',
        preRemediationSpecHash: 'sha256:4',
      },
      at: at('10:20'),
      mark: '',
      data: {
        outcome: 'Remediated',
        workflow: 'raise-memory-limit:1.2.0',
        planDigest: 'sha256:e',
        preRemediationSpecHash: 'sha256:4',
      },
    },
    {
      type: 'orchestrator.lifecycle.failed',
      status: {
        ...STARTED,
        overallPhase: 'Failed',
        completedAt: at('10:05'),
        failurePhase: 'AIAnalysis',
        failureReason: 'no model answered',
        consecutiveFailureCount: 2,
      },
      at: at('10:05'),
      mark: '',
      data: { phase: 'Failed', failurePhase: 'AIAnalysis', failureReason: 'no model answered', consecutiveFailures: 2 },
    },
    {
      type: 'orchestrator.lifecycle.failed',
      status: { ...STARTED, overallPhase: 'TimedOut', completedAt: at('11:05'), timeoutPhase: 'Executing' },
      at: at('11:05'),
      mark: '',
      data: { phase: 'TimedOut', timeoutPhase: 'Executing' },
      reason: 'whatever ends without success failed',
    },
    {
      type: 'orchestrator.lifecycle.verifying_started',
      status: EXECUTED,
      at: at('10:04'),
      mark: '',
      data: { execution: 'we-rr-checkout' },
    },
    {
      type: 'orchestrator.lifecycle.verification_completed',
      status: { ...REMEDIATED, outcome: 'Inconclusive' },
      at: at('10:20'),
      mark: '',
      data: { outcome: 'Inconclusive' },
    },
    {
      type: 'orchestrator.lifecycle.verification_timed_out',
      status: { ...REMEDIATED, outcome: 'VerificationTimedOut' },
      at: at('10:20'),
      mark: '',
      data: { outcome: 'VerificationTimedOut' },
    },
    {
      type: 'orchestrator.approval.requested',
      status: {
        ...STARTED,
        overallPhase: 'AwaitingApproval',
        awaitingApprovalStartTime: at('10:03'),
        approvalRequestRef: aReference('RemediationApprovalRequest', 'rar-rr-checkout'),
        planDigest: 'sha256:e',
      },
      at: at('10:03'),
      mark: '/uid-of-rar-rr-checkout',
      data: { approval: 'rar-rr-checkout', planDigest: 'sha256:e' },
    },
    {
      type: 'orchestrator.routing.blocked',
      status: {
        ...STARTED,
        overallPhase: 'Blocked',
        blockedStartTime: at('10:02'),
        blockReason: 'DuplicateInProgress',
        blockMessage: 'rr-first is at work',
        duplicateOf: 'rr-first',
      },
      at: at('10:02'),
      mark: `/DuplicateInProgress@${at('10:02')}`,
      data: { reason: 'DuplicateInProgress', message: 'rr-first is at work', blockedBy: 'rr-first' },
    },
    {
      type: 'orchestrator.routing.blocked',
      status: {
        ...STARTED,
        overallPhase: 'Blocked',
        blockedStartTime: at('10:02'),
        blockReason: 'ResourceBusy',
        blockingWorkflowExecution: 'we-other',
        blockedUntil: at('10:03'),
      },
      at: at('10:02'),
      mark: `/ResourceBusy@${at('10:02')}`,
      data: { reason: 'ResourceBusy', until: at('10:03'), blockedBy: 'we-other' },
    },
    {
      type: 'orchestrator.ea.created',
      status: EXECUTED,
      at: at('10:04'),
      mark: '/uid-of-ea-rr-checkout',
      data: { assessment: 'ea-rr-checkout' },
    },
    {
      type: 'orchestrator.ea.created',
      status: {
        ...STARTED,
        overallPhase: 'Failed',
        completedAt: at('10:09'),
        effectivenessAssessmentRef: aReference('EffectivenessAssessment', 'ea-rr-checkout'),
      },
      at: at('10:09'),
      mark: '/uid-of-ea-rr-checkout',
      data: { assessment: 'ea-rr-checkout' },
      reason: 'a run that failed is assessed too',
    },
    {
      type: 'orchestrator.routing.freeze_overridden',
      status: { ...EXECUTED, freezeOverride: { by: 'dana', reason: 'customers cannot pay', at: at('10:03') } },
      at: at('10:03'),
      mark: '',
      data: { by: 'dana', reason: 'customers cannot pay' },
      reason: 'it ran in spite of a change freeze',
    },
    {
      type: 'orchestrator.remediation.manual_review',
      status: { ...STARTED, overallPhase: 'Completed', outcome: 'ManualReviewRequired', completedAt: at('10:05'), message: 'look at it' },
      at: at('10:05'),
      mark: '',
      data: { outcome: 'ManualReviewRequired', reason: 'look at it' },
    },
    {
      type: 'orchestrator.remediation.manual_review',
      status: {
        ...STARTED,
        overallPhase: 'Blocked',
        requiresManualReview: true,
        blockReason: 'IneffectiveChain',
        blockedStartTime: at('10:02'),
        message: 'three in a row did not help',
      },
      at: at('10:02'),
      mark: '',
      data: { reason: 'three in a row did not help' },
      reason: 'it is held back until a person has looked',
    },
  ])('$type: $reason', ({ type, status, mark: wanted, data, ...want }) => {
    const [event, ...more] = only(type, status);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ at: want.at, correlationId: 'rr-checkout', data });
    expect(event?.subject).toEqual({
      kind: 'RemediationRequest',
      namespace: 'sickbay-system',
      name: 'rr-checkout',
      uid: 'uid-of-rr-checkout',
    });
    expect(event && mark(event)).toBe(`${type}${wanted}`);
  });

  test.for([
    { decision: 'Approved', type: 'orchestrator.approval.approved' },
    { decision: 'Rejected', type: 'orchestrator.approval.rejected' },
    { decision: 'Expired', type: 'orchestrator.approval.expired' },
  ] as const)('$type', ({ decision, type }) => {
    const approval = anApproval({
      decision,
      decidedBy: 'alex',
      decidedVia: 'chat',
      decidedAt: at('10:05'),
      decisionMessage: 'as I see it',
    });
    const [event] = only(type, STARTED, [approval]);
    expect(event).toEqual({
      id: `uid-of-rar-rr-checkout/${type}`,
      type,
      correlationId: 'rr-checkout',
      subject: { kind: 'RemediationApprovalRequest', namespace: 'sickbay-system', name: 'rar-rr-checkout', uid: 'uid-of-rar-rr-checkout' },
      at: at('10:05'),
      data: { decision, by: 'alex', via: 'chat', message: 'as I see it', planDigest: approval.spec.planDigest },
    });
  });

  test('every type has its case here', () => {
    const blocked: Status = { ...EXECUTED, overallPhase: 'Blocked', blockReason: 'ResourceBusy', blockedStartTime: at('10:05') };
    const asked: Status = {
      ...REMEDIATED,
      awaitingApprovalStartTime: at('10:03'),
      approvalRequestRef: aReference('RemediationApprovalRequest', 'rar-rr-checkout'),
      requiresManualReview: true,
    };
    const states = [
      blocked,
      asked,
      { ...REMEDIATED, outcome: 'VerificationTimedOut' as const },
      { ...EXECUTED, freezeOverride: { by: 'dana', reason: '', at: at('10:03') } },
      { ...STARTED, overallPhase: 'Failed' as const, completedAt: at('10:05') },
    ];
    const decisions = (['Approved', 'Rejected', 'Expired'] as const).map((decision) => anApproval({ decision, decidedAt: at('10:05') }));
    const types = new Set(states.flatMap((status) => auditEventsOf(aRequest(status), decisions)).map(({ type }) => type));
    expect([...types].toSorted()).toEqual(AUDIT_TYPES.filter((type) => type.startsWith('orchestrator.')).toSorted());
  });
});

describe('the whole story', () => {
  test('is told in the order in which it happened', () => {
    expect(marks(aRequest(REMEDIATED))).toEqual([
      'orchestrator.lifecycle.created',
      'orchestrator.lifecycle.started',
      `orchestrator.phase.transitioned/Processing@${at('10:01')}`,
      `orchestrator.phase.transitioned/Analyzing@${at('10:02')}`,
      `orchestrator.phase.transitioned/Executing@${at('10:03')}`,
      `orchestrator.phase.transitioned/Verifying@${at('10:04')}`,
      'orchestrator.lifecycle.verifying_started',
      'orchestrator.ea.created/uid-of-ea-rr-checkout',
      'orchestrator.lifecycle.verification_completed',
      'orchestrator.lifecycle.completed',
      `orchestrator.lifecycle.transitioned/Completed@${at('10:20')}`,
    ]);
  });

  test('a failure that is held back and ends again failed once and ended twice', () => {
    const failed: Status = { ...STARTED, overallPhase: 'Failed', completedAt: at('10:05') };
    const blocked: Status = { ...failed, overallPhase: 'Blocked', blockReason: 'ConsecutiveFailures', blockedStartTime: at('10:05') };
    const again: Status = { ...blocked, overallPhase: 'Failed', completedAt: at('11:05') };
    expect(marks(aRequest(blocked))).toEqual(expect.arrayContaining([...marks(aRequest(failed))]));
    const added = marks(aRequest(again)).filter((id) => !marks(aRequest(blocked)).includes(id));
    expect(added).toEqual([`orchestrator.lifecycle.transitioned/Failed@${at('11:05')}`]);
  });

  test('a request of the same name and another UID is another story', () => {
    const first = auditEventsOf(aRequest(REMEDIATED)).map(({ id }) => id);
    const second = aRequest(REMEDIATED);
    const ids = auditEventsOf({ ...second, metadata: { ...second.metadata, uid: 'another' } }).map(({ id }) => id);
    expect(ids.filter((id) => first.includes(id))).toEqual([]);
  });

  test('nothing is told of what was not written', () => {
    expect(marks(aRequest())).toEqual(['orchestrator.lifecycle.created']);
    expect(marks(aRequest({ overallPhase: 'Completed', outcome: 'ManualReviewRequired' }))).toEqual(['orchestrator.lifecycle.created']);
    expect(marks(aRequest({ overallPhase: 'Blocked', blockReason: 'ResourceBusy' }))).toEqual(['orchestrator.lifecycle.created']);
    expect(only('orchestrator.routing.blocked', { ...STARTED, blockedStartTime: at('10:02') })).toEqual([]);
    expect(
      only('orchestrator.lifecycle.verification_completed', { ...STARTED, overallPhase: 'Completed', completedAt: at('10:05') }),
    ).toEqual([]);
  });

  test('long texts are cut', () => {
    const [event] = only('orchestrator.lifecycle.transitioned', { ...REMEDIATED, message: 'x'.repeat(5_000) });
    expect(event?.data['message']).toHaveLength(1_024);
  });
});

describe('a decision', () => {
  const decided = { decision: 'Approved', decidedAt: at('10:05'), decidedBy: 'alex' } as const;

  test('about another request is none about this one', () => {
    expect(marks(aRequest(STARTED), anApproval(decided, aRequest(undefined, 'rr-other')))).toEqual(marks(aRequest(STARTED)));
  });

  test('that was not made, or that has no time, is no decision', () => {
    for (const status of [undefined, {}, { decision: '' as const }, { decision: 'Approved' as const }])
      expect(marks(aRequest(STARTED), anApproval(status))).toEqual(marks(aRequest(STARTED)));
  });

  test('for every plan of a request is told', () => {
    const approvals = [anApproval(decided), anApproval({ ...decided, decision: 'Rejected' }, aRequest(), 2)];
    expect(
      auditEventsOf(aRequest(STARTED), approvals)
        .map(({ id }) => id)
        .slice(-2),
    ).toEqual(['uid-of-rar-rr-checkout/orchestrator.approval.approved', 'uid-of-rar-rr-checkout-2/orchestrator.approval.rejected']);
  });

  test('that changed the plan says how, without the values of parameters', () => {
    const workflowOverride = { workflowName: 'restart', parameters: { TOKEN: 's3cret', A: 'b' }, rationale: 'safer' };
    const [event] = only('orchestrator.approval.approved', STARTED, [anApproval({ ...decided, workflowOverride })]);
    expect(event?.data['override']).toEqual({ workflow: 'restart', parameters: ['A', 'TOKEN'], rationale: 'safer' });
    expect(JSON.stringify(event)).not.toContain('s3cret');
  });
});
