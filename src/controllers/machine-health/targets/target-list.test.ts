import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { TargetList, type ListedTargets, type TargetEvaluation, type ListedObjects } from './target-list.ts';
import type { TargetNode } from './target.ts';
import type { HealthVerdict } from '../verdict/verdict.ts';

const metadata = (name: string, resourceVersion: string) => ({ name, uid: name, resourceVersion, creationTimestamp: '' });
const machine = (name: string, version = '1'): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: metadata(name, version),
    spec: {},
    status: { nodeRef: { name } },
  }) as Machine;
const node = (name: string, version = '1'): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: metadata(name, version) });

const [a, b, c] = ['a', 'b', 'c'].map((name) => machine(name)) as [Machine, Machine, Machine];
const NODES = ['a', 'b', 'c'].map((name) => node(name));
const HEALTHY: HealthVerdict = { kind: 'healthy' };
const WAITING: HealthVerdict = { kind: 'waiting', until: 1 as never };

const present = (machines: readonly Machine[], rest: Partial<ListedObjects> = {}): ListedObjects => ({
  machines,
  nodes: NODES,
  sharedInputs: ['same'],
  ...rest,
});

/** Looks at Machines, each on the Node of its name, and notes at which. */
function looking(as: (machine: Machine) => Partial<TargetObservation> = () => ({})) {
  const looked: string[] = [];
  const look: TargetEvaluation = {
    see(one) {
      looked.push(one.metadata.name);
      if (one.metadata.name === 'other') return undefined;
      const there: TargetNode = { kind: 'there', node: node(one.metadata.name) };
      return { target: { machine: one, node: there, cluster: { kind: 'local' } }, verdict: HEALTHY, others: [], ...as(one) };
    },
    isStill: () => true,
  };
  return { look, looked: () => looked.splice(0) };
}

const namesOf = ({ targets }: ListedTargets): readonly string[] => targets.map(({ target }) => target.machine.metadata.name);

describe('the roll of a check', () => {
  test('those that are well are known by name, and looked at once', () => {
    const { look, looked } = looking();
    const roll = new TargetList();
    expect(roll.call(present([a, b]), [], look)).toEqual({ names: ['a', 'b'], targets: [] });
    expect(looked()).toEqual(['a', 'b']);
    expect(roll.call(present([a, b]), [], look)).toEqual({ names: ['a', 'b'], targets: [] });
    expect(looked()).toEqual([]);
  });

  test('those that are asked for are shown as they were seen, in order; whoever is not there is not', () => {
    const { look, looked } = looking();
    const roll = new TargetList();
    roll.call(present([a, b, c]), [], look);
    looked();
    expect(namesOf(roll.call(present([a, b, c]), ['c', 'gone', 'a'], look))).toEqual(['a', 'c']);
    expect(namesOf(roll.call(present([a, b, c]), 'all', look))).toEqual(['a', 'b', 'c']);
    expect(looked()).toEqual([]);
  });

  test.each<{ readonly reason: string; readonly now: ListedObjects; readonly want: readonly string[] }>([
    { reason: 'a Machine that is another', now: present([a, machine('b', '2'), c]), want: ['b'] },
    { reason: 'a Machine more', now: present([a, machine('aa'), b, c]), want: ['aa'] },
    { reason: 'a Machine fewer', now: present([a, c]), want: [] },
    { reason: 'a Node that is another', now: present([a, b, c], { nodes: NODES.with(1, node('b', '2')) }), want: ['b'] },
    { reason: 'a Node that has gone', now: present([a, b, c], { nodes: NODES.slice(1) }), want: ['a'] },
    { reason: 'a Node that has come', now: present([a, b, c], { nodes: [...NODES, node('d')] }), want: [] },
    {
      reason: 'a Machine and its Node: once',
      now: present([a, machine('b', '2'), c], { nodes: NODES.with(1, node('b', '2')) }),
      want: ['b'],
    },
    { reason: 'something that all rest on', now: present([a, b, c], { sharedInputs: ['another'] }), want: ['a', 'b', 'c'] },
    { reason: 'something more that all rest on', now: present([a, b, c], { sharedInputs: ['same', 'more'] }), want: ['a', 'b', 'c'] },
    { reason: 'something less that all rest on', now: present([a, b, c], { sharedInputs: [] }), want: ['a', 'b', 'c'] },
  ])('looks anew after a change: $reason', ({ now, want }) => {
    const { look, looked } = looking();
    const roll = new TargetList();
    roll.call(present([a, b, c]), [], look);
    looked();
    expect(roll.call(now, [], look).names).toEqual(now.machines.map(({ metadata: { name } }) => name));
    expect(looked()).toEqual(want);
  });

  test('a look that throws leaves nobody out: the next begins anew', () => {
    const { look, looked } = looking();
    const roll = new TargetList();
    roll.call(present([a, b]), [], look);
    const broken: TargetEvaluation = {
      ...look,
      see: () => {
        throw new Error('no such thing');
      },
    };
    expect(() => roll.call(present([a, machine('b', '2')]), [], broken)).toThrow('no such thing');
    looked();
    expect(roll.call(present([a, machine('b', '2')]), [], look).names).toEqual(['a', 'b']);
    expect(looked()).toEqual(['a', 'b']);
  });

  test.each<{ readonly reason: string; readonly as: Partial<TargetObservation>; readonly isStill: boolean; readonly isLookedAt: boolean }>([
    { reason: 'unhealthy', as: { verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] } }, isStill: true, isLookedAt: true },
    { reason: 'waiting', as: { verdict: WAITING }, isStill: true, isLookedAt: true },
    { reason: 'unjudged', as: { verdict: { kind: 'unjudged', why: 'no word' } }, isStill: true, isLookedAt: true },
    { reason: 'claimed', as: { hasExternalCondition: true }, isStill: true, isLookedAt: false },
    { reason: 'shared with another check', as: { others: [{ name: 'second', allows: true }] }, isStill: true, isLookedAt: false },
    {
      reason: 'of a cluster that cannot be read',
      as: seenAs({ cluster: { kind: 'unreadable', why: '' } }),
      isStill: true,
      isLookedAt: false,
    },
    { reason: 'of a Node elsewhere that is another', as: elsewhere(), isStill: false, isLookedAt: true },
    { reason: 'of a Node elsewhere that is the same', as: elsewhere(), isStill: true, isLookedAt: false },
    { reason: 'without a Node', as: seenAs({ node: { kind: 'unnamed' } }), isStill: false, isLookedAt: true },
  ])('is told of each time, and looked at $isLookedAt: what is $reason', ({ as, isStill, isLookedAt }) => {
    const { look, looked } = looking(({ metadata: { name } }) => (name === 'b' ? as : {}));
    const roll = new TargetList();
    roll.call(present([a, b, c]), [], look);
    looked();
    expect(namesOf(roll.call(present([a, b, c]), [], { ...look, isStill: () => isStill }))).toEqual(['b']);
    expect(looked()).toEqual(isLookedAt ? ['b'] : []);
  });

  test('whoever is well again is known by name alone', () => {
    const verdicts = new Map([['b', WAITING]]);
    const { look } = looking(({ metadata: { name } }) => ({ verdict: verdicts.get(name) ?? HEALTHY }));
    const roll = new TargetList();
    expect(namesOf(roll.call(present([a, b]), [], look))).toEqual(['b']);
    verdicts.clear();
    expect(roll.call(present([a, b]), [], look)).toEqual({ names: ['a', 'b'], targets: [] });
  });

  test('what the check is not about is left out, and looked at once', () => {
    const { look, looked } = looking();
    const other = machine('other');
    const roll = new TargetList();
    expect(roll.call(present([a, other]), 'all', look).names).toEqual(['a']);
    looked();
    expect(roll.call(present([a, other]), 'all', look).names).toEqual(['a']);
    expect(looked()).toEqual([]);
  });

  test('says after any changes what follows from the objects as they are', () => {
    const versions = fc.constantFrom(undefined, '1', '2', ILL);
    const states = fc.record({ a: versions, b: versions, c: versions });
    const kept = { machine: new Map<string, Machine>(), node: new Map<string, Node>() };
    // The same object for as long as nothing changes, as in a cache.
    const listed = <T>(state: State, known: Map<string, T>, make: (name: string, version: string) => T): readonly T[] =>
      Object.entries(state).flatMap(([name, version = '']) => {
        const one = known.get(name + version) ?? make(name, version);
        known.set(name + version, one);
        return version === '' ? [] : [one];
      });
    fc.assert(
      fc.property(fc.array(fc.tuple(states, states, fc.constantFrom('this', 'that')), { maxLength: 6 }), (scenes) => {
        const roll = new TargetList();
        for (const [machines, nodes, rest] of scenes) {
          const now = present(listed(machines, kept.machine, machine), { nodes: listed(nodes, kept.node, node), sharedInputs: [rest] });
          const isIll = ({ metadata: { name, resourceVersion } }: Machine) =>
            resourceVersion === ILL || (nodes[name as 'a'] ?? ILL) === ILL;
          const { look } = looking((one) => (isIll(one) ? { verdict: WAITING } : {}));
          const called = roll.call(now, ['c'], look);
          expect(called.names).toEqual(now.machines.map(({ metadata: { name } }) => name));
          expect(namesOf(called)).toEqual(called.names.filter((name, i) => name === 'c' || isIll(now.machines[i] as Machine)));
        }
      }),
    );
  });
});

const ILL = '3';
type State = Readonly<Record<'a' | 'b' | 'c', string | undefined>>;

function seenAs(target: Partial<TargetObservation['target']>, verdict: HealthVerdict = HEALTHY): Partial<TargetObservation> {
  return { target: { machine: b, node: { kind: 'there', node: node('b') }, cluster: { kind: 'local' }, ...target }, verdict };
}

function elsewhere(): Partial<TargetObservation> {
  return seenAs({ cluster: { kind: 'other', name: 'away', controlPlaneSince: undefined, infrastructureSince: undefined } });
}
