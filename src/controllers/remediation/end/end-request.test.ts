import { describe, expect, test } from 'vitest';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, toTime, type Instant } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import { metricsOf } from '../../narration/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { requiredNotifications } from '../notifications/required-notifications.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import {
  all,
  anAssessment as theirs,
  anEarlyEvidence,
  anEvidence,
  aRequest as another,
  failed as failedOne,
  remediated,
} from '../routing/testing/builders.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  anApproval,
  anAssessment,
  anExecution,
  aProcessing,
  aRequest,
  at,
  awaiting,
  executing,
  NOTHING_TOLD,
  NOW,
  pending,
  processing,
  value,
  verifying,
} from '../testing/builders.ts';

const decided = (object: RemediationRequest, seen: Partial<RemediationSeen>, now: Instant = NOW) => {
  const base = { ...onlyRequest(object, DEFAULT_SETTINGS), siblings: { kind: 'value', value: [object] } } as const;
  const { status, effects } = decide({ ...base, messages: NOTHING_TOLD, identityIsChecked: true, ...seen }, now);
  return { status: status as RemediationStatus, effects };
};

const FAILURE = {
  reason: 'TaskFailed',
  message: 'exit 1',
  naturalLanguageSummary: 'revision 1 is gone: roll forward by hand',
  failedAt: ago(0),
  failedTaskName: 'workflow',
  failedTaskIndex: 0,
  wasExecutionFailure: true,
} as const;
const BLOCKED: RemediationStatus = {
  ...pending,
  overallPhase: 'Blocked',
  blockReason: 'ExponentialBackoff',
  blockedStartTime: ago(MINUTE),
  blockedUntil: ago(0),
};

/** A failure in each stage: where the request stands, what it sees, and the error that came of it. */
interface Failing {
  readonly stage: string;
  readonly status: RemediationStatus;
  readonly seen: Partial<RemediationSeen>;
  readonly error: string;
}

const STAGES: readonly Failing[] = [
  {
    stage: 'SignalProcessing',
    status: processing,
    seen: { processing: value(aProcessing({ phase: 'Failed', error: 'Deployment shop/checkout cannot be read: forbidden' })) },
    error: 'Deployment shop/checkout cannot be read: forbidden',
  },
  {
    stage: 'AIAnalysis',
    status: analyzing,
    seen: { analysis: value(anAnalysis({ phase: 'Failed', selectedWorkflow: undefined, message: 'its pods could not be listed' })) },
    error: 'its pods could not be listed',
  },
  {
    stage: 'Approval',
    status: awaiting,
    seen: {
      analysis: value(anAnalysis({ approvalRequired: true })),
      approval: value(anApproval({ decision: 'Rejected', decidedBy: 'alex', decidedAt: ago(0), decisionMessage: 'not during the sale' })),
    },
    error: 'alex rejected rollback-deployment:1.0.0 on Deployment shop/checkout: not during the sale',
  },
  {
    stage: 'WorkflowExecution',
    status: executing,
    seen: { execution: value(anExecution({ phase: 'Failed', failureDetails: FAILURE })) },
    error: 'revision 1 is gone: roll forward by hand',
  },
];
const BLOCK: Failing = {
  stage: 'Blocked',
  status: BLOCKED,
  seen: { evidence: anEarlyEvidence({ request: aRequest(BLOCKED) }) },
  error: 'ExponentialBackoff: its block has ended',
};

describe('a failure', () => {
  test.each([...STAGES, BLOCK])(
    '[RR-245] in $stage is told to people, with the error and what it is about',
    ({ stage, status, seen, error }) => {
      const failed = decided(aRequest(status), seen).status;
      expect(failed).toMatchObject({
        overallPhase: 'Failed',
        failurePhase: stage,
        failureReason: expect.stringContaining(error) as string,
      });
      const { effects } = decided(aRequest(failed), { ...seen, execution: ABSENT });
      const [message] = effects.flatMap((effect) =>
        effect.kind === 'Create' && effect.resource.kind === 'NotificationRequest' ? [effect.object as unknown as NotificationRequest] : [],
      );
      expect(message?.spec.body).toContain(error);
      expect(message?.spec.subject).toContain('KubePodCrashLooping on Deployment shop/checkout');
      expect(message?.spec.context).toMatchObject({
        lineage: { remediationRequest: 'rr' },
        target: { targetResource: 'shop/Deployment/checkout' },
      });
      expect(message?.spec.phase).toBe('Failed');
    },
  );

  const earlier = [3, 2, 1].map((hours) => failedOne(`f${hours}`, hours * HOUR));

  test.each(STAGES.flatMap((failing) => [0, 1, 2, 3].map((count) => ({ ...failing, count }))))(
    '[RR-171] in $stage after $count others raises the count by one',
    ({ status, seen, count }) => {
      const object = aRequest(status);
      const siblings = { kind: 'value', value: [object, ...earlier.slice(3 - count)] } as const;
      expect(decided(object, { ...seen, siblings }).status.consecutiveFailureCount).toBe(count + 1);
    },
  );

  test('[RR-171] of a block that is over raises nothing', () => {
    const object = aRequest(BLOCK.status);
    const siblings = { kind: 'value', value: [object, ...earlier.slice(1)] } as const;
    expect(decided(object, { ...BLOCK.seen, siblings }).status.consecutiveFailureCount).toBe(2);
  });

  test('[RR-173] after failure leads the next signal of the fingerprint into ConsecutiveFailures', () => {
    const history: RemediationRequest[] = [];
    for (const minute of [0, 1, 2]) {
      const object = another(`rr-${minute}`, executing);
      const run = { ...anExecution({ phase: 'Failed', failureDetails: FAILURE }) };
      const ours = { ...run, metadata: { ...run.metadata, ownerReferences: [owner(object)] } };
      const arrival = decided(
        another('next', pending),
        { processing: ABSENT, evidence: anEarlyEvidence({ others: all(...history) }) },
        at(HOUR),
      );
      expect(arrival.status.blockReason).not.toBe('ConsecutiveFailures');
      const siblings = { kind: 'value', value: [object, ...history] } as const;
      const { status } = decided(object, { execution: value(ours), siblings }, at(minute * MINUTE));
      expect(status).toMatchObject({ overallPhase: 'Failed', consecutiveFailureCount: minute + 1 });
      history.push(another(`rr-${minute}`, status));
    }
    const evidence = anEarlyEvidence({ others: all(...history) });
    expect(decided(another('next', pending), { processing: ABSENT, evidence }, at(3 * MINUTE)).status).toMatchObject({
      overallPhase: 'Blocked',
      blockReason: 'ConsecutiveFailures',
    });
  });

  const owner = ({ metadata }: RemediationRequest) => ({
    apiVersion: 'kubernaut.ai/v1alpha1',
    kind: 'RemediationRequest',
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
  });
});

const score = (alertScore: number, more: object = {}) => ({
  healthAssessed: true,
  healthScore: 1,
  alertAssessed: true,
  alertScore,
  ...more,
});

describe('the count of failures in a row', () => {
  /** Two failures lie behind it. */
  const before = [failedOne('f1', 2 * HOUR), failedOne('f2', HOUR)];
  const skipped = anExecution({ phase: 'Skipped', skipDetails: { reason: 'ResourceBusy', message: 'busy', skippedAt: ago(0) } });
  const annotated = (status: RemediationStatus): RemediationRequest => {
    const request = aRequest(status);
    return { ...request, metadata: { ...request.metadata, annotations: { 'kubernaut.ai/cancel': 'stop' } } };
  };

  const ends: readonly [string, number, RemediationRequest, Partial<RemediationSeen>, number?][] = [
    ['Failed', 3, aRequest(executing), { execution: value(anExecution({ phase: 'Failed' })) }],
    ['TimedOut', 3, aRequest(executing), { execution: value(anExecution({ phase: 'Running' })) }, HOUR],
    [
      'Remediated',
      0,
      aRequest(verifying),
      { assessment: value(anAssessment({ phase: 'Completed', assessmentReason: 'Full', components: score(1) })) },
    ],
    [
      'Inconclusive',
      3,
      aRequest(verifying),
      { assessment: value(anAssessment({ phase: 'Completed', assessmentReason: 'Full', components: score(0) })) },
    ],
    ['VerificationTimedOut', 2, aRequest(verifying), { assessment: value(anAssessment({ phase: 'Stabilizing' })) }, 10 * HOUR],
    [
      'NoActionRequired',
      2,
      aRequest(analyzing),
      { analysis: value(anAnalysis({ reason: 'WorkflowNotNeeded', selectedWorkflow: undefined })) },
    ],
    [
      'ManualReviewRequired',
      2,
      aRequest(analyzing),
      { analysis: value(anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined })) },
    ],
    ['Skipped', 2, aRequest(executing), { execution: value(skipped) }],
    ['Cancelled', 2, annotated(executing), {}],
  ];

  test.each(ends)('[RR-229] is brought up to date with the end: %s makes it %d', (...[end, count, object, seen, ms = 0]) => {
    const siblings = { kind: 'value', value: [object, ...before] } as const;
    const { status } = decided(object, { ...seen, siblings }, at(ms));
    expect([status.outcome ?? status.overallPhase, status.consecutiveFailureCount]).toEqual([end, count]);
  });

  test.each(ends)('Ready says what it came to: %s', (...[end, , object, seen, ms = 0]) => {
    const { status } = decided(object, seen, at(ms));
    const hasFailed = ['Failed', 'TimedOut', 'Skipped', 'Cancelled'].includes(end);
    expect(getCondition(status.conditions, 'Ready')).toMatchObject({
      status: hasFailed ? 'False' : 'True',
      reason: end,
      message: status.message,
    });
  });

  test('counts itself once, also where the list shows its end before it sees that itself', () => {
    const object = aRequest(executing);
    const ahead = aRequest({ ...executing, overallPhase: 'Failed', failurePhase: 'WorkflowExecution', completedAt: ago(0) });
    const siblings = { kind: 'value', value: [ahead, ...before] } as const;
    const { status } = decided(object, { execution: value(anExecution({ phase: 'Failed' })), siblings });
    expect(status.consecutiveFailureCount).toBe(3);
  });

  test('[RR-229] a success among the others resets it', () => {
    const object = aRequest(executing);
    const siblings = {
      kind: 'value',
      value: [object, failedOne('f0', 3 * HOUR), remediated('ok', 2 * HOUR), failedOne('f2', HOUR)],
    } as const;
    expect(decided(object, { execution: value(anExecution({ phase: 'Failed' })), siblings }).status.consecutiveFailureCount).toBe(2);
  });
});

describe('ManualReviewRequired', () => {
  test('[RR-175] is not counted as a failure by any metric', () => {
    const object = aRequest(analyzing);
    const analysis = value(anAnalysis({ needsHumanReview: true, selectedWorkflow: undefined }));
    const { status } = decided(object, { analysis });
    expect(status).toMatchObject({ overallPhase: 'Completed', outcome: 'ManualReviewRequired' });
    const counted = metricsOf(object, aRequest(status));
    expect(counted).toEqual([
      { counter: 'phase_transitions_total', labels: { from_phase: 'Analyzing', to_phase: 'Completed', namespace: 'sickbay-system' } },
    ]);
    const { status: failed } = decided(object, { analysis: value(anAnalysis({ phase: 'Failed' })) });
    expect(metricsOf(object, aRequest(failed))).toMatchObject([{ labels: { to_phase: 'Failed' } }]);
  });
});

describe('a chain of remediations that do not help', () => {
  const names = ['r0', 'r1', 'r2'];
  const history = names.map((name, i) =>
    another(name, { overallPhase: 'Completed', outcome: 'Inconclusive', verifyingStartTime: ago((i + 1) * 10 * MINUTE) }),
  );
  const assessments = names.map((name) => theirs(name, { alertAssessed: true, alertScore: 0 }));
  const planned = { analysis: value(anAnalysis()), target: value(aDeployment()), namespace: ABSENT, workflow: ABSENT, execution: ABSENT };

  test('[RR-247] blocks with IneffectiveChain and asks for a person in the same step, and at once', () => {
    const evidence = anEvidence({ planned: { history: all(...history), assessments: all(...assessments) } });
    const { status } = decided(aRequest(analyzing), { ...planned, evidence });
    expect(status).toMatchObject({ overallPhase: 'Blocked', blockReason: 'IneffectiveChain', requiresManualReview: true });
    expect(requiredNotifications(aRequest(status), undefined, DEFAULT_SETTINGS)).toMatchObject([
      { name: 'nr-manual-review-rr', type: 'ManualReview', reviewSource: 'RoutingEngine', priority: 'High' },
    ]);
  });

  test('[RR-247] two are no chain', () => {
    const evidence = anEvidence({ planned: { history: all(...history.slice(1)), assessments: all(...assessments) } });
    expect(decided(aRequest(analyzing), { ...planned, evidence }).effects).toMatchObject([{ kind: 'Create' }]);
  });
});

describe('the messages about an end', () => {
  const named = (status: RemediationStatus) => requiredNotifications(aRequest(status), undefined, DEFAULT_SETTINGS).map(({ name }) => name);

  test.each<[string, RemediationStatus]>([
    ['nr-completion-rr', { overallPhase: 'Completed', outcome: 'Remediated' }],
    ['nr-completion-rr', { overallPhase: 'Completed', outcome: 'DryRun' }],
    ['nr-self-resolved-rr', { overallPhase: 'Completed', outcome: 'NoActionRequired' }],
    ['nr-manual-review-rr', { overallPhase: 'Completed', outcome: 'ManualReviewRequired' }],
    ['nr-manual-review-rr', { overallPhase: 'Completed', outcome: 'Inconclusive' }],
    ['nr-escalation-rr', { overallPhase: 'Completed', outcome: 'VerificationTimedOut' }],
    ['nr-escalation-rr', { overallPhase: 'Failed', failurePhase: 'Approval' }],
    ['nr-manual-review-rr', { overallPhase: 'Failed', failurePhase: 'AIAnalysis' }],
    ['nr-manual-review-rr', { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' }],
    ['timeout-rr', { overallPhase: 'TimedOut', timeoutPhase: 'Pending', startTime: ago(HOUR) }],
    ['phase-timeout-processing-rr', { ...processing, overallPhase: 'TimedOut', timeoutPhase: 'Processing' }],
    ['nr-completion-rr', { overallPhase: 'Skipped', skipReason: 'ResourceBusy' }],
    ['nr-manual-review-rr', { overallPhase: 'Skipped', skipReason: 'ExhaustedRetries' }],
    ['nr-completion-rr', { overallPhase: 'Cancelled' }],
  ])('[RR-205] is called %s after %o', (name, status) => expect(named(status)).toEqual([name]));

  test.each([undefined, 0])('[RR-227] say nothing of duplicates when there were none: %s', (duplicateCount) =>
    expect(named({ overallPhase: 'Failed', ...(duplicateCount !== undefined && { duplicateCount }) })).toEqual(['nr-escalation-rr']),
  );

  test('[RR-227] and name one', () =>
    expect(named({ overallPhase: 'Failed', duplicateCount: 1 })).toEqual(['nr-escalation-rr', 'nr-bulk-rr']));
});

describe('the requests that wait for another', () => {
  const waiting = (name: string) => another(name, { overallPhase: 'Blocked', blockReason: 'DuplicateInProgress', duplicateOf: 'rr' });
  const counted = (status: RemediationStatus, ...others: readonly RemediationRequest[]) => {
    const object = aRequest(status);
    return decided(object, { siblings: { kind: 'value', value: [object, ...others] } }).status;
  };

  test('[RR-228] each raises its duplicateCount by one', () => {
    let status = executing;
    expect(counted(status)).not.toHaveProperty('duplicateCount');
    for (const [i, others] of [['d1'], ['d1', 'd2'], ['d1', 'd2', 'd3']].entries()) {
      status = counted(status, ...others.map(waiting));
      expect(status).toMatchObject({ duplicateCount: i + 1, duplicateRefs: others });
    }
  });

  test('[RR-228] one that has gone on is still counted, and none twice', () => {
    const status = counted(executing, waiting('d1'), waiting('d2'));
    expect(counted(status, another('d1', { overallPhase: 'Analyzing' }), waiting('d2'))).toMatchObject({ duplicateCount: 2 });
  });

  test('[RR-228] one that comes after the end is not: it found nothing to wait for', () =>
    expect(
      counted({ ...executing, overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(0) }, waiting('d1')),
    ).not.toHaveProperty('duplicateCount'));

  test('[RR-228] those that wait for another request are not', () => {
    const other = another('d1', { overallPhase: 'Blocked', blockReason: 'DuplicateInProgress', duplicateOf: 'rr-other' });
    expect(counted(executing, other, another('d2', { overallPhase: 'Pending' }))).not.toHaveProperty('duplicateCount');
  });
});

test.each([
  ['for that long', HOUR, toTime(at(HOUR))],
  ['for ever where no time is set', 0, undefined],
])('an ended request is kept %s', (_, retentionMs, retentionExpiryTime) => {
  const settings = { ...DEFAULT_SETTINGS, retentionMs };
  const { status } = decided(aRequest(executing), { settings, execution: value(anExecution({ phase: 'Failed' })) });
  expect(status.overallPhase).toBe('Failed');
  expect(status.retentionExpiryTime).toBe(retentionExpiryTime);
});

test('[RR-171] the count shows together with the end, and holds the next one back', () => {
  const { status } = decided(aRequest(processing), { processing: value(aProcessing({ phase: 'Failed', error: 'gone' })) });
  expect(status).toMatchObject({ completedAt: ago(0), consecutiveFailureCount: 1, nextAllowedExecution: toTime(at(MINUTE)) });
});
