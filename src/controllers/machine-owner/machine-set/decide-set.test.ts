import { describe, expect, test } from 'vitest';
import type { MachineSet } from '../../../api/machine-set/machine-set.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, HOUR, MINUTE, SECOND } from '../../../base/index.ts';
import { writeLedger } from '../../budget/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSeen } from '../replacement-budget.ts';
import { decideSet } from './decide-set.ts';
import type { MachineToReplace, SetSeen } from './observe-set.ts';
import {
  aBudget,
  ago,
  aMachine,
  aNode,
  aMachineToReplace,
  aSet,
  aSetSeen,
  ASKED,
  claimOf,
  effectText,
  NOW,
  stated,
} from '../testing/builders.ts';

const unhealthy = (name: string, change: Parameters<typeof aMachine>[1] = {}): Machine =>
  aMachine(name, { status: { nodeRef: { name: `node-of-${name}` }, conditions: ASKED }, ...change });
const well = (name: string): Machine =>
  aMachine(name, { status: { nodeRef: { name: 'n' }, conditions: [stated('HealthCheckSucceeded', 'True')] } });
/** One that has said that it goes. */
const givenUp = (name: string): Machine =>
  aMachine(name, {
    status: {
      nodeRef: { name: 'n' },
      conditions: [ASKED[0]!, { ...stated('OwnerRemediated', 'False', 'MachineDeleting', 'Machine is deleting'), observedGeneration: 1 }],
      deprecated: { v1beta1: { conditions: [{ type: 'OwnerRemediated', status: 'True' as const, lastTransitionTime: ago(MINUTE) }] } },
    },
  });
const leaving = (name: string): Machine =>
  aMachine(name, {
    deletionTimestamp: ago(MINUTE),
    status: { conditions: [stated('HealthCheckSucceeded', 'False'), stated('OwnerRemediated', 'False', 'MachineDeleting')] },
  });

const read = (replicas: number, maxInFlight?: number): SetSeen['read'] => ({ kind: 'valid', replicas, selects: [], maxInFlight });

/** A set whose Machines are exactly the unhealthy ones. */
const withPatients = (toReplace: readonly MachineToReplace[], change: Partial<SetSeen> = {}): SetSeen =>
  aSetSeen({ read: read(toReplace.length), machines: toReplace.map(({ machine }) => machine), toReplace, ...change });

const decided = (seen: SetSeen) => decideSet(seen, NOW);
const texts = (seen: SetSeen): readonly string[] => decided(seen).effects.map(effectText);
const statusOf = (seen: SetSeen) => decided(seen).status as NonNullable<MachineSet['status']>;

/** The condition about its owner that the one Machine with a change gets, in the new style and in the old one. */
const ownerSays = (seen: SetSeen) => {
  const [told] = decided(seen).effects.flatMap((effect) => (effect.kind === 'PatchStatus' ? [effect.status as Machine['status']] : []));
  return [told?.conditions, told?.deprecated?.v1beta1?.conditions].map((all) => all?.find(({ type }) => type === 'OwnerRemediated'));
};
const inBothStyles = (message: string, reason: string, old: string) => [
  { status: 'False', reason, message },
  { status: 'False', reason: old, message },
];
const never = (message: string) => inBothStyles(message, 'CannotBeRemediated', 'CannotBeRemediated');
const notNow = (message: string) => inBothStyles(message, 'RemediationDeferred', 'WaitingForRemediation');

const says = (seen: SetSeen, type: string): string => {
  const found = statusOf(seen).conditions?.find((condition) => condition.type === type);
  return `${found?.status} ${found?.reason}: ${found?.message}`;
};

describe('how many there are', () => {
  const had = (created: number) => aSet({}, { status: { created } });

  test('missing ones are made, under numbers that no Machine had, also none that is gone', () => {
    const seen = aSetSeen({ object: had(4), read: read(3), machines: [well('workers-3')] });
    expect(texts(seen)).toEqual(['Create Machine workers-5', 'Create Machine workers-6']);
    expect(statusOf(seen)).toMatchObject({ replicas: 1, readyReplicas: 1, created: 4 });
  });

  test('numbers are recorded in status when their Machines are seen', () =>
    expect(statusOf(aSetSeen({ object: had(4), machines: [well('workers-6'), well('workers-5')] })).created).toBe(6));

  test('names of others are not numbers', () => {
    const named = ['workers-x', 'workers-07', 'other-9', 'workers-999999999999999999'].map(well);
    expect(statusOf(aSetSeen({ object: had(4), machines: named })).created).toBe(4);
  });

  test('a number whose name another object has is skipped', () =>
    expect(texts(aSetSeen({ object: had(4), names: new Set(['workers-5']) }))).toEqual(['Create Machine workers-6']));

  test('one that leaves is missing already', () =>
    expect(texts(aSetSeen({ machines: [leaving('workers-1')], names: new Set(['workers-1']) }))).toEqual(['Create Machine workers-2']));

  test('those that fail are seen to first: another may be refused', () => {
    const machine = unhealthy('workers-1');
    const seen = withPatients([aMachineToReplace(machine)], { read: read(2), budget: aBudget([claimOf(machine)]) });
    expect(texts(seen).at(-1)).toBe('Create Machine workers-2');
    expect(texts(seen)).toContain('PatchStatus Machine workers-1 MachineDeleting');
  });

  test('none is made before the server has said how many there are', () => {
    const { names: _, ...seen } = aSetSeen();
    expect(texts(seen)).toEqual([]);
  });

  test('surplus Machines stay', () => expect(texts(aSetSeen({ machines: [well('a'), well('b')] }))).toEqual([]));

  test('they are made in their order, and wait for nothing else', () => {
    const machine = unhealthy('workers-1');
    const { effects, isSplitByName } = decided(
      withPatients([aMachineToReplace(machine)], { read: read(3), budget: aBudget([claimOf(machine)]) }),
    );
    expect(isSplitByName).toBe(true);
    expect(effects.map(({ kind, series }) => [kind, series])).toEqual([
      ['PatchStatus', undefined],
      ['Create', 'new Machines'],
      ['Create', 'new Machines'],
    ]);
  });

  test('no more than a hundred are made in one pass', () => {
    const seen = aSetSeen({ read: read(250) });
    expect(texts(seen)).toHaveLength(100);
    expect(texts(seen).at(-1)).toBe('Create Machine workers-100');
    expect(decided(seen).wakeAt).toBeDefined();
  });

  test('ready are those with a Node that do not fail', () =>
    expect(statusOf(aSetSeen({ read: read(3), machines: [well('a'), aMachine('b'), unhealthy('c')] }))).toMatchObject({
      replicas: 3,
      readyReplicas: 1,
    }));

  test('a Machine is made as the template says, owned by the set, with the finalizer', () => {
    const [made] = decided(aSetSeen({ object: aSet({ clusterName: 'prod' }) })).effects;
    expect(made).toMatchObject({
      kind: 'Create',
      object: {
        metadata: {
          namespace: 'shop',
          labels: { role: 'worker', [LABELS.setName]: 'workers', [LABELS.clusterName]: 'prod', [LABELS.machinePool]: 'workers' },
          finalizers: ['machines.sickbay.dev/lifecycle'],
          ownerReferences: [{ kind: 'MachineSet', name: 'workers', uid: 'uid-workers', controller: true, blockOwnerDeletion: false }],
        },
        spec: { clusterName: 'prod' },
      },
    });
  });

  test('a set whose name is too long for a label goes without that label', () => {
    const object = aSet();
    const [made] = decided(aSetSeen({ object: { ...object, metadata: { ...object.metadata, name: 'x'.repeat(64) } } })).effects;
    expect(JSON.stringify(made)).not.toContain(LABELS.setName);
  });
});

describe('when nothing is done', () => {
  test('a set that goes', () => {
    const object = aSet();
    const seen = aSetSeen({ object: { ...object, metadata: { ...object.metadata, deletionTimestamp: ago(0) } }, read: read(5) });
    expect(decided(seen)).toEqual({ effects: [] });
  });

  test('an invalid set reports it', () => {
    const seen = aSetSeen({ read: { kind: 'invalid', message: 'spec.selector: what?' } });
    expect(texts(seen)).toEqual([]);
    expect(says(seen, 'ConfigurationValid')).toBe('False Invalid: spec.selector: what?');
  });

  test('a paused set reports what paused it, and is checked again', () => {
    const seen = aSetSeen({ pausedBy: ['an operator'], read: read(5) });
    expect(texts(seen)).toEqual([]);
    expect(says(seen, 'Paused')).toBe('True Paused: an operator');
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('a set whose Machines cannot be read makes none', () => {
    const seen = aSetSeen({ unreadable: 'its Machines cannot be read: no', read: read(5) });
    expect(texts(seen)).toEqual([]);
    expect(statusOf(seen).conditions?.map(({ type }) => type)).not.toContain('Paused');
    expect(says(seen, 'Remediating')).toBe('False MachinesUnknown: its Machines cannot be read: no');
    expect(decided(seen).wakeAt).toBeDefined();
  });

  test.each<readonly [string, Partial<SetSeen>]>([
    ['makes no sense', { read: { kind: 'invalid', message: 'what?' } }],
    ['is paused', { pausedBy: ['an operator'] }],
    ['cannot see', { unreadable: 'no' }],
    ['is whole', {}],
  ])('a set that %s records the observed generation', (_, change) => {
    const object = aSet({}, { status: { replicas: 4 } });
    const seen = aSetSeen({ object: { ...object, metadata: { ...object.metadata, generation: 3 } }, machines: [well('a')], ...change });
    expect(statusOf(seen).conditions?.map(({ observedGeneration }) => observedGeneration)).toContain(3);
    expect(statusOf(seen).conditions?.every(({ observedGeneration }) => observedGeneration === 3)).toBe(true);
    const isJudged = Object.keys(change).length === 0;
    expect(statusOf(seen)).toMatchObject(isJudged ? { replicas: 1, observedGeneration: 3 } : { replicas: 4 });
  });

  test('a set that is paused twice names both', () =>
    expect(says(aSetSeen({ pausedBy: ['the annotation', 'Cluster prod'] }), 'Paused')).toBe('True Paused: the annotation, Cluster prod'));

  test('a complete set with one Machine being deleted is checked until that is gone', () =>
    expect(decided(aSetSeen({ machines: [well('a'), leaving('b')] })).wakeAt).toBe(after(NOW, 30 * SECOND)));

  test('a complete set schedules no check', () => expect(decided(aSetSeen({ machines: [well('a')] })).wakeAt).toBeUndefined());
});

describe('permission from the budget', () => {
  const machine = unhealthy('workers-1');
  const claimed = aBudget([claimOf(machine)]);

  const begun = givenUp('workers-1');
  const going = withPatients([aMachineToReplace(begun)], { budget: aBudget([claimOf(begun)]) });

  test('[MH-143] [MH-079] with a claim in the ledger it reports the deletion first, and checks again in a second', () => {
    const seen = withPatients([aMachineToReplace(machine)], { budget: claimed });
    expect(texts(seen)).toEqual(['PatchStatus Machine workers-1 MachineDeleting']);
    expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
  });

  test('what was said is not said again: it is deleted, as it was when it said so', () => {
    expect(texts(going)).toEqual(['Delete Machine workers-1', 'Event ReplacingMachine']);
    expect(decided(going).effects[0]).toMatchObject({ uid: 'uid-workers-1', resourceVersion: '7' });
    expect(decided(going).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('an Event names the Machine that is deleted, the reason, and what happens next', () =>
    expect(decided(going).effects.at(-1)).toEqual({
      kind: 'Event',
      type: 'Normal',
      reason: 'ReplacingMachine',
      message: 'Machine workers-1 fails its health check (UnhealthyNode): its Node is drained, then it is deleted and replaced',
      series: 'workers-1',
    }));

  test('without a claim it claims a slot, deletes nothing, and checks again in a second', () => {
    const seen = withPatients([aMachineToReplace(machine)], { budget: aBudget() });
    expect(texts(seen)).toEqual(['Patch ConfigMap sickbay-budget /data']);
    expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
  });

  test('of several only one claims in a pass: the ledger changes from the version that was judged', () => {
    const seen = withPatients([aMachineToReplace(unhealthy('a')), aMachineToReplace(unhealthy('b'))], { budget: aBudget() });
    expect(texts(seen)).toEqual(['Patch ConfigMap sickbay-budget /data']);
  });

  test('a ledger that is not there is made', () => {
    const seen = withPatients([aMachineToReplace(machine)], { budget: { kind: 'absent' } });
    expect(texts(seen)).toEqual(['Create ConfigMap sickbay-budget']);
    expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
  });

  test.each<readonly [string, Partial<SetSeen>, string]>([
    ['a ledger that cannot be read', { budget: { kind: 'unreadable', reason: 'no ledger' } }, 'no ledger'],
    [
      'a pause, even with a claim',
      { budget: claimed, settings: { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, paused: 'freeze' } } },
      'starts are paused: freeze',
    ],
    [
      'a namespace that is full',
      { budget: aBudget(['x', 'y'].map((uid) => ({ ...claimOf(machine), uid, key: `shop/${uid}` }))) },
      '2 of 2 running in namespace shop',
    ],
  ])('%s delays it, and it reports why', (_, change, message) => {
    const seen = withPatients([aMachineToReplace(machine)], change);
    expect(texts(seen)).toEqual(['PatchStatus Machine workers-1 RemediationDeferred']);
    expect(JSON.stringify(decided(seen).effects)).toContain(message);
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('it checks again when the hourly budget allows one more, if that is soon', () => {
    const perHour = { cluster: 1, namespace: 1 };
    const settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, perHour } };
    const claim = claimOf(unhealthy('older'), { claimedAt: after(NOW, 10 * SECOND - HOUR), endedAt: after(NOW, -MINUTE) });
    expect(decided(withPatients([aMachineToReplace(machine)], { budget: aBudget([claim]), settings })).wakeAt).toBe(
      after(NOW, 10 * SECOND),
    );
  });

  test('it does so too when another goes meanwhile', () => {
    const settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, perHour: { cluster: 1, namespace: 1 } } };
    const older = claimOf(unhealthy('older'), { claimedAt: after(NOW, 10 * SECOND - HOUR), endedAt: after(NOW, -MINUTE) });
    const other = givenUp('going');
    const budget = aBudget([older, claimOf(other, { claimedAt: after(NOW, -2 * HOUR) })]);
    const seen = withPatients([aMachineToReplace(other), aMachineToReplace(machine)], { budget, settings });
    expect(texts(seen)).toContain('Delete Machine going');
    expect(decided(seen).wakeAt).toBe(after(NOW, 10 * SECOND));
  });

  test('one that has to wait for its Node does not block the claims of others', () => {
    const busy = claimOf(unhealthy('elsewhere'), { namespace: 'mail', node: 'node-of-a' });
    const seen = withPatients([aMachineToReplace(unhealthy('a')), aMachineToReplace(unhealthy('b'))], { budget: aBudget([busy]) });
    expect(texts(seen)).toEqual(['PatchStatus Machine a RemediationDeferred', 'Patch ConfigMap sickbay-budget /data']);
    expect(JSON.stringify(decided(seen).effects.at(-1))).toContain('shop/b');
  });

  test('no Machine is deleted, and nothing is written, when the ledger was not read', () => {
    const seen = withPatients([aMachineToReplace(machine)]);
    expect(texts(seen)).toEqual([]);
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('a finished replacement is recorded while another one still runs', () => {
    const [releaseEffects, running] = [claimOf(unhealthy('gone')), claimOf(unhealthy('running'))];
    const budget = aBudget([releaseEffects, running], [releaseEffects.uid]) as Extract<BudgetSeen, { kind: 'claims' }>;
    expect(decided(withPatients([], { budget, read: read(0) })).effects).toEqual([
      writeLedger(budget.object, [{ ...releaseEffects, endedAt: NOW }, running]),
    ]);
  });

  test('the end of a claim of another kind is not recorded by this controller', () => {
    const other = claimOf(unhealthy('other'), { kind: 'WorkflowExecution' });
    expect(texts(withPatients([], { budget: aBudget([other], [other.uid]), read: read(0) }))).toEqual([]);
  });

  test('claims that are over are written down, once', () => {
    const releaseEffects = claimOf(unhealthy('gone'));
    const over = withPatients([], { budget: aBudget([releaseEffects], [releaseEffects.uid]), read: read(0) });
    expect(texts(over)).toEqual(['Patch ConfigMap sickbay-budget /data']);
    expect(JSON.stringify(decided(over).effects)).toContain('endedAt');
    const known = aBudget([{ ...releaseEffects, endedAt: NOW }], [releaseEffects.uid]);
    expect(texts(withPatients([], { budget: known, read: read(0) }))).toEqual([]);
  });
});

describe('which Machine is replaced first', () => {
  const order = (toReplace: readonly Machine[], maxInFlight: number, others: readonly Machine[] = []): readonly string[] => {
    const seen = aSetSeen({
      read: read(toReplace.length, maxInFlight),
      machines: [...toReplace, ...others],
      toReplace: toReplace.map((machine) => aMachineToReplace(machine)),
      budget: aBudget(toReplace.map((machine) => claimOf(machine))),
    });
    return texts(seen).filter((text) => text.endsWith('MachineDeleting'));
  };
  const at = (minutes: number) => ({ creationTimestamp: ago(minutes * MINUTE) });
  const BEGUN = { conditions: [ASKED[0]!, stated('OwnerRemediated', 'False', 'MachineDeleting', 'Machine is deleting')] };

  test('the newest', () =>
    expect(order([unhealthy('old', at(9)), unhealthy('new', at(1)), unhealthy('mid', at(5))], 1)).toEqual([
      'PatchStatus Machine new MachineDeleting',
    ]));
  test('by name, of two of the same moment', () => {
    expect(order([unhealthy('b'), unhealthy('a')], 1)).toEqual(['PatchStatus Machine a MachineDeleting']);
    expect(order([unhealthy('a'), unhealthy('b')], 1)).toEqual(['PatchStatus Machine a MachineDeleting']);
  });
  test('one that a person wants replaced before the newest, in whatever order they are listed', () => {
    const both = [unhealthy('old', { ...at(9), annotations: { [ANNOTATIONS.remediateMachine]: '' } }), unhealthy('new', at(1))];
    expect([order(both, 1), order(both.toReversed(), 1)]).toEqual([
      ['PatchStatus Machine old MachineDeleting'],
      ['PatchStatus Machine old MachineDeleting'],
    ]);
  });
  test('a replacement that was started comes first', () => {
    const wanted = unhealthy('wanted', { ...at(1), annotations: { [ANNOTATIONS.remediateMachine]: '' } });
    const both = [unhealthy('begun', { ...at(9), status: BEGUN }), wanted];
    expect([order(both, 1), order(both.toReversed(), 1)]).toEqual([
      ['PatchStatus Machine begun MachineDeleting'],
      ['PatchStatus Machine begun MachineDeleting'],
    ]);
  });
  describe('a Machine with a slot in the budget comes first, since others may wait for the slot', () => {
    const { budget } = DEFAULT_SETTINGS;
    const settings = { ...DEFAULT_SETTINGS, budget: { ...budget, running: { ...budget.running, namespace: 1 } } };
    const placed = unhealthy('placed', at(9));
    const wanted = { annotations: { [ANNOTATIONS.remediateMachine]: '' } };
    const among = (machines: readonly Machine[], claim: ReturnType<typeof claimOf>) =>
      texts(
        withPatients(
          machines.map((machine) => aMachineToReplace(machine)),
          { settings, read: read(2, 1), budget: aBudget([claim]) },
        ),
      );

    test.each<readonly [string, Machine]>([
      ['before a newer one', unhealthy('other', at(1))],
      ['before one that a person wants replaced', unhealthy('other', { ...at(9), ...wanted })],
      ['before one that was started and lost its slot, as after a deletion of the ledger', unhealthy('other', { ...at(9), status: BEGUN })],
    ])('%s', (_, other) => {
      for (const both of [
        [placed, other],
        [other, placed],
      ])
        expect(among(both, claimOf(placed))).toContain('PatchStatus Machine placed MachineDeleting');
    });
    test('not one that gave its place back', () => {
      const other = unhealthy('other', at(1));
      const told = among([placed, other], claimOf(placed, { endedAt: after(NOW, -HOUR) }));
      expect(told).toEqual(['PatchStatus Machine placed RemediationDeferred', 'Patch ConfigMap sickbay-budget /data']);
    });
  });
  test('those that are already being deleted count', () => expect(order([unhealthy('a')], 1, [leaving('x')])).toEqual([]));
  test('those that another client deleted do not', () => {
    const byHand = aMachine('x', { deletionTimestamp: ago(MINUTE) });
    expect(order([unhealthy('a')], 1, [byHand])).toEqual(['PatchStatus Machine a MachineDeleting']);
  });
  test('0 allows no replacement', () => expect(order([unhealthy('a')], 0)).toEqual([]));

  test('a Machine that has to wait for another reports it', () => {
    const machine = unhealthy('a');
    const seen = withPatients([aMachineToReplace(machine)], { read: read(1, 0), budget: aBudget([claimOf(machine)]) });
    expect(ownerSays(seen)).toMatchObject(
      notNow('too many remediations in progress: spec.remediation.maxInFlight of its MachineSet is reached'),
    );
  });
});

describe('which Machines are not replaced', () => {
  const machine = unhealthy('workers-1');
  const budget = aBudget([claimOf(machine)]);
  // Its Node is in the pool as well: only the control plane label prevents its replacement.
  const master = aNode('node-1', { labels: { [LABELS.machinePool]: 'workers', 'node-role.kubernetes.io/control-plane': '' } });
  const OF_CONTROL_PLANE = 'it belongs to the control plane, which Sickbay never replaces';

  test.each<readonly [string, MachineToReplace, string]>([
    [
      '[MH-153] one of the control plane',
      aMachineToReplace(unhealthy('workers-1', { labels: { [LABELS.controlPlane]: '' } })),
      OF_CONTROL_PLANE,
    ],
    ['one whose Node is of the control plane', aMachineToReplace(machine, { node: { kind: 'value', value: master } }), OF_CONTROL_PLANE],
    [
      'one of another cluster',
      aMachineToReplace(machine, { cluster: { kind: 'other', name: 'x', controlPlaneSince: undefined, infrastructureSince: undefined } }),
      'its Node is in cluster x, which Sickbay cannot drain',
    ],
    [
      'one without our finalizer, which would not be drained',
      aMachineToReplace(unhealthy('workers-1', { finalizers: [] })),
      'its Node would not be drained: the Machine was not created for a pool',
    ],
    [
      'one whose Node is not of its pool',
      aMachineToReplace(machine, { node: { kind: 'value', value: aNode('node-1', { labels: {} }) } }),
      'its Node would not be drained: it is not in the pool of the Machine',
    ],
  ])('for good: %s', (_, candidate, message) => {
    expect(texts(withPatients([candidate], { budget }))).toEqual(['PatchStatus Machine workers-1 CannotBeRemediated']);
    expect(ownerSays(withPatients([candidate], { budget }))).toMatchObject(never(message));
  });

  test.each<readonly [string, MachineToReplace, string]>([
    [
      'one whose cluster cannot be read',
      aMachineToReplace(machine, { cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: 'no' } }),
      'no',
    ],
    [
      'one whose Node cannot be read',
      aMachineToReplace(machine, { node: { kind: 'unreadable', reason: 'no' } }),
      'its Node cannot be read: no',
    ],
  ])('for now: %s', (_, candidate, message) => {
    expect(texts(withPatients([candidate], { budget }))).toEqual(['PatchStatus Machine workers-1 RemediationDeferred']);
    expect(ownerSays(withPatients([candidate], { budget }))).toMatchObject(notNow(message));
  });

  test('other conditions in its status stay, and the observed generation is written with the new one', () => {
    const candidate = aMachineToReplace(unhealthy('workers-1', { generation: 5, finalizers: [] }));
    expect(decided(withPatients([candidate], { budget })).effects).toMatchObject([
      {
        kind: 'PatchStatus',
        resourceVersion: '7',
        status: {
          nodeRef: { name: 'node-of-workers-1' },
          conditions: [ASKED[0], { type: 'OwnerRemediated', observedGeneration: 5 }],
        },
      },
    ]);
  });

  test.each([ANNOTATIONS.paused, ANNOTATIONS.skipRemediation])('one with %s, whose status is not changed either', (annotation) =>
    expect(texts(withPatients([aMachineToReplace(unhealthy('workers-1', { annotations: { [annotation]: '' } }))], { budget }))).toEqual([]),
  );

  test('one whose Node is gone is replaced all the same', () =>
    expect(texts(withPatients([aMachineToReplace(machine, { node: { kind: 'absent' } })], { budget }))).toContain(
      'PatchStatus Machine workers-1 MachineDeleting',
    ));
});

describe('one that recovered', () => {
  const conditions = [stated('HealthCheckSucceeded', 'True'), stated('OwnerRemediated', 'False')];
  const old = [{ type: 'OwnerRemediated', status: 'False' as const, lastTransitionTime: ago(0) }];
  const recovered = aMachine('a', { status: { conditions, deprecated: { v1beta1: { conditions: old } } } });

  test('[MH-079] loses what was asked of its owner, in both styles', () => {
    const { effects } = decided(aSetSeen({ machines: [recovered] }));
    expect(effects.map(effectText)).toEqual(['PatchStatus Machine a nothing']);
    expect(effects[0]).toMatchObject({
      status: { conditions: [{ type: 'HealthCheckSucceeded' }], deprecated: { v1beta1: { conditions: [] } } },
    });
  });

  test('frees its slot in the budget first, and is checked again in a second', () => {
    const seen = aSetSeen({ machines: [recovered], budget: aBudget([claimOf(recovered)], [recovered.metadata.uid]) });
    expect(texts(seen)).toEqual(['Patch ConfigMap sickbay-budget /data']);
    expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
  });

  test.each<readonly [string, BudgetSeen]>([
    ['the ledger cannot be read', { kind: 'unreadable', reason: 'no' }],
    ['it is unknown whether its replacement is finished', aBudget([claimOf(recovered)])],
  ])('keeps its condition, and is checked again, when its slot may still be taken: %s', (_, budget) => {
    const seen = aSetSeen({ machines: [recovered], budget });
    expect(texts(seen)).toEqual([]);
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test.each<readonly [string, BudgetSeen]>([
    ['there is no ledger', { kind: 'absent' }],
    ['its place was given back', aBudget([claimOf(recovered, { endedAt: NOW })])],
  ])('loses it where %s', (_, budget) =>
    expect(texts(aSetSeen({ machines: [recovered], budget }))).toContain('PatchStatus Machine a nothing'),
  );

  test('keeps it when it leaves', () => {
    const going = { ...recovered, metadata: { ...recovered.metadata, deletionTimestamp: ago(0) } };
    expect(texts(aSetSeen({ machines: [going], read: read(0) }))).toEqual([]);
  });
});

test('[MH-142] one that fails but was not handed to its owner is left alone', () => {
  const marked = aMachine('a', { status: { conditions: [stated('HealthCheckSucceeded', 'False')] } });
  expect(texts(aSetSeen({ machines: [marked], budget: aBudget([claimOf(marked)]) }))).toEqual([]);
});

describe('the set names those that are being replaced', () => {
  const remediating = (...machines: readonly Machine[]) => says(aSetSeen({ read: read(0), machines }), 'Remediating');
  const NONE = 'False NotRemediating: ';

  test('by name', () => expect(remediating(leaving('b'), well('c'), leaving('a'))).toBe('True Remediating: being replaced: a, b'));
  test('and reports when there are none', () => expect(remediating()).toBe(NONE));
  test('but not one that another client deleted', () => expect(remediating(aMachine('x', { deletionTimestamp: ago(0) }))).toBe(NONE));
  test('nor one that has yet to be deleted', () =>
    expect(remediating(aMachine('x', { status: { conditions: [stated('OwnerRemediated', 'False', 'MachineDeleting')] } }))).toBe(NONE));
});
