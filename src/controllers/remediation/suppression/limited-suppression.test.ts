import { describe, expect, test } from 'vitest';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, HOUR, instant, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import {
  ABSENT,
  aDeployment,
  ago,
  anAnalysis,
  analyzing,
  aRequest,
  at,
  NOTHING_TOLD,
  NOW,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { signalsOf } from '../urgency.ts';

const CRASHES = { name: 'KubePodCrashLooping', severity: 'critical' };
const STATE = { uid: 'checkout-uid', generation: 1, specHash: TARGET.specHash };
const notNeeded = value(anAnalysis({ reason: 'WorkflowNotNeeded', selectedWorkflow: undefined, needsHumanReview: false }));
const handedOver = value(anAnalysis({ selectedWorkflow: undefined, needsHumanReview: true }));

const decideOn = (status: RemediationStatus, seen: Partial<RemediationSeen> = {}, now = NOW): Decision => {
  const object = aRequest(status);
  const siblings = { kind: 'value' as const, value: [object] };
  return decide({ ...onlyRequest(object, DEFAULT_SETTINGS), siblings, isAudited: true, messages: NOTHING_TOLD, ...seen }, now);
};
const statusOf = (decision: Decision): RemediationStatus => decision.status as RemediationStatus;

describe('the end of a request records the alerts that were judged', () => {
  test.each([
    ['NoActionRequired', notNeeded],
    ['ManualReviewRequired', handedOver],
  ])('%s', (outcome, analysis) =>
    expect(statusOf(decideOn(analyzing, { analysis }))).toMatchObject({ outcome, suppression: { signals: [CRASHES] } }),
  );

  test.each([
    ['NoActionRequired: only the alert that opened it, whose fault was seen to be gone', notNeeded, [CRASHES]],
    ['ManualReviewRequired: all that it stands for', handedOver, [CRASHES, { name: 'HighErrorRate', severity: 'critical' }]],
  ])('%s', (_, analysis, signals) => {
    const alerts = [{ name: 'HighErrorRate', severity: 'critical', instance: '1', lastSeenAt: ago(0) }];
    expect(statusOf(decideOn({ ...analyzing, deduplication: { alerts } }, { analysis })).suppression).toEqual({ signals });
  });

  test('but not a failure, which suppresses the whole fingerprint', () => {
    const failed = value(anAnalysis({ phase: 'Failed', message: 'no', selectedWorkflow: undefined }));
    const status = statusOf(decideOn(analyzing, { analysis: failed }));
    expect(status).toMatchObject({ overallPhase: 'Failed' });
    expect(status).not.toHaveProperty('suppression');
  });

  test('each once, with its highest severity', () => {
    const alert = (name: string, severity: string, instance: string) => ({ name, severity, instance, lastSeenAt: ago(0) });
    const alerts = [alert('HighErrorRate', 'info', '1'), alert('HighErrorRate', 'warning', '2'), alert(CRASHES.name, 'warning', '3')];
    expect(signalsOf(aRequest({ deduplication: { alerts } }))).toEqual([CRASHES, { name: 'HighErrorRate', severity: 'warning' }]);
  });
});

describe('a suppression after nothing had to be done', () => {
  const done: RemediationStatus = {
    ...analyzing,
    overallPhase: 'Completed',
    outcome: 'NoActionRequired',
    completedAt: ago(0),
    message: 'nothing to do',
    nextAllowedExecution: toTime(at(24 * HOUR)),
    suppression: { signals: [CRASHES], target: STATE },
  };
  const lookingAt = (judgedTarget: RemediationSeen['judgedTarget'], change: Partial<RemediationStatus> = {}, now = NOW) =>
    decideOn({ ...done, ...change }, { execution: ABSENT, ...(judgedTarget && { judgedTarget }) }, now);

  test('records the state of the target that the first read shows', () =>
    expect(statusOf(lookingAt(value(aDeployment()), { suppression: { signals: [CRASHES] } })).suppression).toEqual(done.suppression));

  test('holds while the target is as it was, which is checked', () => {
    const decision = lookingAt(value(aDeployment()));
    expect(statusOf(decision)).toMatchObject({ nextAllowedExecution: done.nextAllowedExecution, suppression: done.suppression });
    expect(decision.wakeAt).toBeLessThanOrEqual(at(2 * MINUTE));
  });

  test.each([
    ['is scaled', value(aDeployment({ replicas: 3 }))],
    ['is scaled from zero', value(aDeployment({ replicas: 1 }))],
    ['is replaced', value(aDeployment({ replicas: 2 }, { uid: 'another' }))],
  ])('ends when the target %s, and the message says so', (_, target) => {
    const status = statusOf(lookingAt(target));
    expect(status).not.toHaveProperty('nextAllowedExecution');
    expect(status.message).toBe('nothing to do; since then Deployment shop/checkout was changed, and its signal may open a new request');
  });

  test.each([UNREADABLE, ABSENT, undefined])('holds while the target cannot be read: %j', (target) =>
    expect(statusOf(lookingAt(target)).nextAllowedExecution).toBe(done.nextAllowedExecution),
  );

  test('ends when a person lifts it, and the message names the person and the reason', () => {
    const object = aRequest(done);
    const annotations = { [ANNOTATIONS.blockClearedBy]: 'anna', [ANNOTATIONS.blockClearReason]: 'fixed the Secret' };
    const lifted = { ...object, metadata: { ...object.metadata, annotations } };
    const seen = { ...onlyRequest(lifted, DEFAULT_SETTINGS), isAudited: true, messages: NOTHING_TOLD, judgedTarget: UNREADABLE };
    const status = statusOf(decide({ ...seen, siblings: { kind: 'value', value: [lifted] } }, NOW));
    expect(status).not.toHaveProperty('nextAllowedExecution');
    expect(status.message).toBe(
      'nothing to do; since then anna lifted its suppression (fixed the Secret), and its signal may open a new request',
    );
  });

  test('ends once', () => {
    const once = statusOf(lookingAt(value(aDeployment({ replicas: 3 }))));
    expect(statusOf(decideOn(once, { execution: ABSENT, judgedTarget: value(aDeployment()) })).message).toBe(once.message);
  });

  test('is not checked any more once its time has passed', () =>
    expect(statusOf(lookingAt(value(aDeployment({ replicas: 3 })), {}, instant(after(NOW, 24 * HOUR) + SECOND))).message).toBe(
      'nothing to do',
    ));
});
