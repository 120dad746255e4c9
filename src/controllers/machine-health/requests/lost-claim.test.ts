import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { MINUTE } from '../../../base/index.ts';
import { NOT_READ } from '../../../kube/client/read.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { withoutLostAttempts } from '../safeguards/attempt-limit.ts';
import { ago, aMachine, aTarget, UNREAD } from '../testing/a-machine.ts';
import { claimCondition } from './claim.ts';
import { hasLostClaim, mayHaveLostClaim } from './lost-claim.ts';

const REBOOT = { apiVersion: 'fix.example.com/v1', kind: 'Reboot' };
const SWAP = { apiVersion: 'fix.example.com/v1', kind: 'Swap' };
const ENTRY = { machine: 'worker-0', uid: 'm-0', since: ago(MINUTE), request: REBOOT };
const { request: _, ...OWNERS } = ENTRY;
const OTHER = { name: 'other', allows: true };
const THERE = { kind: 'value', value: { ...REBOOT, metadata: {} } as KubeObject } as const;
const ABSENT = { kind: 'absent' } as const;

const stating = (...stated: readonly { readonly type: string; readonly reason: string; readonly message?: string }[]): Machine =>
  aMachine({ status: { conditions: stated.map((one) => ({ message: '', ...one, status: 'False', lastTransitionTime: ago(MINUTE) })) } });
const claimed = (check: string, request = SWAP): Machine => stating(claimCondition({ request, check }, aMachine()));
const REPORTED = stating({ type: 'ExternallyRemediated', reason: 'InProgress' });
const OF_OWNER = stating({ type: 'OwnerRemediated', reason: 'WaitingForRemediation' });

const recorded = (live: Machine, change: Partial<TargetObservation> = {}): TargetObservation => ({
  target: aTarget({ machine: live }),
  verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] },
  others: [OTHER],
  ...UNREAD,
  entry: ENTRY,
  requestKind: REBOOT,
  request: ABSENT,
  liveMachine: { kind: 'value', value: live },
  ...change,
});

describe('a recorded Machine whose remediation another check began', () => {
  test.each<{ readonly reason: string; readonly one: TargetObservation; readonly want: boolean }>([
    { reason: 'the other has the claim, and the own request does not exist', one: recorded(claimed('other')), want: true },
    {
      reason: 'the other has the claim, and the request of that kind is its own',
      one: recorded(claimed('other', REBOOT), { request: THERE }),
      want: true,
    },
    { reason: 'a request of the own kind exists beside the claim', one: recorded(claimed('other'), { request: THERE }), want: false },
    {
      reason: 'the own request cannot be read',
      one: recorded(claimed('other'), { request: { kind: 'unreadable', reason: 'busy' } }),
      want: false,
    },
    { reason: 'the own request was not read', one: recorded(claimed('other'), { request: NOT_READ }), want: false },
    { reason: 'the claim is the own', one: recorded(claimed('example', REBOOT)), want: false },
    { reason: 'the claim is that of a deleted check', one: recorded(claimed('other'), { others: [] }), want: false },
    { reason: 'no live read was made', one: recorded(claimed('other'), { liveMachine: NOT_READ }), want: false },
    {
      reason: 'the live read found another Machine of the name',
      one: recorded(claimed('other'), { liveMachine: { kind: 'value', value: aMachine({ metadata: { uid: 'm-9' } }) } }),
      want: false,
    },
    {
      reason: 'only an outdated view shows the claim',
      one: recorded(claimed('other'), { liveMachine: { kind: 'value', value: aMachine() } }),
      want: false,
    },
    { reason: 'it is not recorded', one: withoutEntry(recorded(claimed('other'))), want: false },
    {
      reason: 'a remediator replaced the claim, and the request of the other check is open',
      one: recorded(REPORTED, { isOpenForOtherCheck: true }),
      want: true,
    },
    { reason: 'a remediator replaced the claim, and no request is open', one: recorded(REPORTED), want: false },
    { reason: 'the owner was requested by the other check', one: recorded(OF_OWNER), want: true },
    { reason: 'the owner was requested, and no other check exists', one: recorded(OF_OWNER, { others: [] }), want: false },
    { reason: 'the owner was requested by both', one: recorded(OF_OWNER, { entry: OWNERS }), want: false },
    { reason: 'it is recorded for its owner, and the other has the claim', one: recorded(claimed('other'), { entry: OWNERS }), want: true },
  ])('$reason: $want', ({ one, want }) => {
    expect(hasLostClaim(one, 'example')).toBe(want);
  });

  test.each([
    { reason: 'another check has the claim', one: recorded(claimed('other')), want: true },
    { reason: 'the claim is the own', one: recorded(claimed('example')), want: false },
    { reason: 'it is not recorded', one: withoutEntry(recorded(claimed('other'))), want: false },
  ])('is read live where $reason: $want', ({ one, want }) => {
    expect(mayHaveLostClaim(one, 'example')).toBe(want);
  });
});

function withoutEntry(target: TargetObservation): TargetObservation {
  const { entry: __, ...rest } = target;
  return rest;
}

describe('an attempt that was recorded in vain', () => {
  const attempt = (count: number, last = ENTRY.since) => ({ machine: 'worker-0', uid: 'm-0', count, last });

  test.each([
    { reason: 'the only one is forgotten', before: [attempt(1)], want: [] },
    { reason: 'earlier ones still count', before: [attempt(3)], want: [attempt(2)] },
    { reason: 'one of another time counts', before: [attempt(1, ago(0))], want: [attempt(1, ago(0))] },
    { reason: 'one of another Machine counts', before: [{ ...attempt(1), uid: 'm-9' }], want: [{ ...attempt(1), uid: 'm-9' }] },
  ])('$reason', ({ before, want }) => {
    expect(withoutLostAttempts(before, [ENTRY])).toEqual(want);
  });
});
