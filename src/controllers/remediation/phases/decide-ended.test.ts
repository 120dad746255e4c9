import { describe, expect, test } from 'vitest';
import type { NotificationRequest } from '../../../api/notification-request/notification-request.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { getCondition } from '../../../kube/objects/conditions.ts';
import type { Read } from '../../../kube/client/read.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  anAssessment,
  anExecution,
  aNotification,
  aRequest,
  at,
  effectText,
  NOTHING_TOLD,
  NOW,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { expectDecision, type DecisionCase } from '../testing/expect-decision.ts';

const remediated: RemediationStatus = {
  overallPhase: 'Completed',
  outcome: 'Remediated',
  message: 'rolled back; 2 of 2 pods ready',
  completedAt: ago(0),
  remediationTarget: TARGET,
};
const told: RemediationStatus = {
  ...remediated,
  notificationRequestRefs: [{ name: 'nr-completion-rr', uid: 'nr-completion-rr-uid' }],
  notificationStatus: 'Sent',
};

const message = (read: Read<NotificationRequest>): Partial<RemediationSeen> => ({
  messages: { 'nr-completion-rr': read },
  execution: ABSENT,
});
const sent = value(aNotification('nr-completion-rr', { phase: 'Sent' }));

const cases: readonly DecisionCase[] = [
  {
    name: 'no notification yet',
    reason: 'the message is created, and created again after a crash',
    status: remediated,
    seen: message(ABSENT),
    want: { overallPhase: 'Completed' },
    effects: ['Create NotificationRequest nr-completion-rr'],
  },
  { name: 'unreadable', reason: 'not known is not absent', status: remediated, seen: message(UNREADABLE), want: remediated },
  {
    name: 'the message is on its way',
    reason: 'nothing is written before it has come to its end',
    status: remediated,
    seen: message(value(aNotification('nr-completion-rr', { phase: 'Sending' }))),
    want: remediated,
  },
  {
    name: '[CO-122] the message was sent',
    reason: 'it is recorded, in one write; nothing more happens by itself',
    status: remediated,
    seen: message(sent),
    want: {
      notificationRequestRefs: [
        {
          apiVersion: 'kubernaut.ai/v1alpha1',
          kind: 'NotificationRequest',
          namespace: 'sickbay-system',
          name: 'nr-completion-rr',
          uid: 'nr-completion-rr-uid',
        },
      ],
      notificationStatus: 'Sent',
    },
    wakes: false,
  },
  {
    name: 'the message could not be sent',
    reason: 'that shows too',
    status: remediated,
    seen: message(value(aNotification('nr-completion-rr', { phase: 'Failed' }))),
    want: { notificationStatus: 'Failed' },
    wakes: false,
  },
  { name: 'notified', reason: 'all is done, and nothing is written', status: told, seen: message(sent), want: told, wakes: false },
  {
    name: 'the message was deleted',
    reason: 'the notification is created once',
    status: told,
    seen: message(ABSENT),
    want: told,
    wakes: false,
  },
  {
    name: 'recorded and unreadable',
    reason: 'there is nothing left to do',
    status: told,
    seen: message(UNREADABLE),
    want: told,
    wakes: false,
  },
  {
    name: '[RR-226, CO-108] others waited for it',
    reason: 'one notification reports them',
    status: { ...remediated, duplicateCount: 2, duplicateRefs: ['rr-8', 'rr-9'] },
    seen: { execution: ABSENT, messages: { 'nr-completion-rr': sent, 'nr-bulk-rr': ABSENT } },
    want: { overallPhase: 'Completed' },
    effects: ['Create NotificationRequest nr-bulk-rr'],
  },
];

const failedRun: RemediationStatus = {
  overallPhase: 'Failed',
  failurePhase: 'WorkflowExecution',
  completedAt: ago(0),
  workflowExecutionRef: { name: 'we-rr', uid: 'we-rr-uid' },
  remediationTarget: TARGET,
};
const review = { 'nr-manual-review-rr': value(aNotification('nr-manual-review-rr', { phase: 'Sent' })) };
const outOfTime = { 'timeout-rr': value(aNotification('timeout-rr', { phase: 'Sent' })) };
const ran = value(anExecution({ phase: 'Failed' }));

const failedRuns: readonly DecisionCase[] = [
  {
    name: '[RR-097, RR-204, EM-066] not assessed',
    reason: 'it is assessed too; that never delays its end',
    seen: { messages: review, execution: ran, assessment: ABSENT, target: value(aDeployment()) },
    want: { overallPhase: 'Failed' },
    effects: ['Create EffectivenessAssessment ea-rr'],
  },
  {
    name: '[RR-098] assessed',
    reason: 'nothing about the request follows from it',
    seen: { messages: review, execution: ran, assessment: value(anAssessment({ phase: 'Completed' })) },
    want: { overallPhase: 'Failed', effectivenessAssessmentRef: { name: 'ea-rr' }, notificationStatus: 'Sent' },
    wakes: false,
  },
  {
    name: 'the target unreadable',
    reason: 'the spec as it was left is what drift is measured from',
    seen: { messages: review, execution: ran, assessment: ABSENT, target: UNREADABLE },
    want: { overallPhase: 'Failed' },
  },
  {
    name: 'the assessment unreadable',
    reason: 'not known is not absent',
    seen: { messages: review, execution: ran, assessment: UNREADABLE, target: value(aDeployment()) },
    want: { overallPhase: 'Failed' },
  },
  {
    name: 'the assessment is foreign',
    reason: 'the assessment never delays the end',
    seen: { messages: review, execution: ran, assessment: value(anAssessment({}, SOMEBODY_ELSES)), target: value(aDeployment()) },
    want: { overallPhase: 'Failed', notificationStatus: 'Sent' },
    wakes: false,
  },
  {
    name: 'a recorded run that did not fail',
    reason: 'only what failed while it ran is assessed so',
    status: { ...failedRun, overallPhase: 'TimedOut', failurePhase: 'Approval' },
    seen: { messages: outOfTime, execution: ran, assessment: ABSENT, target: value(aDeployment()) },
    want: { overallPhase: 'TimedOut', notificationStatus: 'Sent' },
    wakes: false,
  },
  {
    name: 'nothing was recorded',
    reason: 'there was no run to assess',
    status: { ...failedRun, workflowExecutionRef: { name: 'we-rr' } },
    seen: { messages: review, execution: ABSENT },
    want: { overallPhase: 'Failed' },
    wakes: false,
  },
];

const DAY = 24 * HOUR;
const expiring = { ...told, retentionExpiryTime: toTime(at(DAY)) };
const kept: readonly DecisionCase[] = [
  {
    name: 'one moment before its time',
    reason: 'it is looked at again then',
    status: expiring,
    seen: message(sent),
    atMs: DAY - 1,
    want: expiring,
  },
  {
    name: '[RR-259] its time has come',
    reason: 'its children go with it',
    status: expiring,
    seen: message(sent),
    atMs: DAY,
    want: expiring,
    effects: ['Delete RemediationRequest'],
  },
  { name: '[RR-259] no time set', reason: 'it is kept', status: told, seen: message(sent), atMs: 10 * DAY, want: told, wakes: false },
  {
    name: '[RR-166] it holds its signal back',
    reason: 'nothing is deleted while it suppresses its signal',
    status: { ...expiring, nextAllowedExecution: toTime(at(2 * DAY)) },
    seen: message(sent),
    atMs: 2 * DAY - 1,
    want: expiring,
  },
  {
    name: 'its audit trail is not complete',
    reason: 'nothing is deleted before',
    status: expiring,
    seen: { ...message(sent), isAudited: false },
    atMs: DAY,
    want: expiring,
  },
  {
    name: 'its run blocks the target',
    reason: 'a person has to clear that first',
    status: expiring,
    seen: { ...message(sent), execution: ran },
    atMs: 10 * DAY,
    want: expiring,
    wakes: false,
  },
  {
    name: 'its run cannot be read',
    reason: 'it may be one that blocks the target',
    status: expiring,
    seen: { ...message(sent), execution: UNREADABLE },
    atMs: 10 * DAY,
    want: expiring,
    wakes: false,
  },
  {
    name: 'its run did what it should',
    reason: 'it blocks nothing',
    status: expiring,
    seen: { ...message(sent), execution: value(anExecution({ phase: 'Completed' })) },
    atMs: DAY,
    want: expiring,
    effects: ['Delete RemediationRequest'],
  },
  ...[4, 5].map((consecutiveFailures) => ({
    name: `its start was number ${consecutiveFailures} of those that failed in a row`,
    reason: 'the fifth blocks the target until a person clears it',
    status: expiring,
    seen: {
      ...message(sent),
      execution: value(anExecution({ phase: 'Failed', failureDetails: { wasExecutionFailure: false }, consecutiveFailures } as never)),
    },
    atMs: 10 * DAY,
    want: expiring,
    ...(consecutiveFailures < 5 ? { effects: ['Delete RemediationRequest'] } : { wakes: false }),
  })),
  {
    name: 'its run blocked the target',
    reason: 'a person has cleared it',
    status: expiring,
    seen: {
      ...message(sent),
      execution: value(
        anExecution({
          phase: 'Failed',
          blockClearance: { clearedBy: 'alex', clearedAt: ago(0), clearReason: 'rolled back by hand' },
        } as never),
      ),
    },
    atMs: DAY,
    want: expiring,
    effects: ['Delete RemediationRequest'],
  },
];

const skipped = (skipReason: RemediationStatus['skipReason'] & string): RemediationStatus => ({ overallPhase: 'Skipped', skipReason });
const timeout = (startTime: string): RemediationStatus => ({
  overallPhase: 'TimedOut',
  timeoutPhase: 'Analyzing',
  startTime,
  analyzingStartTime: ago(10 * MINUTE),
});

/** Every row of the table of messages: status, name, type, priority. */
const notices: readonly [string, RemediationStatus, string, readonly string[]][] = [
  ['[RR-222, CO-101] Remediated', { overallPhase: 'Completed', outcome: 'Remediated' }, 'nr-completion-rr', ['Completion', 'Low']],
  ['[CO-102] NoActionRequired', { overallPhase: 'Completed', outcome: 'NoActionRequired' }, 'nr-self-resolved-rr', ['StatusUpdate', 'Low']],
  ['[CO-104] DryRun', { overallPhase: 'Completed', outcome: 'DryRun' }, 'nr-completion-rr', ['Completion', 'Low']],
  [
    '[RR-176, CO-110] ManualReviewRequired',
    { overallPhase: 'Completed', outcome: 'ManualReviewRequired' },
    'nr-manual-review-rr',
    ['ManualReview', 'Medium'],
  ],
  ['[CO-103] Inconclusive', { overallPhase: 'Completed', outcome: 'Inconclusive' }, 'nr-manual-review-rr', ['ManualReview', 'High']],
  [
    '[CO-103] VerificationTimedOut',
    { overallPhase: 'Completed', outcome: 'VerificationTimedOut' },
    'nr-escalation-rr',
    ['Escalation', 'High'],
  ],
  [
    '[RR-223, CO-105] Failed in SignalProcessing',
    { overallPhase: 'Failed', failurePhase: 'SignalProcessing' },
    'nr-escalation-rr',
    ['Escalation', 'High'],
  ],
  ['[CO-105] Failed in Approval', { overallPhase: 'Failed', failurePhase: 'Approval' }, 'nr-escalation-rr', ['Escalation', 'High']],
  ['[CO-105] Failed in Blocked', { overallPhase: 'Failed', failurePhase: 'Blocked' }, 'nr-escalation-rr', ['Escalation', 'High']],
  [
    '[CO-111] Failed in AIAnalysis',
    { overallPhase: 'Failed', failurePhase: 'AIAnalysis' },
    'nr-manual-review-rr',
    ['ManualReview', 'Medium'],
  ],
  [
    '[CO-116, CO-117] Failed in WorkflowExecution',
    { overallPhase: 'Failed', failurePhase: 'WorkflowExecution' },
    'nr-manual-review-rr',
    ['ManualReview', 'Critical'],
  ],
  ['[RR-224, CO-107] TimedOut in a phase', timeout(ago(10 * MINUTE)), 'phase-timeout-analyzing-rr', ['Escalation', 'High']],
  ['[RR-192, CO-106] TimedOut in all', timeout(ago(61 * MINUTE)), 'timeout-rr', ['Escalation', 'High']],
  ['Skipped, busy', skipped('ResourceBusy'), 'nr-completion-rr', ['StatusUpdate', 'Low']],
  ['[RR-225, CO-118] Skipped, ExhaustedRetries', skipped('ExhaustedRetries'), 'nr-manual-review-rr', ['ManualReview', 'High']],
  ['[CO-119] Skipped, PreviousExecutionFailed', skipped('PreviousExecutionFailed'), 'nr-manual-review-rr', ['ManualReview', 'High']],
  ['Cancelled', { overallPhase: 'Cancelled' }, 'nr-completion-rr', ['StatusUpdate', 'Low']],
];

const untold = (request: RemediationRequest, more: Partial<RemediationSeen> = {}): RemediationSeen => ({
  ...onlyRequest(request, DEFAULT_SETTINGS),
  messages: NOTHING_TOLD,
  ...more,
});

const messageFor = (status: RemediationStatus, more: Partial<RemediationSeen> = {}) => {
  const [effect] = decide(untold(aRequest(status), more), NOW).effects;
  if (effect?.kind !== 'Create') throw new Error('no notification is created');
  return { text: effectText(effect), spec: (effect.object as unknown as NotificationRequest).spec };
};

describe('an ended request', () => {
  test.each(cases)('$name: $reason', (row) => expectDecision(row));
  test.each(failedRuns)('a failed run, $name: $reason', (row) => expectDecision({ status: failedRun, ...row }));
  test('a failed run is assessed as one', () => {
    const seen = { messages: review, execution: ran, assessment: ABSENT, target: value(aDeployment()) };
    const [effect] = decide({ ...onlyRequest(aRequest(failedRun), DEFAULT_SETTINGS), ...seen }, NOW).effects;
    expect(effect).toMatchObject({ object: { spec: { remediationRequestPhase: 'Failed' } } });
  });

  test.each(kept)('kept, $name: $reason', (row) => expectDecision(row));

  test.each(notices)('%s is notified', (_, status, name, how) => {
    const { text, spec } = messageFor(status);
    expect([text, spec.type, spec.priority]).toEqual([`Create NotificationRequest ${name}`, ...how]);
  });

  test('a notification of what could not be verified says so in its subject (ruling 113)', () => {
    const unverified = { type: 'Verified', status: 'False', reason: 'NothingMeasured', message: '', lastTransitionTime: ago(0) } as const;
    const { spec } = messageFor({ ...remediated, conditions: [unverified] });
    expect(spec.subject).toBe('Remediated, not verified: KubePodCrashLooping on Deployment shop/checkout');
  });

  test('the message says what it is about and what happened', () => {
    const { spec } = messageFor({ ...remediated, workflowDisplayName: 'rollback:1', confidence: '0.90', aiAnalysisRef: { name: 'ai-rr' } });
    expect(spec.subject).toBe('Remediated: KubePodCrashLooping on Deployment shop/checkout');
    expect(spec.body).toContain('rolled back; 2 of 2 pods ready');
    expect(spec.body).toContain('Request: rr');
    expect(spec.context).toEqual({
      lineage: { remediationRequest: 'rr', aiAnalysis: 'ai-rr' },
      target: { targetResource: 'shop/Deployment/checkout' },
      analysis: { outcome: 'Remediated' },
    });
  });

  test('the message names the workflow and the phase that ran out of time', () => {
    const selectedWorkflowRef = { workflowId: 'w', version: '1', executionBundle: 'b' };
    const { spec } = messageFor({ overallPhase: 'TimedOut', timeoutPhase: 'Executing', selectedWorkflowRef, confidence: '0.90' });
    expect(spec.context).toMatchObject({ workflow: { workflowId: 'w', confidence: '0.90' }, execution: { timeoutPhase: 'Executing' } });
  });

  test('a subject is never longer than the API takes', () => {
    const signalName = 'x'.repeat(250);
    const targetResource = { kind: 'Deployment', name: 'y'.repeat(253), namespace: 'z'.repeat(63) };
    const request = aRequest({ overallPhase: 'Failed' }, { signalName, targetResource });
    const [effect] = decide(untold(request), NOW).effects;
    const { spec } = (effect as unknown as { readonly object: NotificationRequest }).object;
    expect(spec.subject.length).toBeLessThanOrEqual(500);
  });

  test('[RR-246, CO-112] where no workflow fits, the message has the cause', () => {
    const status: RemediationStatus = {
      overallPhase: 'Completed',
      outcome: 'ManualReviewRequired',
      requiresManualReview: true,
      message: 'no workflow fits',
    };
    const { spec } = messageFor(status, { analysis: value(anAnalysis({ selectedWorkflow: undefined, needsHumanReview: true })) });
    expect(spec.body).toContain('Cause: revision 2 crashes at its start');
    expect(spec.context?.review).toMatchObject({ rootCauseAnalysis: 'revision 2 crashes at its start' });
    expect(spec.reviewSource).toBe('AIAnalysis');
  });

  test('[RR-244, CO-111] what was proposed and not run is in the message', () => {
    const status: RemediationStatus = {
      overallPhase: 'Failed',
      failurePhase: 'AIAnalysis',
      failureReason: 'rollback-deployment:1.0.0 was proposed and not run',
    };
    const { spec } = messageFor(status, { analysis: value(anAnalysis({ needsHumanReview: true })) });
    expect(spec.body).toContain('rollback-deployment:1.0.0 was proposed and not run');
    expect(spec.context?.workflow).toMatchObject({ workflowId: 'rollback-1', workflowName: 'rollback-deployment' });
  });

  test.each([
    ['WorkflowNotFound', 'High'],
    ['LowConfidence', 'Medium'],
  ] as const)('a review for %s is %s', (subReason, priority) => {
    const { spec } = messageFor({ overallPhase: 'Failed', failurePhase: 'AIAnalysis' }, { analysis: value(anAnalysis({ subReason })) });
    expect(spec.priority).toBe(priority);
  });

  test('[CO-019, CO-108] the message about duplicates states both counts', () => {
    const status = { ...told, duplicateCount: 2, duplicateRefs: ['rr-8', 'rr-9'], deduplication: { occurrenceCount: 7 } };
    const { spec } = messageFor(status);
    expect([spec.type, spec.priority]).toEqual(['Simple', 'Low']);
    expect(spec.body).toContain('2 other requests waited for rr to end: rr-8, rr-9');
    expect(spec.body).toContain('7 signals were received');
  });

  test('a notification name that another object has is reported in a condition, once', () => {
    const taken = { 'nr-completion-rr': value(aNotification('nr-completion-rr', {}, SOMEBODY_ELSES)) };
    const ready = { type: 'Ready', status: 'True', reason: 'Remediated', message: '', lastTransitionTime: ago(0) } as const;
    const first = decide(untold(aRequest({ ...remediated, conditions: [ready] }), { messages: taken }), NOW);
    const status = first.status as RemediationStatus;
    expect(getCondition(status.conditions, 'NotificationDelivered')).toMatchObject({
      status: 'False',
      reason: 'NameTaken',
      message:
        'no notification was sent: NotificationRequest nr-completion-rr does not belong to this request; delete it if nothing else needs it',
    });
    expect(first.effects).toEqual([]);
    expect(decide(untold(aRequest(status), { messages: taken }), at(SECOND)).status).toEqual(status);
    // Deleting the foreign object, as advised, triggers no event: the request has to be re-checked.
    expect(first.wakeAt).toBeGreaterThan(NOW);
    const made = untold(aRequest(status), { messages: { 'nr-completion-rr': sent }, execution: ABSENT });
    expect((decide(made, NOW).status as RemediationStatus).conditions).toEqual([ready]);
  });
});
