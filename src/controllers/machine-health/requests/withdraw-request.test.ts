import { describe, expect, test } from 'vitest';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND } from '../../../base/index.ts';
import { NOT_READ, type OptionalRead, type Read } from '../../../kube/client/read.ts';
import { claimCondition, requestUnreadableCondition, templateMissingCondition } from './claim.ts';
import type { PlannedAction } from './request-remediation.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { isReportedHealthy, withdrawFromDeselected, withdrawRequest } from './withdraw-request.ts';
import { ago, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const KIND = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' };
const ENTRY = { machine: 'worker-0', uid: 'm-0', since: ago(5 * MINUTE), request: KIND };
const LATER = after(NOW, 10 * SECOND);

const said = (type: string, status: 'True' | 'False', more: object = {}) => ({
  type,
  status,
  reason: 'said',
  message: '',
  lastTransitionTime: ago(MINUTE),
  ...more,
});
const WELL = said('HealthCheckSucceeded', 'True');
const claim = (check: string) => {
  const { reason, message } = claimCondition({ request: KIND, check }, aMachine());
  return said('ExternallyRemediated', 'False', { reason, message });
};

const machine = (conditions: readonly object[] = [WELL], metadata: Partial<Machine['metadata']> = {}): Machine =>
  aMachine({ status: { conditions: conditions as never }, metadata });

const target = (change: Partial<TargetObservation> = {}, one = machine()): TargetObservation => ({
  target: aTarget({ machine: one }),
  verdict: { kind: 'healthy' },
  others: [],
  ...UNREAD,
  requestKind: KIND,
  liveMachine: { kind: 'value', value: one },
  ...change,
});

const request = (metadata: Partial<KubeObject['metadata']> = {}): Read<KubeObject> => ({
  kind: 'value',
  value: {
    ...KIND,
    metadata: {
      name: 'worker-0',
      namespace: 'machine-api',
      uid: 'r-0',
      resourceVersion: '3',
      creationTimestamp: ago(MINUTE),
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
      annotations: { [ANNOTATIONS.clonedFromName]: 'cycle', [ANNOTATIONS.clonedFromGroupKind]: 'x' },
      ...metadata,
    },
  },
});

const DELETE = {
  kind: 'Delete',
  resource: {
    group: 'remediation.sickbay.dev',
    version: 'v1alpha1',
    kind: KIND.kind,
    plural: 'powercycleremediations',
    namespaced: true,
  },
  key: { namespace: 'machine-api', name: 'worker-0' },
  uid: 'r-0',
} as const;

const withdrawn: readonly { readonly reason: string; readonly found: Read<KubeObject> | undefined; readonly want: PlannedAction }[] = [
  {
    reason: 'the request is deleted, and looked for soon',
    found: request(),
    want: { entry: ENTRY, effects: [DELETE], wakeAt: after(NOW, SECOND) },
  },
  {
    reason: 'one that is on its way out may still have to clear up',
    found: request({ deletionTimestamp: ago(SECOND) }),
    want: { entry: ENTRY, effects: [], wakeAt: LATER },
  },
  { reason: 'the request was not read', found: undefined, want: { entry: ENTRY, effects: [], wakeAt: LATER } },
  {
    reason: 'the request cannot be read',
    found: { kind: 'unreadable', reason: 'busy' },
    want: { entry: ENTRY, effects: [], wakeAt: LATER },
  },
  { reason: 'one that a person made is left alone', found: request({ annotations: {} }), want: { effects: [] } },
  { reason: 'one for an earlier Machine is left alone', found: request({ ownerReferences: [] }), want: { effects: [] } },
  { reason: 'there is no request, and nothing to withdraw', found: { kind: 'absent' }, want: { effects: [] } },
];

describe('for a Machine that is well again', () => {
  test.each(withdrawn)('$reason', ({ found, want }) => {
    expect(withdrawRequest(target({ entry: ENTRY, ...(found && { request: found }) }), 'example', NOW)).toEqual(want);
  });

  test('without an entry none is made', () => {
    expect(withdrawRequest(target({ request: request() }), 'example', NOW)).toEqual({ effects: [DELETE], wakeAt: after(NOW, SECOND) });
  });

  test.each<{ readonly reason: string; readonly liveMachine: OptionalRead<Machine> }>([
    { reason: 'it says there that it fails', liveMachine: { kind: 'value', value: machine([{ ...WELL, status: 'False' }]) } },
    { reason: 'it says nothing there', liveMachine: { kind: 'value', value: aMachine({ status: undefined } as never) } },
    { reason: 'the server has another of that name', liveMachine: { kind: 'value', value: machine([WELL], { uid: 'm-1' }) } },
    { reason: 'the server has none', liveMachine: { kind: 'absent' } },
    { reason: 'the server does not say', liveMachine: { kind: 'unreadable', reason: 'busy' } },
    { reason: 'no live read was made', liveMachine: NOT_READ },
  ])('the request stays for now, and so does the record, when the server contradicts: $reason', ({ liveMachine }) => {
    const { liveMachine: _, ...one } = target({ entry: ENTRY, request: request() });
    expect(withdrawRequest({ ...one, liveMachine }, 'example', NOW)).toEqual({
      entry: ENTRY,
      effects: [],
      wakeAt: LATER,
    });
  });

  test('the claim goes with the request', () => {
    const { effects } = withdrawRequest(
      target({ entry: ENTRY, request: { kind: 'absent' } }, machine([WELL, claim('example')])),
      'example',
      NOW,
    );
    expect(effects).toEqual([
      {
        kind: 'PatchStatus',
        resource: Machine,
        key: { namespace: 'machine-api', name: 'worker-0' },
        resourceVersion: '1',
        status: { conditions: [WELL] },
      },
    ]);
  });

  test('a Machine without a status states nothing', () => {
    const bare = aMachine({ status: undefined } as never);
    expect(withdrawRequest(target({ request: { kind: 'absent' } }, bare), 'example', NOW)).toEqual({ effects: [] });
  });

  test('nothing where no request was read', () => {
    const { requestKind: _, ...one } = target({ entry: ENTRY, request: request() });
    expect(withdrawRequest(one, 'example', NOW)).toEqual({ effects: [] });
  });

  test.each([
    {
      words: templateMissingCondition('it is not there', aMachine()),
      want: [WELL],
      reason: 'but the reason why no remediation was requested is cleared',
    },
    {
      words: requestUnreadableCondition('it is not served', aMachine()),
      want: [WELL],
      reason: 'and so is the reason that blocked a request',
    },
    {
      words: templateMissingCondition('it is not there', machine([claim('gone')])),
      want: undefined,
      reason: 'but the reason stays beside a claim',
    },
    { words: { reason: 'InProgress', message: '' }, want: undefined, reason: 'and the report of a remediator at work stays' },
    {
      words: templateMissingCondition('it is not there', aMachine()),
      others: [{ name: 'theirs', allows: false, isManagedByOther: true }],
      want: undefined,
      reason: 'and no condition is cleared on a Machine that another controller manages',
    },
  ])('nothing where no request was read, $reason', ({ words: { reason, message }, others = [], want }) => {
    const { requestKind: _, ...one } = target({ others }, machine([WELL, said('ExternallyRemediated', 'False', { reason, message })]));
    expect(withdrawRequest(one, 'example', NOW).effects).toMatchObject(want ? [{ kind: 'PatchStatus', status: { conditions: want } }] : []);
  });

  test.each([
    { others: [{ name: 'another', allows: true }], want: 0, reason: 'a request of another check is left alone' },
    { others: [{ name: 'third', allows: true }], want: 1, reason: 'an orphaned request of a deleted check is taken over' },
  ])('$reason', ({ others, want }) => {
    const one = target({ others, request: request() }, machine([WELL, claim('another')]));
    expect(withdrawRequest(one, 'example', NOW).effects).toHaveLength(want);
  });
});

describe('for a Machine that the check no longer selects', () => {
  test.each(withdrawn)('$reason', ({ found, want }) => {
    expect(withdrawFromDeselected({ entry: ENTRY, machine: machine(), request: found ?? NOT_READ }, NOW)).toEqual(want);
  });

  test.each([
    { reason: 'that is gone: its request goes with it', deselected: { entry: ENTRY } },
    {
      reason: 'that another check has asked for',
      deselected: { entry: ENTRY, machine: machine([claim('another')]), isClaimedElsewhere: true, request: request() },
    },
    {
      reason: 'that another check has asked for, though it is paused',
      deselected: { entry: ENTRY, machine: machine([], { annotations: { [ANNOTATIONS.paused]: '' } }), isClaimedElsewhere: true },
    },
    {
      reason: 'whose owner was asked',
      deselected: { entry: { ...ENTRY, request: undefined } as never, machine: machine(), request: request() },
    },
  ])('nothing is left to do for one $reason', ({ deselected }) => {
    expect(withdrawFromDeselected({ request: NOT_READ, ...deselected }, NOW)).toEqual({ effects: [] });
  });

  test.each([
    { reason: 'for whom there is a request', entry: ENTRY },
    { reason: 'whose owner was asked', entry: { machine: ENTRY.machine, uid: ENTRY.uid, since: ENTRY.since } },
  ])('one that is paused is left exactly as it is: one $reason', ({ entry }) => {
    const paused = machine([WELL], { annotations: { [ANNOTATIONS.paused]: '' } });
    expect(withdrawFromDeselected({ entry, machine: paused, request: request() }, NOW)).toEqual({
      entry,
      effects: [],
      wakeAt: after(NOW, MINUTE),
    });
  });
});

describe('a Machine is well', () => {
  test.each<{ readonly reason: string; readonly one: TargetObservation; readonly want: boolean }>([
    { reason: 'when it and the check say so', one: target(), want: true },
    { reason: 'not while the Machine has not said so', one: target({}, machine([])), want: false },
    { reason: 'not while the Machine says otherwise', one: target({}, machine([{ ...WELL, status: 'False' }])), want: false },
    { reason: 'not without a status', one: target({}, aMachine({ status: undefined } as never)), want: false },
    { reason: 'not while the check waits', one: target({ verdict: { kind: 'waiting', until: NOW } }), want: false },
  ])('$reason', ({ one, want }) => {
    expect(isReportedHealthy(one)).toBe(want);
  });
});
