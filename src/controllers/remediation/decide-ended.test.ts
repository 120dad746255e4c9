import { describe, expect, test } from 'vitest';
import type { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { SECOND } from '../../base/index.ts';
import { getCondition } from '../../kube/conditions.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { decide } from './decide.ts';
import { onlyRequest } from './observe.ts';
import type { RemediationStatus } from './status.ts';
import {
  ABSENT,
  ago,
  aNotification,
  aRequest,
  at,
  effectText,
  NOW,
  SOMEBODY_ELSES,
  TARGET,
  UNREADABLE,
  value,
} from './testing/builders.ts';
import { judgeCase, type Case } from './testing/judge-case.ts';

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

const cases: readonly Case[] = [
  {
    name: 'nobody was told',
    reason: 'the message is created, and created again after a crash',
    status: remediated,
    seen: { notification: ABSENT },
    want: { overallPhase: 'Completed' },
    effects: ['Create NotificationRequest nr-completion-rr'],
  },
  { name: 'unreadable', reason: 'not known is not absent', status: remediated, seen: { notification: UNREADABLE }, want: remediated },
  {
    name: 'the message is there',
    reason: 'it goes on record, with how far it got; nothing more happens by itself',
    status: remediated,
    seen: { notification: value(aNotification('nr-completion-rr', { phase: 'Sending' })) },
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
      notificationStatus: 'InProgress',
    },
    wakes: false,
  },
  {
    name: 'the message was sent',
    reason: 'all is done, and nothing is written',
    status: told,
    seen: { notification: value(aNotification('nr-completion-rr', { phase: 'Sent' })) },
    want: told,
    wakes: false,
  },
  {
    name: 'the message was deleted',
    reason: 'people are told once',
    status: told,
    seen: { notification: ABSENT },
    want: told,
    wakes: false,
  },
  {
    name: 'on record and unreadable',
    reason: 'there is nothing left to do',
    status: told,
    seen: { notification: UNREADABLE },
    want: told,
    wakes: false,
  },
];

const notices: readonly [string, RemediationStatus, string, readonly string[]][] = [
  ['[CO-101] Remediated', { overallPhase: 'Completed', outcome: 'Remediated' }, 'nr-completion-rr', ['Completion', 'Low']],
  ['[CO-102] NoActionRequired', { overallPhase: 'Completed', outcome: 'NoActionRequired' }, 'nr-completion-rr', ['Completion', 'Low']],
  ['DryRun', { overallPhase: 'Completed', outcome: 'DryRun' }, 'nr-completion-rr', ['Completion', 'Low']],
  [
    '[RR-176, CO-110] ManualReviewRequired',
    { overallPhase: 'Completed', outcome: 'ManualReviewRequired' },
    'nr-manual-review-rr',
    ['ManualReview', 'Medium'],
  ],
  ['Inconclusive', { overallPhase: 'Completed', outcome: 'Inconclusive' }, 'nr-manual-review-rr', ['ManualReview', 'High']],
  ['VerificationTimedOut', { overallPhase: 'Completed', outcome: 'VerificationTimedOut' }, 'nr-escalation-rr', ['Escalation', 'High']],
  ['[RR-223] Failed', { overallPhase: 'Failed', outcome: 'ManualReviewRequired' }, 'nr-escalation-rr', ['Escalation', 'High']],
  ['[RR-192, RR-224] TimedOut', { overallPhase: 'TimedOut', timeoutPhase: 'Analyzing' }, 'nr-escalation-rr', ['Escalation', 'High']],
  ['Skipped', { overallPhase: 'Skipped' }, 'nr-escalation-rr', ['Escalation', 'High']],
  ['Cancelled', { overallPhase: 'Cancelled' }, 'nr-completion-rr', ['Completion', 'Low']],
];

const messageFor = (status: RemediationStatus): { readonly text: string; readonly spec: NotificationRequest['spec'] } => {
  const [effect] = decide({ ...onlyRequest(aRequest(status)), notification: ABSENT }, NOW, DEFAULT_SETTINGS).effects;
  if (effect?.kind !== 'Create') throw new Error('nobody is told');
  return { text: effectText(effect), spec: (effect.object as unknown as NotificationRequest).spec };
};

describe('an ended request', () => {
  test.each(cases)('$name: $reason', (row) => judgeCase(row));

  test.each(notices)('%s is told to people', (_, status, name, how) => {
    const { text, spec } = messageFor(status);
    expect([text, spec.type, spec.priority]).toEqual([`Create NotificationRequest ${name}`, ...how]);
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
    const [effect] = decide({ ...onlyRequest(request), notification: ABSENT }, NOW, DEFAULT_SETTINGS).effects;
    const { spec } = (effect as unknown as { readonly object: NotificationRequest }).object;
    expect(spec.subject.length).toBeLessThanOrEqual(500);
  });

  test('a name that is taken is told where people look, once', () => {
    const seen = { ...onlyRequest(aRequest(remediated)), notification: value(aNotification('nr-completion-rr', {}, SOMEBODY_ELSES)) };
    const first = decide(seen, NOW, DEFAULT_SETTINGS);
    const status = first.status as RemediationStatus;
    expect(getCondition(status.conditions, 'NotificationDelivered')).toMatchObject({ status: 'False', reason: 'NameTaken' });
    expect(first.effects).toEqual([]);
    expect(decide({ ...seen, object: aRequest(status) }, at(SECOND), DEFAULT_SETTINGS).status).toEqual(status);
    // Whoever follows the advice and deletes it wakes nobody: it has to be looked for.
    expect(first.wakeAt).toBeGreaterThan(NOW);
    const made = { ...onlyRequest(aRequest(status)), notification: value(aNotification('nr-completion-rr')) };
    expect(
      getCondition((decide(made, NOW, DEFAULT_SETTINGS).status as RemediationStatus).conditions, 'NotificationDelivered'),
    ).toBeUndefined();
  });
});
