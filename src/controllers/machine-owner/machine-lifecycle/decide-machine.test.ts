import { describe, expect, test } from 'vitest';
import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import { ANNOTATIONS, LABELS } from '../../../api/well-known.ts';
import { after, MINUTE, SECOND } from '../../../base/index.ts';
import { writeLedger } from '../../budget/index.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import type { BudgetSeen } from '../replacement-budget.ts';
import { decideMachineLifecycle } from './decide-machine.ts';
import { claimText } from '../machine-state.ts';
import type { LifecycleSeen } from './observe-machine.ts';
import { aBudget, ago, aLeaving, aMachine, aNode, aPod, aStaying, claimOf, effectText, NOW, stated } from '../testing/builders.ts';

const decided = (seen: LifecycleSeen) => decideMachineLifecycle(seen, NOW);
const texts = (seen: LifecycleSeen): readonly string[] => decided(seen).effects.map(effectText);
const says = (seen: LifecycleSeen, type: string): string | undefined => {
  const found = (decided(seen).status as Machine['status'])?.conditions?.find((condition) => condition.type === type);
  return found && `${found.status} ${found.reason}: ${found.message}`;
};
const value = <T>(found: T) => ({ kind: 'value', value: found }) as const;
const unreadable = { kind: 'unreadable', reason: 'no' } as const;

const machine = aMachine('workers-1');
const pool = (name: string) => ({ [LABELS.machinePool]: name });
const own = (change: Parameters<typeof aNode>[1] = {}) => aNode('node-1', { claim: claimText(machine), ...change });

describe('a Machine that stays', () => {
  test('and has no finalizer gets it before anything else', () => {
    const seen = aStaying({ object: aMachine('workers-1', { finalizers: ['other/one'] }), free: value([aNode('node-1')]) });
    expect(texts(seen)).toEqual(['Patch Machine workers-1 /metadata/finalizers']);
    expect(decided(seen).effects[0]).toMatchObject({ operations: [{ value: ['other/one', 'machines.sickbay.dev/lifecycle'] }] });
  });

  test('and has no Node takes the first that is free, under the version that was seen', () => {
    const seen = aStaying({ free: value([aNode('node-1', { annotations: { kept: 'x' } }), aNode('node-2')]) });
    expect(decided(seen).effects).toMatchObject([
      {
        kind: 'Patch',
        key: { name: 'node-1' },
        uid: 'uid-node-1',
        resourceVersion: '7',
        operations: [{ path: '/metadata/annotations', value: { kept: 'x', [ANNOTATIONS.nodeClaim]: 'shop/workers-1/uid-workers-1' } }],
      },
    ]);
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test.each<readonly [string, Partial<Extract<LifecycleSeen, { kind: 'staying' }>>, string]>([
    [
      'none is free',
      {},
      'False NoFreeNode: no Node with the labels machines.sickbay.dev/pool=workers and machines.sickbay.dev/pool-namespace=shop is free',
    ],
    ['the Nodes cannot be read', { free: unreadable }, 'False NoFreeNode: Nodes cannot be read: no'],
  ])('and gets none reports it, and checks again: %s', (_, change, said) => {
    expect(texts(aStaying(change))).toEqual([]);
    expect(says(aStaying(change), 'InfrastructureReady')).toBe(said);
    expect(decided(aStaying(change)).status).toMatchObject({ phase: 'Pending' });
    expect(decided(aStaying(change)).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('and has claimed a Node names it in its status', () => {
    const seen = aStaying({ node: value(own()) });
    expect(decided(seen).status).toMatchObject({ phase: 'Running', nodeRef: { kind: 'Node', name: 'node-1', uid: 'uid-node-1' } });
    expect(says(seen, 'InfrastructureReady')).toBe('True Provisioned: ');
  });

  test('takes its Node again once that has registered again', () =>
    expect(texts(aStaying({ node: value(aNode('node-1')) }))).toEqual(['Patch Node node-1 /metadata/annotations']));

  test.each<readonly [string, Node]>([
    ['never had the label', aNode('node-1', { labels: {} })],
    ['lost it after it was taken', own({ labels: {} })],
    ['is of another pool', own({ labels: pool('storage') })],
  ])('does not claim a Node outside its pool, reports it, and checks again: it %s', (_, node) => {
    const seen = aStaying({ node: value(node) });
    expect(texts(seen)).toEqual([]);
    expect(says(seen, 'InfrastructureReady')).toBe(
      'False NodeOutsidePool: Node node-1 has no label machines.sickbay.dev/pool=workers: it is left unchanged',
    );
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('in an unknown cluster is not changed, and is checked again later', () =>
    expect(decided({ ...aStaying(), kind: 'unsure' })).toEqual({ effects: [], wakeAt: after(NOW, 30 * SECOND) }));

  test.each<readonly [string, LifecycleSeen]>([
    ['its Node is another Machine’s', aStaying({ node: value(aNode('node-1', { claim: 'shop/other/uid-other' })) })],
    ['its Node is of the control plane', aStaying({ node: value(aNode('node-1', { labels: { 'node-role.kubernetes.io/master': '' } })) })],
    ['it is none of ours', { ...aStaying(), kind: 'none of ours' }],
  ])('and is left as it is: %s', (_, seen) => expect(decided(seen)).toEqual({ effects: [] }));

  test('gets no Node when another Machine has the Node that registered again under the same name', () => {
    const named = (uid: string) => aMachine('workers-1', { status: { nodeRef: { name: 'node-1', uid }, phase: 'Running' } });
    const node = value(aNode('node-1', { claim: 'shop/other/uid-other' }));
    const seen = aStaying({ object: named('uid-earlier'), node });
    expect(decided(seen).status).not.toHaveProperty('nodeRef');
    expect(decided(seen)).toMatchObject({ status: { phase: 'Pending' }, effects: [], wakeAt: after(NOW, 30 * SECOND) });
    expect(says(seen, 'InfrastructureReady')).toBe('False NodeTaken: Node node-1 registered again, and another Machine has claimed it');
    expect(decided(aStaying({ object: named('uid-node-1'), node }))).toEqual({ effects: [] });
  });

  test.each<readonly [string, LifecycleSeen]>([
    ['its Node is gone, and may register again', aStaying({ node: { kind: 'absent' } })],
    ['its Node cannot be read', aStaying({ node: unreadable, free: value([aNode('node-2')]) })],
  ])('and is not changed, and is checked again: %s', (_, seen) =>
    expect(decided(seen)).toEqual({ effects: [], wakeAt: after(NOW, 30 * SECOND) }),
  );
});

describe('a Machine that leaves', () => {
  const cordoned = own({ cordoned: true });
  const drained = { node: value(cordoned), instance: value(cordoned) };
  const going = (change: Parameters<typeof aMachine>[1]) => aMachine('workers-1', { deletionTimestamp: ago(MINUTE), ...change });
  const annotated = (...names: readonly string[]) => going({ annotations: Object.fromEntries(names.map((name) => [name, ''])) });
  const BEFORE_DRAIN = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
  const BEFORE_END = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';
  /** Deleted long ago; its pods have been asked to leave for so long. */
  const draining = (ms: number, status: 'True' | 'False' = 'True') =>
    going({
      deletionTimestamp: ago(60 * MINUTE),
      status: { conditions: [{ ...stated('Draining', status), lastTransitionTime: ago(ms) }] },
    });
  const drainable = (node: Node) => ({ node: value(node), instance: value(node) });
  const controlPlane = { [LABELS.controlPlane]: '', ...pool('workers') };
  const elsewhere = { kind: 'other', name: 'far', controlPlaneSince: undefined, infrastructureSince: undefined } as const;
  const LEFT = ['Event NodeLeft', 'Patch Machine workers-1 /metadata/finalizers'];

  test('[MH-147] has its Node closed first', () => {
    const seen = aLeaving({ node: value(own()), instance: value(own()), pods: value([aPod('web-1')]) });
    expect(texts(seen)).toEqual(['Patch Node node-1 /spec/unschedulable']);
    expect(decided(seen).effects).toMatchObject([
      { uid: 'uid-node-1', operations: [{ op: 'add', path: '/spec/unschedulable', value: true }] },
    ]);
    expect(says(seen, 'Deleting')).toBe('True DrainingNode: its Node is cordoned');
    expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
  });

  test('has a Node without a spec closed too', () => {
    const { spec: _, ...bare } = own();
    const seen = aLeaving({ node: value(bare), instance: value(bare) });
    expect(texts(seen)).toEqual(['Patch Node node-1 /spec']);
    expect(decided(seen).effects).toMatchObject([{ operations: [{ op: 'add', path: '/spec', value: { unschedulable: true } }] }]);
  });

  test('[MH-145] has the pods evicted that are not on their way, and waits for all', () => {
    const pods = value([aPod('web-1'), aPod('web-2', { deletionTimestamp: ago(0) })]);
    const seen = aLeaving({ ...drained, object: draining(MINUTE), pods });
    expect(texts(seen)).toEqual(['Call evict-pod uid-web-1']);
    expect(says(seen, 'Deleting')).toBe('True DrainingNode: these pods have not left yet: shop/web-1, shop/web-2');
    expect(decided(seen).wakeAt).toBe(after(NOW, 5 * SECOND));
    expect(decided(seen).status).toMatchObject({ phase: 'Deleting' });
  });

  test.each([
    [['a', 'b', 'c', 'd', 'e'], 'shop/a, shop/b, shop/c, shop/d, shop/e'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'shop/a, shop/b, shop/c, shop/d, shop/e and 2 more'],
  ])('names no more than five pods: %s', (pods, named) =>
    expect(says(aLeaving({ ...drained, pods: value(pods.map((name) => aPod(name))) }), 'Deleting')).toBe(
      `True DrainingNode: these pods have not left yet: ${named}`,
    ),
  );

  test.each([
    ['just before the drain timeout it waits, and checks again at the timeout', 10 * MINUTE - SECOND, 'Call evict-pod uid-web-1'],
    ['at the drain timeout it continues, and an Event names the pods that remain', 10 * MINUTE, 'Event DrainTimedOut'],
  ])('%s', (_, ms, first) => {
    const seen = aLeaving({ ...drained, object: draining(ms), pods: value([aPod('web-1')]) });
    expect(texts(seen)[0]).toBe(first);
    if (first.startsWith('Call')) expect(decided(seen).wakeAt).toBe(after(NOW, SECOND));
    else expect(texts(seen)[1]).toBe('Delete Node node-1');
  });

  describe('has a drain timeout that starts when its pods are first evicted', () => {
    const pods = value([aPod('web-1')]);
    const since = (seen: LifecycleSeen): string | undefined =>
      (decided(seen).status as Machine['status'])?.conditions?.find(({ type }) => type === 'Draining')?.lastTransitionTime;

    test.each<readonly [string, Machine, string, readonly string[]]>([
      ['no eviction was requested, however long ago it was deleted', going({ deletionTimestamp: ago(60 * MINUTE) }), ago(0), []],
      ['the drain was called off', draining(30 * MINUTE, 'False'), ago(0), []],
      ['they have been asked for a while', draining(9 * MINUTE), ago(9 * MINUTE), ['Call evict-pod uid-web-1']],
    ])('%s; no pod is evicted before the time is recorded in status', (_, object, at, asked) => {
      const seen = aLeaving({ ...drained, object, pods });
      expect(texts(seen)).toEqual(asked);
      expect(since(seen)).toBe(at);
    });

    test.each<readonly [string, Partial<Extract<LifecycleSeen, { kind: 'leaving' }>>]>([
      ['its Node is only closed', drainable(own())],
      ['its pods cannot be read', { ...drained, pods: unreadable }],
      ['its cluster cannot be read', { ...drained, cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: 'no' } }],
    ])('which has not begun when %s', (_, change) => expect(since(aLeaving({ pods, ...change }))).toBeUndefined());

    test('which starts again after a hook delayed the drain', () => {
      const { metadata, ...object } = draining(30 * MINUTE);
      const held = { ...object, metadata: { ...metadata, annotations: { [BEFORE_DRAIN]: '' } } };
      const seen = aLeaving({ ...drained, object: held, pods });
      expect([texts(seen), since(seen)]).toEqual([[], undefined]);
    });
  });

  test('records an Event on the controller of a pod that was not waited for', () => {
    expect(decided(aLeaving({ ...drained, object: draining(10 * MINUTE), pods: value([aPod('web-1')]) })).effects[0]).toEqual({
      kind: 'Event',
      type: 'Warning',
      reason: 'DrainTimedOut',
      message: 'Node node-1 is deleted although these pods did not leave in time: shop/web-1',
    });
  });

  test('whose Node is gone has its instance deleted, whatever is known of pods', () => {
    const releaseEffects = { node: { kind: 'absent' }, instance: value(cordoned) } as const;
    for (const pods of [value([aPod('web-1')]), unreadable])
      expect(texts(aLeaving({ ...releaseEffects, pods }))).toEqual(['Delete Node node-1']);
  });

  test('waits for ever where that is wanted', () => {
    const object = draining(9_999 * MINUTE);
    const settings = { ...DEFAULT_SETTINGS, machineOwner: { enabled: true, drainTimeoutMs: 0 } };
    const seen = aLeaving({ ...drained, object, settings, pods: value([aPod('web-1')]) });
    expect(texts(seen)).toEqual(['Call evict-pod uid-web-1']);
    expect(decided(seen).wakeAt).toBe(after(NOW, 5 * SECOND));
  });

  test('[MH-146] has its instance deleted when the Node is empty', () => {
    expect(texts(aLeaving(drained))).toEqual(['Delete Node node-1']);
    expect(says(aLeaving(drained), 'Deleting')).toBe('True DeletingInstance: its instance is being deleted');
  });

  test('has its Node deleted when its instance is gone, and not before', () => {
    const seen = aLeaving({ node: value(cordoned), instance: { kind: 'absent' } });
    expect(texts(seen)).toEqual(['Delete Node node-1']);
    expect(says(seen, 'Deleting')).toBe('True DeletingNode: its Node is being deleted');
  });

  test('loses our finalizer when nothing is left, and keeps the finalizers of other controllers', () => {
    const object = aMachine('workers-1', { deletionTimestamp: ago(0), finalizers: ['a/b', 'machines.sickbay.dev/lifecycle'] });
    expect(decided(aLeaving({ object })).effects).toMatchObject([
      {
        kind: 'Patch',
        uid: 'uid-workers-1',
        resourceVersion: '7',
        operations: [{ op: 'add', path: '/metadata/finalizers', value: ['a/b'] }],
      },
    ]);
  });

  test.each<readonly [string, Partial<Extract<LifecycleSeen, { kind: 'leaving' }>>, string]>([
    ['its Node cannot be read', { node: unreadable }, 'NodeUnknown: its Node cannot be read: no'],
    ['its cluster cannot be read', { ...drained, cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: 'no' } }, 'NodeUnknown: no'],
    ['its pods cannot be read', { ...drained, pods: unreadable }, 'DrainingNode: its pods cannot be read: no'],
    ['its instance cannot be read', { instance: unreadable }, 'DeletingInstance: its instance cannot be read: no'],
    [
      'a hook holds the drain',
      { ...drained, object: annotated(`${BEFORE_DRAIN}/x`, 'other', `${BEFORE_DRAIN}/y`) },
      `WaitingForPreDrainHook: held by ${BEFORE_DRAIN}/x, ${BEFORE_DRAIN}/y`,
    ],
    [
      'a hook holds the termination',
      { ...drained, object: annotated(BEFORE_END, `${BEFORE_END}/y`) },
      `WaitingForPreTerminateHook: held by ${BEFORE_END}, ${BEFORE_END}/y`,
    ],
  ])('stays, and is checked again: %s', (_, change, said) => {
    const seen = aLeaving(change);
    expect(texts(seen)).toEqual([]);
    expect(says(seen, 'Deleting')).toBe(`True ${said}`);
    expect(decided(seen).wakeAt).toBe(after(NOW, 30 * SECOND));
  });

  test('records the observed generation', () =>
    expect(decided(aLeaving({ node: unreadable, object: going({ generation: 4 }) })).status).toMatchObject({
      conditions: [{ type: 'Deleting', observedGeneration: 4 }],
    }));

  test('a Node that goes already is not deleted again', () => {
    const going = own({ cordoned: true, deletionTimestamp: ago(0) });
    expect(texts(aLeaving({ node: value(going), instance: value(going) }))).toEqual([]);
  });

  test('a Node of the control plane is left alone, and the Machine goes', () => {
    const master = own({ labels: { 'node-role.kubernetes.io/control-plane': '' } });
    const seen = aLeaving({ node: value(master), instance: value(master), pods: value([aPod('web-1')]) });
    expect(texts(seen)).toEqual(LEFT);
  });

  const masterOfPool = own({ labels: { 'node-role.kubernetes.io/control-plane': '', ...pool('workers') } });
  const noLabel = (name: string) => `it has no label machines.sickbay.dev/pool=${name}`;

  test.each<readonly [string, Partial<Extract<LifecycleSeen, { kind: 'leaving' }>>, string]>([
    ['the label was taken off it', drainable(own({ labels: {} })), noLabel('workers')],
    ['it is of another pool', drainable(own({ labels: pool('storage') })), noLabel('workers')],
    ['neither is of a pool', { ...drainable(own({ labels: pool('') })), object: going({ labels: pool('') }) }, noLabel('')],
    ['it is of the control plane, be it also of the pool', drainable(masterOfPool), 'it belongs to the control plane'],
    [
      'the Machine is of the control plane',
      { ...drainable(own()), object: going({ labels: controlPlane }) },
      'the Machine belongs to the control plane',
    ],
    ['it is in another cluster', { ...drainable(own()), cluster: elsewhere }, 'it is in the cluster far'],
  ])('its Node is neither closed, emptied nor deleted, and the Machine goes: %s', (_, change, why) => {
    const seen = aLeaving({ pods: value([aPod('web-1')]), ...change });
    expect(texts(seen)).toEqual(LEFT);
    const message = `Node node-1 stays as it is: ${why}`;
    expect(decided(seen).effects[0]).toEqual({ kind: 'Event', type: 'Warning', reason: 'NodeLeft', message });
  });

  test('its Node stays cordoned when the label is removed during the drain, and an Event describes how to uncordon it', () => {
    const seen = aLeaving({ ...drainable(own({ cordoned: true, labels: {} })), object: draining(MINUTE), pods: value([aPod('web-1')]) });
    expect(texts(seen)).toEqual(LEFT);
    const message = `Node node-1 stays as it is, cordoned: ${noLabel('workers')}. To uncordon it: kubectl uncordon node-1`;
    expect(decided(seen).effects[0]).toMatchObject({ message });
  });

  test('of another cluster without a Node goes without a word, and its instance stays', () =>
    expect(texts(aLeaving({ pods: value([aPod('web-1')]), instance: value(own()), cluster: elsewhere }))).toEqual(LEFT.slice(1)));

  test('whose Node is kept still waits for the hooks that hold its termination', () => {
    const object = annotated(BEFORE_END);
    expect(texts(aLeaving({ ...drainable(own({ labels: {} })), object }))).toEqual([]);
  });

  describe('frees its slot in the budget before it is gone', () => {
    const budget = (claims: readonly ReturnType<typeof claimOf>[]) =>
      aBudget(claims) as Extract<LifecycleSeen, { kind: 'leaving' }>['ledger'];
    const [ledger, released] = ['Patch ConfigMap sickbay-budget /data', 'Patch Machine workers-1 /metadata/finalizers'];

    test('where it has one', () => expect(texts(aLeaving({ ledger: budget([claimOf(machine)]) }))).toEqual([ledger, released]));
    test('its own, and not that of another Machine', () => {
      const [mine, other] = [claimOf(machine), claimOf(aMachine('other'))];
      const seen = aBudget([other, mine]) as Extract<BudgetSeen, { kind: 'claims' }>;
      expect(decided(aLeaving({ ledger: seen })).effects[0]).toEqual(writeLedger(seen.object, [other, { ...mine, endedAt: NOW }]));
    });
    test('not where it has none, or gave it back', () => {
      expect(texts(aLeaving({ ledger: budget([claimOf(aMachine('other'))]) }))).toEqual([released]);
      expect(texts(aLeaving({ ledger: budget([claimOf(machine, { endedAt: NOW })]) }))).toEqual([released]);
    });
    test('and is not delayed by an invalid ledger', () => expect(texts(aLeaving({ ledger: unreadable }))).toEqual([released]));
  });
});
