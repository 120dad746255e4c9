import { describe, expect, test } from 'vitest';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import {
  otherRemediator,
  claimCondition,
  claimOf,
  isRequestAwaited,
  isRequestReportedMissing,
  isRequestOfCheck,
  isInProgressElsewhere,
  requestMissingCondition,
  requestUnreadableCondition,
  templateMissingCondition,
} from './claim.ts';
import { withConditions, type DesiredCondition } from '../conditions/cluster-api-conditions.ts';
import { aMachine, ago, NOW } from '../testing/a-machine.ts';

const CLAIM = { request: { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' }, check: 'workers' };
const saying = (...statements: readonly DesiredCondition[]): Machine =>
  aMachine({ status: withConditions<NonNullable<Machine['status']>>({}, statements, { generation: 1, now: NOW }) });
const owner: DesiredCondition = { type: 'OwnerRemediated', holds: false, reason: 'WaitingForRemediation', message: '' };
const NOT_THERE = 'Template here/there is not there; no request is created without it';

describe('a claim', () => {
  test('written by an earlier version of Sickbay is read', () => {
    const message = `PowerCycleRemediation worker-0 (${CLAIM.request.apiVersion}) was asked to mend it by the check ${CLAIM.check}`;
    expect(claimOf(saying({ ...claimCondition(CLAIM, aMachine()), message }))).toEqual(CLAIM);
  });

  test('is read as it was written', () => expect(claimOf(saying(claimCondition(CLAIM, aMachine())))).toEqual(CLAIM));

  test.each([
    { title: 'without the condition', machine: aMachine() },
    { title: 'where only the template is missed', machine: saying(templateMissingCondition(NOT_THERE, aMachine())) },
    {
      title: 'whose message another controller wrote',
      machine: saying({ ...claimCondition(CLAIM, aMachine()), message: 'somebody is at it' }),
    },
    { title: 'for another reason', machine: saying({ ...claimCondition(CLAIM, aMachine()), reason: 'InProgress' }) },
  ])('is none $title', ({ machine }) => expect(claimOf(machine)).toBeUndefined());

  test('outlasts its template: the request may be on its way', () => {
    const asked = saying(claimCondition(CLAIM, aMachine()));
    const missed = templateMissingCondition(NOT_THERE, asked);
    expect(missed.message).toBe(
      `${NOT_THERE}; remediation was requested from PowerCycleRemediation worker-0 (${CLAIM.request.apiVersion}) by MachineHealthCheck workers`,
    );
    expect(claimOf(saying(missed))).toEqual(CLAIM);
    expect(templateMissingCondition(NOT_THERE, saying(missed))).toEqual(missed);
  });

  test.each([
    { title: 'awaited', one: claimCondition(CLAIM, aMachine()), want: { isAwaited: true, isMissed: false, isTakenUp: false } },
    { title: 'not made', one: requestMissingCondition(CLAIM, aMachine()), want: { isAwaited: true, isMissed: true, isTakenUp: false } },
    {
      title: 'unreadable',
      one: requestUnreadableCondition('forbidden', saying(claimCondition(CLAIM, aMachine()))),
      want: { isAwaited: false, isMissed: true, isTakenUp: false },
    },
    {
      title: 'worked on',
      one: { ...claimCondition(CLAIM, aMachine()), reason: 'InProgress' },
      want: { isAwaited: false, isMissed: false, isTakenUp: true },
    },
    {
      title: 'worked on, and that is over',
      one: { ...claimCondition(CLAIM, aMachine()), reason: 'Done', holds: true },
      want: { isAwaited: false, isMissed: false, isTakenUp: false },
    },
  ])('is told of a request that is $title', ({ one, want }) => {
    const machine = saying(one);
    expect({
      isAwaited: isRequestAwaited(machine, CLAIM),
      isMissed: isRequestReportedMissing(machine),
      isTakenUp: isInProgressElsewhere(machine),
    }).toEqual(want);
    expect(isRequestAwaited(machine, { ...CLAIM, check: 'others' })).toBe(false);
    expect(claimOf(machine)).toEqual(want.isTakenUp || one.holds ? undefined : CLAIM);
  });

  test.each([
    { title: 'no other remediator', machine: aMachine(), kind: 'PowerCycleRemediation', want: undefined },
    { title: 'this kind', machine: saying(claimCondition(CLAIM, aMachine())), kind: 'PowerCycleRemediation', want: undefined },
    {
      title: 'another kind',
      machine: saying(claimCondition(CLAIM, aMachine())),
      kind: 'PipelineRemediation',
      want: 'a PowerCycleRemediation',
    },
    { title: 'its owner', machine: saying(owner), kind: 'PowerCycleRemediation', want: 'its owner' },
    {
      title: 'this kind, which has handed it on to its owner',
      machine: saying(claimCondition(CLAIM, aMachine()), owner),
      kind: 'PowerCycleRemediation',
      want: undefined,
    },
  ])('tells who else was asked: $title', ({ machine, kind, want }) => expect(otherRemediator(machine, kind)).toBe(want));
});

describe('a request of ours', () => {
  const request = (uid: string, annotations: Readonly<Record<string, string>>): KubeObject => ({
    apiVersion: 'x/v1',
    kind: 'Fix',
    metadata: {
      name: 'worker-0',
      uid: 'r',
      resourceVersion: '1',
      creationTimestamp: ago(0),
      annotations,
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid }],
    },
  });
  const cloned = { 'cluster.x-k8s.io/cloned-from-name': 'a', 'cluster.x-k8s.io/cloned-from-groupkind': 'b' };

  test.each([
    { title: 'belongs to this Machine and was cloned', uid: 'm-0', annotations: cloned, want: true },
    { title: 'is not one of an earlier Machine of the name', uid: 'm-9', annotations: cloned, want: false },
    { title: 'is not one that a person made', uid: 'm-0', annotations: {}, want: false },
  ])('$title', ({ uid, annotations, want }) => expect(isRequestOfCheck(request(uid, annotations), aMachine())).toBe(want));
});
