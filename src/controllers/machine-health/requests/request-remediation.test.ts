import { describe, expect, test } from 'vitest';
import { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Resource } from '../../../api/resource.ts';
import { ANNOTATIONS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND, toTime } from '../../../base/index.ts';
import { NOT_READ, type OptionalRead, type Read } from '../../../kube/client/read.ts';
import { claimCondition, claimOf } from './claim.ts';
import { requestRemediation, keepRecorded, unhealthySince, type PlannedAction } from './request-remediation.ts';
import type { CheckObservation, TargetObservation, TemplateObservation } from '../check/observe-check.ts';
import type { ActingOwners } from '../owners/acting-owners.ts';
import type { ParsedCheck } from '../targets/parse-check.ts';
import { aCheck, ago, aHealthCheck, aMachine, aTarget, NOW, UNREAD } from '../testing/a-machine.ts';

const CHECK = 'example';
const KIND = { apiVersion: 'remediation.sickbay.dev/v1alpha1', kind: 'PowerCycleRemediation' };
const REQUESTS: Resource = {
  group: 'remediation.sickbay.dev',
  version: 'v1alpha1',
  kind: KIND.kind,
  plural: 'powercycleremediations',
  namespaced: true,
};
const TEMPLATE = { apiVersion: KIND.apiVersion, kind: 'PowerCycleRemediationTemplate', metadata: { name: 'cycle' } } as KubeObject;
const EXTERNAL: TemplateObservation = {
  reference: { apiVersion: KIND.apiVersion, kind: 'PowerCycleRemediationTemplate', name: 'cycle' },
  requests: REQUESTS,
  template: { kind: 'value', value: TEMPLATE },
};
const ABSENT: Read<KubeObject> = { kind: 'absent' };
const ENTRY = { machine: 'worker-0', uid: 'm-0', since: ago(5 * MINUTE) };
const FRESH = { machine: 'worker-0', uid: 'm-0', since: toTime(NOW) };

interface Said {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

const condition = ({ reason = 'said', message = '', ...rest }: Said) => ({
  ...rest,
  reason,
  message,
  lastTransitionTime: ago(10 * SECOND),
});
const MARKED: Said = { type: 'HealthCheckSucceeded', status: 'False' };
const ASKED: Said = { type: 'OwnerRemediated', status: 'False', reason: 'WaitingForRemediation' };
const OWNED = { ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'workers', uid: 's' }] };
const ALL_ACT: ActingOwners = { machineSets: true, controlPlanes: true };
const NONE_ACTS: ActingOwners = { machineSets: false, controlPlanes: false };
const byAnother = claimCondition({ request: KIND, check: 'another' }, aMachine());
const CLAIMED: Said = { type: byAnother.type, status: 'False', reason: byAnother.reason, message: byAnother.message };

/** What an external controller may write where the claim stands. */
const AT_WORK: Said = { type: byAnother.type, status: 'False', reason: 'InProgress', message: 'attempt 1' };
const OTHER = { name: 'another', allows: true };

const machine = (conditions: readonly Said[] = [MARKED], metadata: Partial<Machine['metadata']> = {}): Machine =>
  aMachine({ status: { conditions: conditions.map(condition) }, metadata });

const failing = (change: Partial<TargetObservation> & { readonly machine?: Machine } = {}): TargetObservation => {
  const { machine: one = machine(), ...rest } = change;
  return {
    target: aTarget({ machine: one }),
    verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] },
    others: [],
    ...UNREAD,
    ...rest,
  };
};

/** One for whom a request may be made: none is there, and the server has the Machine as it was seen. */
const outside = (change: Partial<TargetObservation> & { readonly machine?: Machine } = {}): TargetObservation => {
  const { machine: one = machine() } = change;
  return failing({ requestKind: KIND, request: ABSENT, liveMachine: { kind: 'value', value: one }, ...change });
};

function action(
  target: TargetObservation,
  {
    external,
    isOpen = true,
    graceMs = 0,
    owners = ALL_ACT,
  }: { external?: TemplateObservation; isOpen?: boolean; graceMs?: number; owners?: ActingOwners } = {},
): PlannedAction {
  const parsed = { kind: 'valid', check: aCheck({ missingNodeGraceMs: graceMs }), name: CHECK, namespace: 'machine-api' } as ParsedCheck;
  const seen = { object: aHealthCheck(), parsed, pausedBy: [], targets: [], owners, ...(external && { external }) };
  return requestRemediation(seen as CheckObservation & { readonly parsed: ParsedCheck }, target, { isOpen, now: NOW });
}

/** What an action states on the Machine: `type status reason`. */
const statements = ({ effects }: PlannedAction): readonly string[] =>
  effects.flatMap((effect) =>
    effect.kind === 'PatchStatus'
      ? ((effect.status as Machine['status'])?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`)
      : [],
  );

describe('no remediation is requested where', () => {
  const NOTHING: PlannedAction = { effects: [] };
  const KEPT: PlannedAction = { entry: ENTRY, effects: [], wakeAt: after(NOW, MINUTE) };

  test.each<{
    readonly reason: string;
    readonly target: TargetObservation;
    readonly isOpen?: boolean;
    readonly external?: TemplateObservation;
  }>([
    { reason: 'the gate is closed', target: failing(), isOpen: false },
    { reason: 'the Machine does not say yet that it fails', target: failing({ machine: machine([]) }) },
    { reason: 'the Machine says that it is well', target: failing({ machine: machine([{ ...MARKED, status: 'True' }]) }) },
    { reason: 'the Machine has no status', target: failing({ machine: aMachine({ status: undefined } as never) }) },
    { reason: 'it is being deleted', target: failing({ machine: machine([MARKED], { deletionTimestamp: ago(SECOND) }) }) },
    { reason: 'another check of it has closed its gate', target: failing({ others: [{ name: 'another', allows: false }] }) },
    {
      reason: 'one of several has',
      target: failing({
        others: [
          { name: 'third', allows: true },
          { name: 'another', allows: false },
        ],
      }),
    },
    { reason: 'the template makes no requests', target: outside(), external: { ...EXTERNAL, requests: undefined } },
    { reason: 'no request was looked for', target: failing({ requestKind: KIND }), external: EXTERNAL },
    {
      reason: 'its owner was asked before there was a template',
      target: outside({ machine: machine([MARKED, ASKED], OWNED) }),
      external: EXTERNAL,
    },
    {
      reason: 'a remediator that is not known as its owner has started',
      target: outside({ machine: machine([MARKED, { ...ASKED, reason: 'MachineDeleting' }]) }),
      external: EXTERNAL,
    },
  ])('$reason', ({ target, ...rest }) => {
    expect(action(target, rest)).toEqual(NOTHING);
    // A recorded Machine stays recorded and is checked again at intervals.
    expect(action({ ...target, entry: ENTRY }, rest)).toEqual(KEPT);
  });

  test.each<{ readonly reason: string; readonly target: TargetObservation }>([
    { reason: 'has claimed it', target: failing({ machine: machine([MARKED, CLAIMED]), others: [OTHER] }) },
    { reason: 'has recorded it', target: failing({ others: [{ ...OTHER, recordedRequest: KIND }] }) },
    {
      reason: 'may have: a remediator is at work for one of the checks',
      target: failing({ machine: machine([MARKED, AT_WORK]), others: [OTHER] }),
    },
    { reason: 'may have, and is deleted since: a remediator is at work', target: failing({ machine: machine([MARKED, AT_WORK]) }) },
    {
      reason: 'has recorded it as this check has, and a request is open',
      target: failing({ entry: ENTRY, others: [OTHER], otherRequestMayBeOpen: true }),
    },
  ])('the Machine is checked again later where another check requested remediation already: that check $reason', ({ target }) => {
    expect(action(target)).toEqual({ ...keepRecorded(target, NOW), wakeAt: after(NOW, MINUTE) });
  });

  test.each<{ readonly reason: string; readonly target: TargetObservation }>([
    {
      reason: 'that remediation is finished',
      target: failing({ machine: machine([MARKED, { ...AT_WORK, status: 'True' }]), others: [OTHER] }),
    },
    { reason: 'this check made the request', target: failing({ machine: machine([MARKED, AT_WORK]), others: [OTHER], entry: ENTRY }) },
    { reason: 'this check alone made the request', target: failing({ machine: machine([MARKED, AT_WORK]), entry: ENTRY }) },
  ])('but a foreign report over the claim does not block the request where $reason', ({ target }) => {
    expect(statements(action(target))).toContain('OwnerRemediated False WaitingForRemediation');
  });

  test.each<{ readonly reason: string; readonly liveMachine: OptionalRead<Machine> }>([
    {
      reason: 'a remediator is at work there',
      liveMachine: { kind: 'value', value: machine([MARKED, AT_WORK], { resourceVersion: '2' }) },
    },
    { reason: 'the server has no such Machine', liveMachine: { kind: 'absent' } },
    { reason: 'the server does not say', liveMachine: { kind: 'unreadable', reason: 'busy' } },
    { reason: 'no live read was made', liveMachine: NOT_READ },
    { reason: 'it has another of that name', liveMachine: { kind: 'value', value: machine([MARKED], { uid: 'm-1' }) } },
    { reason: 'it is being deleted there', liveMachine: { kind: 'value', value: machine([MARKED], { deletionTimestamp: ago(SECOND) }) } },
    { reason: 'it is well there', liveMachine: { kind: 'value', value: machine([{ ...MARKED, status: 'True' }]) } },
    { reason: 'it is not the version that was judged', liveMachine: { kind: 'value', value: machine([MARKED], { resourceVersion: '2' }) } },
    { reason: 'its owner was asked there', liveMachine: { kind: 'value', value: machine([MARKED, ASKED], OWNED) } },
    {
      reason: 'another check has claimed it there',
      liveMachine: { kind: 'value', value: machine([MARKED, CLAIMED], { resourceVersion: '2' }) },
    },
    ...[ANNOTATIONS.paused, ANNOTATIONS.skipRemediation].map((name) => ({
      reason: `it is to be left alone there (${name})`,
      liveMachine: { kind: 'value', value: machine([MARKED], { annotations: { [name]: '' } }) } as const,
    })),
  ])('now, but again soon, the live read contradicts: $reason', ({ liveMachine }) => {
    const { liveMachine: _, ...target } = outside();
    expect(action({ ...target, liveMachine }, { external: EXTERNAL })).toEqual({
      effects: [],
      wakeAt: after(NOW, SECOND),
    });
  });
});

describe('the request condition of a Machine', () => {
  const unreadable: Read<KubeObject> = { kind: 'unreadable', reason: 'forbidden' };
  const OURS: Said = { ...CLAIMED, message: CLAIMED.message!.replace('another', CHECK) };
  const MISSED: Said = { ...OURS, reason: 'RemediationRequestCreationFailed' };
  const there: Read<KubeObject> = {
    kind: 'value',
    value: {
      ...KIND,
      metadata: {
        name: 'worker-0',
        ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
        annotations: { [ANNOTATIONS.clonedFromName]: 'cycle', [ANNOTATIONS.clonedFromGroupKind]: 'x' },
      },
    } as unknown as KubeObject,
  };
  const says = (said: readonly Said[], request: Read<KubeObject>, others: TargetObservation['others'] = []) =>
    statements(action(outside({ machine: machine(said), request, others }), { external: EXTERNAL })).filter((one) => one.startsWith('Ext'));

  test.each<{ readonly reason: string; readonly said: readonly Said[]; readonly request: Read<KubeObject>; readonly want?: string }>([
    { reason: 'it cannot be read', said: [MARKED], request: unreadable, want: 'RemediationRequestUnreadable' },
    { reason: 'it cannot be read any more', said: [MARKED, OURS], request: unreadable, want: 'RemediationRequestUnreadable' },
    { reason: 'it cannot be read, and the Machine does not fail', said: [], request: unreadable },
    { reason: 'it cannot be read, and a remediator is at work', said: [MARKED, AT_WORK], request: unreadable },
    { reason: 'it is there', said: [MARKED, OURS], request: there },
    { reason: 'it is there after all', said: [MARKED, MISSED], request: there, want: 'WaitingForRemediation' },
    { reason: 'there is none yet', said: [MARKED], request: ABSENT, want: 'WaitingForRemediation' },
    { reason: 'there is none although it was asked for', said: [MARKED, OURS], request: ABSENT, want: 'RemediationRequestCreationFailed' },
  ])('$reason: $want', ({ said, request, want }) => {
    expect(says(said, request)).toEqual(want === undefined ? [] : [`ExternallyRemediated False ${want}`]);
  });

  test('what another check asked for is for that one to tell of', () => {
    expect(says([MARKED, CLAIMED], unreadable, [OTHER])).toEqual([]);
  });
});

describe('a Node that is gone', () => {
  const gone = (): TargetObservation => failing({ verdict: { kind: 'unhealthy', fault: 'NodeDeleted', messages: [] } });

  test('has time to come back', () => {
    expect(action(gone(), { graceMs: MINUTE })).toEqual({ effects: [], wakeAt: after(NOW, MINUTE - 10 * SECOND) });
    expect(action({ ...gone(), entry: ENTRY }, { graceMs: MINUTE })).toMatchObject({ entry: ENTRY, effects: [] });
  });

  test('but no more than that', () => {
    expect(action(gone(), { graceMs: 10 * SECOND }).isNewRemediation).toBe(true);
  });

  test('only what is gone has it', () => {
    expect(action(failing(), { graceMs: MINUTE }).isNewRemediation).toBe(true);
  });
});

describe('the owner', () => {
  test('is asked, and the request is recorded in status', () => {
    const asked = action(failing({ machine: machine([MARKED], OWNED) }));
    expect(asked).toMatchObject({ entry: FRESH, wakeAt: after(NOW, MINUTE), isNewRemediation: true });
    expect(asked.effects).toHaveLength(1);
    expect(asked.effects[0]).toMatchObject({
      kind: 'PatchStatus',
      resource: Machine,
      key: { namespace: 'machine-api', name: 'worker-0' },
      resourceVersion: '1',
    });
    expect(statements(asked)).toEqual([
      'HasRemediatingOwner True HasOwner',
      'HealthCheckSucceeded False said',
      'OwnerRemediated False WaitingForRemediation',
    ]);
    const { status } = asked.effects[0] as { readonly status?: Machine['status'] };
    expect(status?.deprecated?.v1beta1?.conditions).toEqual([
      { type: 'OwnerRemediated', status: 'False', severity: 'Warning', reason: 'WaitingForRemediation', lastTransitionTime: toTime(NOW) },
    ]);
    expect(status?.conditions?.find(({ type }) => type === 'OwnerRemediated')?.message).toBe('Waiting for remediation');
  });

  test.each([
    { kinds: ['KubeadmControlPlane'], want: 'True HasOwner' },
    { kinds: ['Cluster', 'MachineSet'], want: 'True HasOwner' },
    { kinds: ['Cluster'], want: 'False NoOwner' },
    { kinds: ['ControlPlaneMachine'], want: 'False NoOwner' },
    { kinds: [], want: 'False NoOwner' },
  ])('is missed among $kinds or not: $want', ({ kinds, want }) => {
    const ownerReferences = kinds.map((kind) => ({ apiVersion: 'v1', kind, name: 'o', uid: 'o' }));
    const asked = action(failing({ machine: machine([MARKED], { ownerReferences }) }));
    expect(statements(asked)).toContain(`HasRemediatingOwner ${want}`);
    const message = asked.effects.flatMap((effect) => ('status' in effect ? ((effect.status as Machine['status'])?.conditions ?? []) : []));
    const said = message.find(({ type }) => type === 'HasRemediatingOwner')?.message ?? '';
    expect(said.startsWith(want.startsWith('True') ? '' : 'no MachineSet or control plane owns it')).toBe(true);
  });

  test.each([
    { kind: 'MachineSet', owners: { machineSets: false, controlPlanes: true } },
    { kind: 'KubeadmControlPlane', owners: { machineSets: true, controlPlanes: false } },
  ])('does not count while no controller is known to act for a $kind (ruling 124)', ({ kind, owners }) => {
    const ownerReferences = [{ apiVersion: 'v1', kind, name: 'o', uid: 'o' }];
    const asked = action(failing({ machine: machine([MARKED], { ownerReferences }) }), { owners });
    expect(statements(asked)).toContain('HasRemediatingOwner False OwnerNotActing');
    expect(asked.hasNoRemediator).toBeUndefined();
  });

  test('proceeds in its own way once it was asked', () => {
    const asked = action(failing({ machine: machine([MARKED, { ...ASKED, reason: 'Deleting' }]) }));
    expect(statements(asked)).toContain('OwnerRemediated False Deleting');
    expect(asked.isNewRemediation).toBe(false);
  });

  test('is asked again where it reported that it was done', () => {
    const asked = action(failing({ machine: machine([MARKED, { ...ASKED, status: 'True', reason: 'Done' }]) }));
    expect(statements(asked)).toContain('OwnerRemediated False WaitingForRemediation');
    expect(asked.isNewRemediation).toBe(true);
  });

  test('keeps its recorded entry, without the kind of an earlier template', () => {
    const known = action(failing({ entry: { ...ENTRY, request: KIND } }));
    expect(known).toMatchObject({ entry: ENTRY, isNewRemediation: false });
    expect(known.entry).not.toHaveProperty('request');
  });

  test('takes over from an earlier template', () => {
    const asked = action(failing({ machine: machine([MARKED, CLAIMED]) }));
    expect(statements(asked).join()).not.toContain('ExternallyRemediated');
  });

  test('is not asked twice', () => {
    const first = action(failing());
    const { status } = first.effects[0] as { readonly status?: unknown };
    const again = action(failing({ machine: aMachine({ status: status as never }), entry: ENTRY }));
    expect(again).toEqual({ entry: ENTRY, effects: [], wakeAt: after(NOW, MINUTE), isNewRemediation: false, hasNoRemediator: true });
  });
});

describe('with a template', () => {
  test('the Machine is claimed, then the request made', () => {
    const made = action(outside(), { external: EXTERNAL });
    expect(made).toMatchObject({ entry: { ...FRESH, request: KIND }, wakeAt: after(NOW, MINUTE), isNewRemediation: true });
    expect(made.effects.map(({ kind }) => kind)).toEqual(['PatchStatus', 'Create']);
    expect(statements(made)).toEqual(['ExternallyRemediated False WaitingForRemediation', 'HealthCheckSucceeded False said']);
    expect(made.effects[1]).toMatchObject({ resource: REQUESTS, object: { kind: KIND.kind, metadata: { name: 'worker-0' } } });
  });

  test('a Machine whose owner was asked, but that has no owner, gets a request like any other', () => {
    const made = action(outside({ machine: machine([MARKED, ASKED]) }), { external: EXTERNAL });
    expect(made).toMatchObject({ entry: { ...FRESH, request: KIND }, isNewRemediation: true });
    expect(made.effects.map(({ kind }) => kind)).toEqual(['PatchStatus', 'Create']);
    expect(statements(made)).toEqual(['ExternallyRemediated False WaitingForRemediation', 'HealthCheckSucceeded False said']);
  });

  test('so does one whose owner was asked and for which no controller acts; the request to the owner is cleared with the claim (ruling 124)', () => {
    const asked = outside({ machine: machine([MARKED, ASKED], OWNED) });
    const made = action(asked, { external: EXTERNAL, owners: NONE_ACTS });
    expect(made.effects.map(({ kind }) => kind)).toEqual(['PatchStatus', 'Create']);
    expect(statements(made)).toEqual(['ExternallyRemediated False WaitingForRemediation', 'HealthCheckSucceeded False said']);
    expect(action(asked, { external: EXTERNAL }).effects).toEqual([]);
  });

  test('an owner that has started is left to finish, although no controller is known to act', () => {
    const begun = outside({ machine: machine([MARKED, { ...ASKED, reason: 'MachineDeleting' }], OWNED) });
    expect(action(begun, { external: EXTERNAL, owners: NONE_ACTS }).effects).toEqual([]);
  });

  test('what an owner says that it has done stays', () => {
    const made = action(outside({ machine: machine([MARKED, { ...ASKED, status: 'True', reason: 'Done' }], OWNED) }), {
      external: EXTERNAL,
    });
    expect(statements(made)).toContain('OwnerRemediated True Done');
  });

  test('a recorded Machine keeps its entry', () => {
    const entry = { ...ENTRY, request: KIND };
    expect(action(outside({ entry }), { external: EXTERNAL })).toMatchObject({ entry, isNewRemediation: false });
  });

  test('what was looked for is of an earlier template: that of this one is looked for first', () => {
    const requestKind = { ...KIND, kind: 'Other' };
    const want = { entry: { ...FRESH, request: KIND }, effects: [], wakeAt: after(NOW, SECOND) };
    expect(action(outside({ requestKind }), { external: EXTERNAL })).toEqual({ ...want, isNewRemediation: true });
    expect(action(outside({ requestKind, entry: ENTRY }), { external: EXTERNAL })).toEqual({ ...want, isNewRemediation: false });
  });

  test.each<{ readonly template: TemplateObservation['template']; readonly why: string }>([
    { template: NOT_READ, why: 'was not read' },
    { template: { kind: 'absent' }, why: 'does not exist' },
    { template: { kind: 'unreadable', reason: 'forbidden' }, why: 'cannot be read: forbidden' },
  ])('one that $why is named on the Machine', ({ template, why }) => {
    const said = action(outside(), { external: { ...EXTERNAL, template } });
    expect(said).toMatchObject({ wakeAt: after(NOW, MINUTE / 2) });
    expect(said).not.toHaveProperty('entry');
    expect(said.effects.map(({ kind }) => kind)).toEqual(['PatchStatus']);
    expect(statements(said)).toContain('ExternallyRemediated False RemediationTemplateNotFound');
    const { status } = said.effects[0] as { readonly status?: Machine['status'] };
    expect(status?.conditions?.find(({ type }) => type === 'ExternallyRemediated')?.message).toBe(
      `PowerCycleRemediationTemplate machine-api/cycle ${why}; no request is created without it`,
    );
    expect(action(outside({ entry: ENTRY }), { external: { ...EXTERNAL, template } }).entry).toEqual(ENTRY);
  });

  test('one that is gone before the request was seen leaves the claim: the request may be on its way', () => {
    const said = action(outside({ machine: machine([MARKED, CLAIMED]), entry: ENTRY }), { external: { ...EXTERNAL, template: ABSENT } });
    const { status } = said.effects[0] as { readonly status: NonNullable<Machine['status']> };
    expect(claimOf({ ...machine(), status })).toEqual(claimOf(machine([MARKED, CLAIMED])));
  });
});

describe('a request that is open', () => {
  const ours = {
    ...KIND,
    metadata: {
      name: 'worker-0',
      uid: 'r-0',
      resourceVersion: '1',
      creationTimestamp: ago(MINUTE),
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', name: 'worker-0', uid: 'm-0' }],
      annotations: { [ANNOTATIONS.clonedFromName]: 'cycle', [ANNOTATIONS.clonedFromGroupKind]: 'x' },
    },
  } satisfies KubeObject;
  const later = { effects: [], wakeAt: after(NOW, MINUTE) };

  test.each<{ readonly reason: string; readonly target: TargetObservation; readonly want: PlannedAction }>([
    {
      reason: 'made by this check is recorded in status',
      target: failing({ requestKind: KIND, request: { kind: 'value', value: ours } }),
      want: { ...later, entry: { ...FRESH, request: KIND } },
    },
    {
      reason: 'that is recorded stays recorded',
      target: failing({ entry: ENTRY, request: { kind: 'value', value: ours } }),
      want: { ...later, entry: ENTRY },
    },
    {
      reason: 'of another creator blocks a new request',
      target: failing({ request: { kind: 'value', value: { ...ours, metadata: { ...ours.metadata, annotations: {} } } } }),
      want: later,
    },
    {
      reason: 'that cannot be read blocks a new request',
      target: failing({ request: { kind: 'unreadable', reason: 'busy' } }),
      want: later,
    },
    {
      reason: 'that cannot be read keeps the recorded entry',
      target: failing({ entry: ENTRY, request: { kind: 'unreadable', reason: 'busy' } }),
      want: { ...later, entry: ENTRY },
    },
  ])('$reason', ({ target, want }) => {
    expect(action(target)).toEqual(want);
    expect(action(target, { isOpen: false })).toEqual(want);
  });
});

describe('a request of the name that another creator made', () => {
  const foreign: OptionalRead<KubeObject> = {
    kind: 'value',
    value: {
      ...KIND,
      metadata: { name: 'worker-0', namespace: 'machine-api', uid: 'r-9', resourceVersion: '1', creationTimestamp: ago(MINUTE) },
    },
  };

  test('is reported on the Machine, and nothing is created beside it', () => {
    const said = action(failing({ requestKind: KIND, request: foreign }), { external: EXTERNAL });
    expect(said.effects.map(({ kind }) => kind)).toEqual(['PatchStatus']);
    expect(statements(said)).toContain('ExternallyRemediated False RemediationRequestNotOurs');
    const { status } = said.effects[0] as { readonly status: NonNullable<Machine['status']> };
    expect(status.conditions?.find(({ type }) => type === 'ExternallyRemediated')?.message).toBe(
      'PowerCycleRemediation machine-api/worker-0 exists and was not created by Sickbay for this Machine, so no remediation is requested while it does. ' +
        'Next: delete it, if no remediator works on it',
    );
    const again = action(failing({ machine: { ...machine(), status }, requestKind: KIND, request: foreign }), { external: EXTERNAL });
    expect(again.effects).toEqual([]);
  });

  test('leaves what a remediator reports as it is', () => {
    expect(action(failing({ machine: machine([MARKED, AT_WORK]), requestKind: KIND, request: foreign })).effects).toEqual([]);
  });
});

test('only a recorded entry is kept', () => {
  expect(keepRecorded(failing(), NOW)).toEqual({ effects: [] });
  expect(keepRecorded(failing({ entry: ENTRY }), NOW)).toEqual({ entry: ENTRY, effects: [], wakeAt: after(NOW, MINUTE) });
});

test('a Machine fails since it says so', () => {
  expect(unhealthySince(machine())).toEqual(after(NOW, -10 * SECOND));
  expect(unhealthySince(machine([{ ...MARKED, status: 'Unknown' }]))).toBeUndefined();
  expect(unhealthySince(machine([]))).toBeUndefined();
});
