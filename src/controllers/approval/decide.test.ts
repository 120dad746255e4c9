import { describe, expect, test } from 'vitest';
import type { RemediationApprovalRequest } from '../../api/remediation-approval-request/remediation-approval-request.ts';
import { after, MINUTE, toTime, type Instant } from '../../base/index.ts';
import { getCondition } from '../../kube/objects/conditions.ts';
import type { Reader } from '../../runtime/reconcile/controller.ts';
import { decide } from './decide.ts';
import { observe } from './observe.ts';
import { anApproval, NOW, REQUIRED_BY } from './testing/builders.ts';

type Status = NonNullable<RemediationApprovalRequest['status']>;
const ACCOUNT = 'system:serviceaccount:sickbay-system:sickbay';
const answer: Status = { decision: 'Approved', decidedBy: 'anna', decidedAt: toTime(NOW), decisionMessage: 'go' };

const conditionsOf = (status: Status): Record<string, string> =>
  Object.fromEntries(
    ['ApprovalPending', 'ApprovalDecided', 'ApprovalExpired', 'Ready'].map((type) => {
      const condition = getCondition(status.conditions, type);
      return [type, `${condition?.status ?? ''} ${condition?.reason ?? ''}`];
    }),
  );

interface Case {
  readonly name: string;
  readonly reason: string;
  readonly status?: Status;
  readonly now: Instant;
  readonly want: Status;
  readonly conditions: readonly [pending: string, decided: string, expired: string, ready: string];
  readonly wakeAt?: Instant;
}

const cases: readonly Case[] = [
  {
    name: 'new',
    reason: 'people see that they are asked, and until when',
    now: NOW,
    want: { createdAt: toTime(NOW), reason: 'AwaitingDecision', message: `waits for an approver to decide before ${toTime(REQUIRED_BY)}` },
    conditions: ['True AwaitingDecision', 'False PendingDecision', 'False NotExpired', 'False AwaitingDecision'],
    wakeAt: REQUIRED_BY,
  },
  {
    name: 'undecided a moment before the deadline',
    reason: 'there is still time',
    now: after(REQUIRED_BY, -1),
    want: { reason: 'AwaitingDecision' },
    conditions: ['True AwaitingDecision', 'False PendingDecision', 'False NotExpired', 'False AwaitingDecision'],
    wakeAt: REQUIRED_BY,
  },
  {
    name: '[CO-093] undecided at the deadline',
    reason: 'expiry is a decision like others, and signed',
    now: REQUIRED_BY,
    want: {
      decision: 'Expired',
      decidedBy: ACCOUNT,
      decidedAt: toTime(REQUIRED_BY),
      expired: true,
      reason: 'Expired',
      message: `no approver decided before ${toTime(REQUIRED_BY)}`,
    },
    conditions: ['False DecisionMade', 'False Expired', 'True Timeout', 'True Expired'],
  },
  {
    name: 'approved',
    reason: 'the decision stays as it is, and is shown',
    status: answer,
    now: after(NOW, MINUTE),
    want: { ...answer, message: 'approved by anna' },
    conditions: ['False DecisionMade', 'True Approved', 'False NotExpired', 'True Approved'],
  },
  {
    name: 'approved, seen after the deadline',
    reason: 'what is decided is never expired',
    status: answer,
    now: after(REQUIRED_BY, MINUTE),
    want: answer,
    conditions: ['False DecisionMade', 'True Approved', 'False NotExpired', 'True Approved'],
  },
  {
    name: 'rejected',
    reason: 'the decision stays as it is, and is shown',
    status: { ...answer, decision: 'Rejected' },
    now: NOW,
    want: { decision: 'Rejected', message: 'rejected by anna' },
    conditions: ['False DecisionMade', 'True Rejected', 'False NotExpired', 'True Rejected'],
  },
  {
    name: 'rejected by an unnamed approver',
    reason: 'a no needs no name',
    status: { decision: 'Rejected' },
    now: NOW,
    want: { decision: 'Rejected', message: 'rejected by an unnamed approver', observedGeneration: 1 },
    conditions: ['False DecisionMade', 'True Rejected', 'False NotExpired', 'True Rejected'],
  },
  {
    name: 'expired',
    reason: 'nothing more happens',
    status: { decision: 'Expired', decidedBy: ACCOUNT, expired: true },
    now: after(REQUIRED_BY, MINUTE),
    want: { decision: 'Expired', decidedBy: ACCOUNT },
    conditions: ['False DecisionMade', 'False Expired', 'True Timeout', 'True Expired'],
  },
  {
    name: 'closed before its deadline',
    reason: 'ruling 126: it says why',
    status: { decision: 'Expired', decidedBy: ACCOUNT, expired: true, decisionMessage: 'rr is Cancelled: not today' },
    now: NOW,
    want: { decision: 'Expired', reason: 'Closed', message: 'closed without a decision: rr is Cancelled: not today' },
    conditions: ['False DecisionMade', 'False Closed', 'True Closed', 'True Closed'],
  },
];

describe('a request for approval', () => {
  test.each(cases)('$name: $reason', ({ status, now, want, conditions, wakeAt }) => {
    const decision = decide({ object: anApproval(status) }, now, ACCOUNT);
    const decided = decision.status as Status;
    expect(decided).toMatchObject(want);
    expect(Object.values(conditionsOf(decided))).toEqual(conditions);
    expect(decision.effects).toEqual([]);
    expect(decision.wakeAt).toBe(wakeAt);
  });

  test.each(cases)('$name: a second look changes nothing', ({ status, now }) => {
    const once = decide({ object: anApproval(status) }, now, ACCOUNT).status as Status;
    const again = decide({ object: anApproval(once) }, after(now, MINUTE), ACCOUNT).status as Status;
    if (once.decision === undefined && after(now, MINUTE) >= REQUIRED_BY) return;
    expect(again).toEqual(once);
  });

  test('no second passes in its status', () =>
    expect(decide({ object: anApproval() }, NOW, ACCOUNT).status).not.toHaveProperty('timeRemaining'));

  test.each([
    ['no owner', []],
    ['something else', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true }]],
  ])('of %s is left alone', (_, ownerReferences) =>
    expect(decide({ object: anApproval(undefined, { ownerReferences }) }, after(REQUIRED_BY, MINUTE), ACCOUNT)).toEqual({ effects: [] }),
  );

  test('does not expire while it is unknown whether it was decided', () => {
    const decision = decide({ object: anApproval(), doubt: 'forbidden' }, REQUIRED_BY, ACCOUNT);
    expect(decision.status).toBeUndefined();
    expect(decision.wakeAt).toBeGreaterThan(REQUIRED_BY);
  });
});

describe('what is read', () => {
  const readerOf = (cached: RemediationApprovalRequest, current: unknown): { reader: Reader; asked: () => number } => {
    let asked = 0;
    const reader = {
      get: () => ({ kind: 'value', value: cached }),
      fetch: () => {
        asked += 1;
        return Promise.resolve(current);
      },
    } as unknown as Reader;
    return { reader, asked: () => asked };
  };
  const key = { namespace: 'sickbay-system', name: 'rar-rr' };

  test.each([
    { name: 'in time', cached: anApproval(), now: NOW, asks: 0 },
    { name: 'decided', cached: anApproval(answer), now: REQUIRED_BY, asks: 0 },
    { name: 'late', cached: anApproval(), now: REQUIRED_BY, asks: 1 },
  ])('$name: the server is asked $asks times', async ({ cached, now, asks }) => {
    const { reader, asked } = readerOf(cached, { kind: 'value', value: anApproval(answer) });
    const seen = await observe(key, reader, now);
    expect(asked()).toBe(asks);
    expect(seen?.object).toEqual(asks > 0 ? anApproval(answer) : cached);
  });

  test('an object that the server does not have is gone; one that cannot be read is in doubt', async () => {
    expect(await observe(key, readerOf(anApproval(), { kind: 'absent' }).reader, REQUIRED_BY)).toBeUndefined();
    const unread = await observe(key, readerOf(anApproval(), { kind: 'unreadable', reason: 'forbidden' }).reader, REQUIRED_BY);
    expect(unread).toEqual({ object: anApproval(), doubt: 'forbidden' });
  });

  test('nothing is read of what is not there', async () => {
    const reader = { get: () => ({ kind: 'absent' }) } as unknown as Reader;
    expect(await observe(key, reader, NOW)).toBeUndefined();
  });
});
