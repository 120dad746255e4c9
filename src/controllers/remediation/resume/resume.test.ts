import { describe, expect, test } from 'vitest';
import { requestName } from '../../../api/remediation-request/request-name.ts';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE, SECOND, toTime, type Instant } from '../../../base/index.ts';
import type { FiringAlert } from '../../../monitoring/index.ts';
import type { Decision } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { onlyRequest, type RemediationSeen } from '../observe.ts';
import type { RemediationStatus } from '../status.ts';
import { ABSENT, ago, aRequest, at, NOTHING_TOLD, NOW, UNREADABLE } from '../testing/builders.ts';
import { isResumptionDue } from './resume.ts';

const CRASHES = 'KubePodCrashLooping';
const alert = (more: Partial<FiringAlert> = {}): FiringAlert => ({
  labels: { alertname: CRASHES, severity: 'critical', namespace: 'shop', pod: 'checkout-1-a' },
  state: 'active',
  fingerprint: 'f1',
  startsAt: ago(HOUR),
  annotations: { summary: 'restarts' },
  ...more,
});
const known = { alerts: [{ name: CRASHES, severity: 'critical', instance: 'f1', lastSeenAt: ago(HOUR) }] };

const BACKOFF: RemediationStatus = {
  overallPhase: 'Failed',
  failurePhase: 'WorkflowExecution',
  completedAt: ago(MINUTE),
  consecutiveFailureCount: 1,
  nextAllowedExecution: ago(0),
  deduplication: known,
};

const seenOf = (object: RemediationRequest, more: Partial<RemediationSeen> = {}): RemediationSeen => ({
  ...onlyRequest(object, DEFAULT_SETTINGS),
  siblings: { kind: 'value', value: [object] },
  isAudited: true,
  messages: NOTHING_TOLD,
  execution: ABSENT,
  assessment: ABSENT,
  asksAlertmanager: true,
  ...more,
});

const decideOn = (status: RemediationStatus, more: Partial<RemediationSeen> = {}, now: Instant = NOW): Decision =>
  decide(seenOf(aRequest(status), more), now);
const firing = (...alerts: readonly FiringAlert[]) => ({ firing: { kind: 'value', value: alerts } }) as const;
const opened = ({ effects }: Decision): readonly RemediationRequest[] =>
  effects.flatMap((effect) =>
    effect.kind === 'Create' && effect.object.kind === 'RemediationRequest' ? [effect.object as unknown as RemediationRequest] : [],
  );
const due = (status: RemediationStatus, now: Instant = NOW, more: Partial<RemediationSeen> = {}): boolean =>
  isResumptionDue(seenOf(aRequest(status), more), now);

describe('when the wait of a request is over (ruling 131)', () => {
  test('the next request is opened for the alert that still fires, under the name that the gateway would give it', () => {
    const object = aRequest(BACKOFF);
    expect(opened(decideOn(BACKOFF, firing(alert())))).toEqual([
      {
        apiVersion: 'kubernaut.ai/v1alpha1',
        kind: 'RemediationRequest',
        metadata: { namespace: 'sickbay-system', name: requestName(object.spec.signalFingerprint, object.metadata.uid) },
        spec: {
          signalFingerprint: object.spec.signalFingerprint,
          signalName: CRASHES,
          severity: 'critical',
          signalType: 'alert',
          targetType: 'kubernetes',
          targetResource: object.spec.targetResource,
          firingTime: ago(HOUR),
          receivedTime: ago(0),
          signalLabels: alert().labels,
          signalAnnotations: { summary: 'restarts' },
          providerData: '{"resumes":"rr"}',
          originalPayload: expect.stringContaining('"fingerprint":"f1"') as string,
        },
      },
    ]);
  });

  test('not before, and then the request wakes', () => {
    const waiting = { ...BACKOFF, nextAllowedExecution: toTime(at(10 * SECOND)) };
    expect(due(waiting)).toBe(false);
    expect(decideOn(waiting).wakeAt).toBeLessThanOrEqual(at(10 * SECOND));
    expect(due(waiting, at(10 * SECOND))).toBe(true);
  });

  test.each([
    ['resolved', []],
    ['silenced', [alert({ state: 'suppressed' })]],
    ['of another target', [alert({ fingerprint: 'f2' })]],
    ['of another name', [alert({ labels: { alertname: 'Another' } })]],
  ])('nothing is opened for an alert that is %s, and Alertmanager is not asked again', (_, alerts) => {
    const decision = decideOn(BACKOFF, firing(...alerts));
    expect(opened(decision)).toEqual([]);
    const status = decision.status as RemediationStatus;
    expect(status.alertsCheckedAt).toBe(toTime(NOW));
    expect(due(status)).toBe(false);
  });

  test('Alertmanager is asked again where it did not answer', () => {
    const decision = decideOn(BACKOFF, { firing: UNREADABLE });
    expect(opened(decision)).toEqual([]);
    expect(decision.status).not.toHaveProperty('alertsCheckedAt');
    expect(decision.wakeAt).toBeLessThanOrEqual(at(MINUTE));
  });

  test('the most severe alert is the one that continues', () => {
    const deduplication = { alerts: [...known.alerts, { name: 'Slow', severity: 'info', instance: 'f3', lastSeenAt: ago(HOUR) }] };
    const slow = alert({ labels: { alertname: 'Slow', severity: 'info' }, fingerprint: 'f3' });
    expect(opened(decideOn({ ...BACKOFF, deduplication }, firing(slow, alert())))).toMatchObject([{ spec: { signalName: CRASHES } }]);
  });
});

describe('the wait of a request', () => {
  const UNTIL = toTime(at(4 * HOUR));
  test.each<[string, RemediationStatus]>([
    ['a failure', BACKOFF],
    ['a block that ended by time', { ...BACKOFF, failurePhase: 'Blocked', blockReason: 'RecentlyRemediated' }],
    ['a time-out', { ...BACKOFF, overallPhase: 'TimedOut' }],
    ['an inconclusive end', { ...BACKOFF, overallPhase: 'Completed', outcome: 'Inconclusive' }],
    ['a judgement', { ...BACKOFF, overallPhase: 'Completed', outcome: 'NoActionRequired', suppression: { signals: [] } }],
    ['a target block that was cleared', { overallPhase: 'Skipped', skipReason: 'PreviousExecutionFailed', completedAt: ago(HOUR) }],
    ['a cancellation', { overallPhase: 'Cancelled', completedAt: ago(HOUR), cancellation: { by: 'alex', requestedAt: ago(HOUR) } }],
  ])('after %s is followed by the next request', (_, status) => expect(due(status)).toBe(true));

  test.each<[string, RemediationStatus]>([
    ['a success', { overallPhase: 'Completed', outcome: 'Remediated', completedAt: ago(HOUR) }],
    ['alerts that stayed resolved', { overallPhase: 'Completed', outcome: 'NoActionRequired', completedAt: ago(HOUR) }],
    ['a target that is not managed', { ...BACKOFF, failurePhase: 'Blocked', blockReason: 'UnmanagedResource' }],
    ['an unfinished request', { ...BACKOFF, overallPhase: 'Executing' }],
    ['a refusal that still holds', { ...BACKOFF, refusal: { by: 'alex', until: UNTIL } }],
  ])('there is none after %s', (_, status) => expect(due(status)).toBe(false));

  test('ends with the refusal', () => expect(due({ ...BACKOFF, refusal: { by: 'alex', until: UNTIL } }, at(4 * HOUR))).toBe(true));

  test('is not followed where another request is active or came later', () => {
    const other = (overallPhase: 'Completed' | 'Pending'): RemediationRequest => {
      const next = aRequest({ overallPhase });
      return { ...next, metadata: { ...next.metadata, name: 'rr-2', uid: 'zz', creationTimestamp: toTime(at(SECOND)) } };
    };
    for (const phase of ['Completed', 'Pending'] as const) {
      const siblings = { kind: 'value' as const, value: [aRequest(BACKOFF), other(phase)] };
      expect(due(BACKOFF, at(MINUTE), { siblings })).toBe(false);
    }
  });

  test.each([{ signalType: 'machine' }, { undoOf: { name: 'rr-0', uid: 'u' } }, { dryRun: true }])(
    'is none of a request that is %j',
    (spec) => expect(isResumptionDue(seenOf(aRequest(BACKOFF, spec)), NOW)).toBe(false),
  );

  test('waits where the other requests cannot be read', () => expect(due(BACKOFF, NOW, { siblings: UNREADABLE })).toBe(false));
});

describe('an alert that joined a request whose end is no statement about it (ruling 116)', () => {
  const judged: RemediationStatus = {
    overallPhase: 'Completed',
    outcome: 'NoActionRequired',
    completedAt: ago(0),
    nextAllowedExecution: toTime(at(24 * HOUR)),
    suppression: { signals: [{ name: CRASHES, severity: 'critical' }] },
    deduplication: { alerts: [...known.alerts, { name: 'HighErrorRate', severity: 'critical', instance: 'f4', lastSeenAt: ago(0) }] },
  };
  const errors = alert({ labels: { alertname: 'HighErrorRate', severity: 'critical' }, fingerprint: 'f4' });

  test('is remediated at once while it fires', () => {
    expect(due(judged)).toBe(true);
    expect(opened(decideOn(judged, firing(alert(), errors)))).toMatchObject([{ spec: { signalName: 'HighErrorRate' } }]);
  });

  test('while the alert that was judged stays suppressed', () => {
    const decision = decideOn(judged, firing(alert()));
    expect(opened(decision)).toEqual([]);
    expect(decision.status).not.toHaveProperty('alertsCheckedAt');
  });

  test('and a request whose alerts were all judged waits', () =>
    expect(
      due({
        ...judged,
        suppression: { signals: [...(judged.suppression?.signals ?? []), { name: 'HighErrorRate', severity: 'critical' }] },
      }),
    ).toBe(false));
});
