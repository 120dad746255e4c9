import { describe, expect, test } from 'vitest';
import type { MachineHealthCheck } from '../../../api/machine-health-check/machine-health-check.ts';
import type { KubeObject, ObjectKey } from '../../../api/meta.ts';
import { MINUTE } from '../../../base/index.ts';
import type { Read, Reader } from '../../../runtime/reconcile/controller.ts';
import { claimCondition, type RequestKind } from './claim.ts';
import { kindText, type FetchedRequests } from './fetch-requests.ts';
import { lookupsOfOtherChecks, requestsOfOtherChecks, isClaimedByOtherCheck, withOtherRecords } from './requests-of-other-checks.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { ago, aHealthCheck, aMachine, aTarget, UNREAD } from '../testing/a-machine.ts';

const REBOOT = { apiVersion: 'fix.example.com/v1', kind: 'Reboot' };
const ENTRY = { machine: 'worker-0', uid: 'm-0', since: ago(MINUTE), request: REBOOT };
const OTHER = { name: 'other', allows: true };
const HOLDS = { ...OTHER, recordedRequest: REBOOT };

const stating = (stated: { readonly reason: string; readonly message: string } | undefined) =>
  aMachine({
    status: {
      conditions: stated ? [{ type: 'ExternallyRemediated', status: 'False', lastTransitionTime: ago(MINUTE), ...stated } as never] : [],
    },
  });
const claimOfCheck = (check: string) => stating(claimCondition({ request: REBOOT, check }, aMachine()));
const FOREIGN = stating({ reason: 'InProgress', message: 'attempt 1' });

const target = (change: Partial<TargetObservation> = {}, machine = FOREIGN): TargetObservation => ({
  target: aTarget({ machine }),
  verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] },
  others: [HOLDS],
  ...UNREAD,
  ...change,
});

/** What was read of worker-0's requests. */
const fetched = (...reads: readonly { readonly kind: RequestKind; readonly found: Read<KubeObject> | undefined }[]): FetchedRequests =>
  new Map(reads.map(({ kind, found }) => [kindText(kind), { isComplete: false, byName: new Map(found && [['worker-0', found]]) }]));

describe('the records of other checks', () => {
  const seenWith = (
    remediations: readonly object[],
    others: TargetObservation['others'] = [OTHER],
  ): TargetObservation['others'] | undefined => {
    const value = { ...aHealthCheck(), status: { remediations } } as MachineHealthCheck;
    const reader = { get: () => ({ kind: 'value', value }) } as unknown as Reader;
    return withOtherRecords([target({ others })], { reader, namespace: 'machine-api' })[0]?.others;
  };

  test.each([
    { reason: 'a request for the Machine', record: [ENTRY], want: [HOLDS] },
    { reason: 'a request for an earlier one of the name', record: [{ ...ENTRY, uid: 'm-9' }], want: [OTHER] },
    { reason: 'that its owner was asked', record: [{ machine: 'worker-0', uid: 'm-0', since: ago(MINUTE) }], want: [OTHER] },
    { reason: 'nothing', record: [], want: [OTHER] },
  ])('$reason', ({ record, want }) => {
    expect(seenWith(record)).toEqual(want);
  });

  test('no other check is read for a Machine that is not shared', () => {
    expect(withOtherRecords([target({ others: [] })], { reader: {} as Reader, namespace: 'machine-api' })[0]?.others).toEqual([]);
  });

  test('each of several checks is read once, by name, and those without a status have no records', () => {
    const asked: string[] = [];
    const reader = {
      get: (_: unknown, { namespace, name }: ObjectKey) => {
        asked.push(`${namespace}/${name}`);
        const status = name === 'other' ? { remediations: [ENTRY] } : undefined;
        return { kind: 'value', value: { ...aHealthCheck(), status } };
      },
    } as unknown as Reader;
    const shared = target({ others: [OTHER, { name: 'new', allows: true }] });
    for (const { others } of withOtherRecords([shared, shared], { reader, namespace: 'machine-api' }))
      expect(others).toEqual([HOLDS, { name: 'new', allows: true }]);
    expect(asked).toEqual(['machine-api/other', 'machine-api/new']);
  });

  test('a check that cannot be read has no records', () => {
    const reader = { get: () => ({ kind: 'absent' }) } as unknown as Reader;
    expect(withOtherRecords([target({ others: [OTHER] })], { reader, namespace: 'machine-api' })[0]?.others).toEqual([OTHER]);
  });
});

describe('another check has asked for a Machine', () => {
  test.each<{ readonly reason: string; readonly one: TargetObservation; readonly want: boolean }>([
    { reason: 'that says so', one: target({ others: [OTHER] }, claimOfCheck('other')), want: true },
    {
      reason: 'of our own name, as the Machine says, although another has it',
      one: target({ others: [{ ...HOLDS, name: 'example' }] }, claimOfCheck('example')),
      want: false,
    },
    { reason: 'whose claim names this check, whatever else is recorded', one: target({}, claimOfCheck('example')), want: false },
    { reason: 'that says so of one that is no more', one: target({ others: [] }, claimOfCheck('other')), want: false },
    { reason: 'that does not say who did, by the record', one: target(), want: true },
    { reason: 'that says nothing, by the record', one: target({}, stating(undefined)), want: true },
    { reason: 'that is on no record', one: target({ others: [OTHER] }), want: false },
    { reason: 'that is on our record too: the server tells', one: target({ entry: ENTRY }), want: false },
  ])('$reason: $want', ({ one, want }) => {
    expect(isClaimedByOtherCheck(one, 'example')).toBe(want);
  });
});

describe('a Machine on the records of two checks that does not say which of them asked', () => {
  const both = target({ entry: ENTRY });

  test.each<{ readonly found: Read<KubeObject> | undefined; readonly mayBe?: true; readonly isOpen?: true }>([
    { found: { kind: 'value', value: { ...REBOOT, metadata: {} } as KubeObject }, mayBe: true, isOpen: true },
    { found: { kind: 'unreadable', reason: 'busy' }, mayBe: true },
    { found: undefined, mayBe: true },
    { found: { kind: 'absent' } },
  ])('may be held elsewhere where the request of the other is $found.kind: $mayBe', ({ found, mayBe, isOpen }) => {
    const want = { ...(mayBe && { otherRequestMayBeOpen: true }), ...(isOpen && { isOpenForOtherCheck: true }) };
    expect(requestsOfOtherChecks(both, fetched({ kind: REBOOT, found }))).toEqual(want);
  });

  test('its request is looked for under its name, one by one, and one that is there is enough', () => {
    const swap = { apiVersion: 'fix.example.com/v1', kind: 'Swap' };
    const thrice = target({ entry: ENTRY, others: [HOLDS, { name: 'third', allows: true, recordedRequest: swap }] });
    expect(lookupsOfOtherChecks(thrice)).toEqual([REBOOT, swap].map((kind) => ({ name: 'worker-0', kind, isFromFullList: false })));
    const requests = fetched({ kind: REBOOT, found: { kind: 'absent' } }, { kind: swap, found: { kind: 'unreadable', reason: 'busy' } });
    expect(requestsOfOtherChecks(thrice, requests)).toEqual({ otherRequestMayBeOpen: true });
  });

  test.each<{ readonly reason: string; readonly one: TargetObservation }>([
    { reason: 'it says who asked', one: target({ entry: ENTRY }, claimOfCheck('example')) },
    { reason: 'it is well', one: target({ entry: ENTRY, verdict: { kind: 'healthy' } }) },
    { reason: 'it is not on our record', one: target() },
    { reason: 'the other has not asked', one: target({ entry: ENTRY, others: [OTHER] }) },
  ])('nothing is looked for where $reason', ({ one }) => {
    expect(lookupsOfOtherChecks(one)).toEqual([]);
  });
});
