import { describe, expect, test } from 'vitest';
import type { RemediationRequest } from '../../../api/remediation-request/remediation-request.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { HOUR, MINUTE, SECOND, toTime } from '../../../base/index.ts';
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
  anApproval,
  anExecution,
  aRequest,
  at,
  awaiting,
  DIGEST,
  executing,
  NOW,
  NOTHING_TOLD,
  pending,
  TARGET,
  UNREADABLE,
  value,
} from '../testing/builders.ts';
import { awaitingApproval, planned } from '../testing/planned.ts';

const SICKBAY = 'system:serviceaccount:sickbay-system:sickbay';
const UNTIL = toTime(at(4 * HOUR));

const decideOn = (object: RemediationRequest, seen: Partial<RemediationSeen> = {}, now = NOW): Decision =>
  decide(
    {
      ...onlyRequest(object, DEFAULT_SETTINGS),
      siblings: { kind: 'value', value: [object] },
      identityIsChecked: true,
      isAudited: true,
      account: SICKBAY,
      messages: NOTHING_TOLD,
      ...seen,
    },
    now,
  );
const statusOf = (decision: Decision): RemediationStatus => decision.status as RemediationStatus;

function cancelled(status: RemediationStatus, by: string, spec: Partial<RemediationRequest['spec']> = {}): RemediationRequest {
  const request = aRequest(status, spec);
  const annotations = { [ANNOTATIONS.cancel]: 'not today', [ANNOTATIONS.cancelBy]: by };
  return { ...request, metadata: { ...request.metadata, annotations } };
}

describe('the end of a request that a person refused records it', () => {
  const rejected = {
    analysis: value(anAnalysis({ approvalRequired: true })),
    approval: value(anApproval({ decision: 'Rejected', decidedBy: 'alex', decidedAt: ago(0) })),
  };

  test('a rejection, with the state of the target that it is about', () =>
    expect(statusOf(decideOn(aRequest(awaiting), rejected))).toMatchObject({
      overallPhase: 'Failed',
      refusal: { by: 'alex', until: UNTIL, specHash: TARGET.specHash },
    }));

  test('not an approval request that was not decided in time', () =>
    expect(statusOf(decideOn(aRequest(awaiting), { ...rejected, approval: value(anApproval()) }, at(HOUR)))).not.toHaveProperty('refusal'));

  test('a cancel before there is a plan', () =>
    expect(statusOf(decideOn(cancelled(pending, 'alex')))).toMatchObject({
      overallPhase: 'Cancelled',
      refusal: { by: 'alex', until: UNTIL },
    }));

  test('a cancel of a run: what the run has changed by then is not known yet', () => {
    const { refusal } = statusOf(decideOn(cancelled(executing, 'alex')));
    expect(refusal).toEqual({ by: 'alex', until: UNTIL });
  });

  test('not a request that Sickbay itself withdrew', () =>
    expect(statusOf(decideOn(cancelled(awaiting, SICKBAY)))).not.toHaveProperty('refusal'));

  test('not an undo: its original keeps its own state', () =>
    expect(statusOf(decideOn(cancelled(awaiting, 'alex', { undoOf: { name: 'rr-0', uid: 'rr-0-uid' } })))).not.toHaveProperty('refusal'));

  test('not where askAgainAfter is 0', () => {
    const settings = { ...DEFAULT_SETTINGS, approval: { ...DEFAULT_SETTINGS.approval, askAgainAfterMs: 0 } };
    expect(statusOf(decideOn(cancelled(awaiting, 'alex'), { settings }))).not.toHaveProperty('refusal');
  });
});

describe('a refusal', () => {
  const refused: RemediationStatus = {
    ...awaiting,
    overallPhase: 'Cancelled',
    completedAt: ago(0),
    message: 'alex cancelled it',
    refusal: { by: 'alex', until: UNTIL, specHash: TARGET.specHash },
  };
  const lookingAt = (refusedTarget: RemediationSeen['refusedTarget'], change: Partial<RemediationStatus> = {}, now = NOW) =>
    decideOn(aRequest({ ...refused, ...change }), { execution: ABSENT, ...(refusedTarget && { refusedTarget }) }, now);
  const changed = value(aDeployment({ replicas: 3 }));

  test('holds while the spec of the target is the same, and it is checked every 30 seconds', () => {
    const decision = lookingAt(value(aDeployment()));
    expect(statusOf(decision).refusal).toEqual(refused.refusal);
    expect(decision.wakeAt).toBe(at(30 * SECOND));
  });

  test('ends when the spec changes, and the message says so', () => {
    const status = statusOf(lookingAt(changed));
    expect(status).not.toHaveProperty('refusal');
    expect(status.message).toBe(
      'alex cancelled it; since then Deployment shop/checkout was changed, and its signal may open a new request',
    );
  });

  test.each([UNREADABLE, ABSENT, undefined])('holds while the target cannot be read: %j', (target) =>
    expect(statusOf(lookingAt(target)).refusal).toEqual(refused.refusal),
  );

  test('without a hash takes the first state that is seen', () =>
    expect(statusOf(lookingAt(changed, { refusal: { by: 'alex', until: UNTIL } })).refusal?.specHash).toMatch(/^sha256:[0-9a-f]{64}$/));

  test('takes no state while the run may still change it', () => {
    const seen = { refusedTarget: changed, execution: value(anExecution({ phase: 'Running' })) };
    const { refusal } = statusOf(decideOn(aRequest({ ...refused, refusal: { by: 'alex', until: UNTIL } }), seen));
    expect(refusal).toEqual({ by: 'alex', until: UNTIL });
  });

  test('is not checked any more once its time has passed', () => {
    const decision = lookingAt(changed, {}, at(4 * HOUR));
    expect(statusOf(decision).message).toBe('alex cancelled it');
  });
});

describe('the plan of another request', () => {
  const other = (status: Partial<RemediationStatus> = {}): RemediationRequest => {
    const request = aRequest({
      overallPhase: 'Failed',
      completedAt: ago(MINUTE),
      planDigest: DIGEST,
      refusal: { by: 'alex', until: UNTIL, specHash: TARGET.specHash },
      ...status,
    });
    return { ...request, metadata: { ...request.metadata, name: 'rr-1', uid: 'rr-1-uid' } };
  };
  const beside = (sibling: RemediationRequest, seen = awaitingApproval()): Decision => {
    const object = aRequest(analyzing);
    return decideOn(object, { ...seen, siblings: { kind: 'value', value: [object, sibling] } });
  };

  test.each([
    ['that needs approval', awaitingApproval()],
    ['that needs none', planned()],
  ])('%s is not proposed again: it ends as a duplicate of the refused one', (_, seen) => {
    const decision = beside(other(), seen);
    expect(statusOf(decision)).toMatchObject({
      overallPhase: 'Failed',
      failurePhase: 'Deduplicated',
      duplicateOf: 'rr-1',
      refusal: { by: 'alex', until: UNTIL },
      // The refused one counts, and this one does not.
      consecutiveFailureCount: 1,
    });
    expect(statusOf(decision).message).toBe(
      `alex refused rollback-deployment:1.0.0 on Deployment shop/checkout in rr-1: it is not proposed again before ${UNTIL}, unless the target changes`,
    );
    expect(decision.effects).toEqual([]);
  });

  const asks = (decision: Decision): void =>
    expect(decision.effects).toMatchObject([{ kind: 'Create', object: { kind: 'RemediationApprovalRequest' } }]);

  test('is proposed where it is another plan', () => asks(beside(other({ planDigest: 'f'.repeat(64) }))));

  test('is proposed where the spec of the target has changed since', () =>
    asks(beside(other({ refusal: { by: 'alex', until: UNTIL, specHash: 'f'.repeat(64) } }))));

  test('is proposed once askAgainAfter has passed', () => asks(beside(other({ refusal: { by: 'alex', until: toTime(NOW) } }))));
});
