import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { TargetObservation } from '../check/observe-check.ts';
import { TargetList, type ListedObjects, type ListedTargets } from './target-list.ts';
import type { TargetNode } from './target.ts';
import { UNREAD } from '../testing/a-machine.ts';
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

interface Evaluation {
  /** Undefined for a Machine that the check does not select. */
  readonly evaluate: (machine: Machine) => TargetObservation | undefined;
  /** Whether a Node of another cluster is still the same. */
  readonly isNodeUnchanged: boolean;
}

/** Evaluates Machines, each on the Node of its name, and notes which. */
function evaluating(as: (machine: Machine) => Partial<TargetObservation> = () => ({})) {
  const names: string[] = [];
  const evaluation: Evaluation = {
    evaluate(one) {
      names.push(one.metadata.name);
      if (one.metadata.name === 'other') return undefined;
      const there: TargetNode = { kind: 'there', node: node(one.metadata.name) };
      const target = { machine: one, node: there, cluster: { kind: 'local' } } as const;
      return { target, verdict: HEALTHY, others: [], ...UNREAD, ...as(one) };
    },
    isNodeUnchanged: true,
  };
  return { evaluation, evaluated: () => names.splice(0) };
}

/** One pass over the list, as `observeCheck` makes it. */
function pass(list: TargetList, objects: ListedObjects, requested: 'all' | readonly string[], evaluation: Evaluation): ListedTargets {
  const { changed, open } = list.begin(objects);
  const outdated = open.filter(({ verdict }) => verdict.kind !== 'healthy' || !evaluation.isNodeUnchanged);
  const machines = [...changed, ...outdated.map(({ target }) => target.machine)];
  list.update(
    objects,
    machines.map((one) => ({ machine: one, observation: evaluation.evaluate(one) })),
  );
  return list.list(requested);
}

const namesOf = ({ targets }: ListedTargets): readonly string[] => targets.map(({ target }) => target.machine.metadata.name);

describe('the targets of a check', () => {
  test('healthy Machines are evaluated once, and listed by name only', () => {
    const { evaluation, evaluated } = evaluating();
    const list = new TargetList();
    expect(pass(list, present([a, b]), [], evaluation)).toEqual({ names: ['a', 'b'], targets: [] });
    expect(evaluated()).toEqual(['a', 'b']);
    expect(pass(list, present([a, b]), [], evaluation)).toEqual({ names: ['a', 'b'], targets: [] });
    expect(evaluated()).toEqual([]);
  });

  test('Machines requested by name are listed in full, sorted; names that do not exist are left out', () => {
    const { evaluation, evaluated } = evaluating();
    const list = new TargetList();
    pass(list, present([a, b, c]), [], evaluation);
    evaluated();
    expect(namesOf(pass(list, present([a, b, c]), ['c', 'gone', 'a'], evaluation))).toEqual(['a', 'c']);
    expect(namesOf(pass(list, present([a, b, c]), 'all', evaluation))).toEqual(['a', 'b', 'c']);
    expect(evaluated()).toEqual([]);
  });

  test.each<{ readonly reason: string; readonly now: ListedObjects; readonly want: readonly string[] }>([
    { reason: 'a changed Machine', now: present([a, machine('b', '2'), c]), want: ['b'] },
    { reason: 'a new Machine', now: present([a, machine('aa'), b, c]), want: ['aa'] },
    { reason: 'a deleted Machine', now: present([a, c]), want: [] },
    { reason: 'a changed Node', now: present([a, b, c], { nodes: NODES.with(1, node('b', '2')) }), want: ['b'] },
    { reason: 'a deleted Node', now: present([a, b, c], { nodes: NODES.slice(1) }), want: ['a'] },
    { reason: 'a new Node', now: present([a, b, c], { nodes: [...NODES, node('d')] }), want: [] },
    {
      reason: 'a changed Machine and its changed Node: evaluated once',
      now: present([a, machine('b', '2'), c], { nodes: NODES.with(1, node('b', '2')) }),
      want: ['b'],
    },
    { reason: 'a changed shared input', now: present([a, b, c], { sharedInputs: ['another'] }), want: ['a', 'b', 'c'] },
    { reason: 'an added shared input', now: present([a, b, c], { sharedInputs: ['same', 'more'] }), want: ['a', 'b', 'c'] },
    { reason: 'a removed shared input', now: present([a, b, c], { sharedInputs: [] }), want: ['a', 'b', 'c'] },
  ])('evaluates again after $reason', ({ now, want }) => {
    const { evaluation, evaluated } = evaluating();
    const list = new TargetList();
    pass(list, present([a, b, c]), [], evaluation);
    evaluated();
    expect(pass(list, now, [], evaluation).names).toEqual(now.machines.map(({ metadata: { name } }) => name));
    expect(evaluated()).toEqual(want);
  });

  test('after a failed evaluation the next pass evaluates every Machine', () => {
    const { evaluation, evaluated } = evaluating();
    const list = new TargetList();
    pass(list, present([a, b]), [], evaluation);
    const broken: Evaluation = {
      ...evaluation,
      evaluate: () => {
        throw new Error('no such thing');
      },
    };
    expect(() => pass(list, present([a, machine('b', '2')]), [], broken)).toThrow('no such thing');
    evaluated();
    expect(pass(list, present([a, machine('b', '2')]), [], evaluation).names).toEqual(['a', 'b']);
    expect(evaluated()).toEqual(['a', 'b']);
  });

  test.each<{
    readonly reason: string;
    readonly as: Partial<TargetObservation>;
    readonly isNodeUnchanged: boolean;
    readonly isEvaluated: boolean;
  }>([
    {
      reason: 'unhealthy',
      as: { verdict: { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] } },
      isNodeUnchanged: true,
      isEvaluated: true,
    },
    { reason: 'waiting', as: { verdict: WAITING }, isNodeUnchanged: true, isEvaluated: true },
    { reason: 'unjudged', as: { verdict: { kind: 'unjudged', why: 'no word' } }, isNodeUnchanged: true, isEvaluated: true },
    { reason: 'claimed', as: { hasExternalCondition: true }, isNodeUnchanged: true, isEvaluated: false },
    { reason: 'selected by another check', as: { others: [{ name: 'second', allows: true }] }, isNodeUnchanged: true, isEvaluated: false },
    {
      reason: 'of a cluster that cannot be read',
      as: seenAs({ cluster: { kind: 'unknown', reason: 'ClusterUnreadable', why: '' } }),
      isNodeUnchanged: true,
      isEvaluated: false,
    },
    { reason: 'on a changed Node of another cluster', as: elsewhere(), isNodeUnchanged: false, isEvaluated: true },
    { reason: 'on an unchanged Node of another cluster', as: elsewhere(), isNodeUnchanged: true, isEvaluated: false },
    { reason: 'without a Node', as: seenAs({ node: { kind: 'unnamed' } }), isNodeUnchanged: false, isEvaluated: true },
  ])('is listed in every pass, and evaluated again ($isEvaluated): a Machine that is $reason', ({ as, isNodeUnchanged, isEvaluated }) => {
    const { evaluation, evaluated } = evaluating(({ metadata: { name } }) => (name === 'b' ? as : {}));
    const list = new TargetList();
    pass(list, present([a, b, c]), [], evaluation);
    evaluated();
    expect(namesOf(pass(list, present([a, b, c]), [], { ...evaluation, isNodeUnchanged }))).toEqual(['b']);
    expect(evaluated()).toEqual(isEvaluated ? ['b'] : []);
  });

  test('a recovered Machine is listed by name only', () => {
    const verdicts = new Map([['b', WAITING]]);
    const { evaluation } = evaluating(({ metadata: { name } }) => ({ verdict: verdicts.get(name) ?? HEALTHY }));
    const list = new TargetList();
    expect(namesOf(pass(list, present([a, b]), [], evaluation))).toEqual(['b']);
    verdicts.clear();
    expect(pass(list, present([a, b]), [], evaluation)).toEqual({ names: ['a', 'b'], targets: [] });
  });

  test('a Machine that the check does not select is left out, and evaluated once', () => {
    const { evaluation, evaluated } = evaluating();
    const other = machine('other');
    const list = new TargetList();
    expect(pass(list, present([a, other]), 'all', evaluation).names).toEqual(['a']);
    evaluated();
    expect(pass(list, present([a, other]), 'all', evaluation).names).toEqual(['a']);
    expect(evaluated()).toEqual([]);
  });

  test('after any changes the list matches the objects', () => {
    const versions = fc.constantFrom(undefined, '1', '2', UNHEALTHY);
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
        const list = new TargetList();
        for (const [machines, nodes, rest] of scenes) {
          const now = present(listed(machines, kept.machine, machine), { nodes: listed(nodes, kept.node, node), sharedInputs: [rest] });
          const isIll = ({ metadata: { name, resourceVersion } }: Machine) =>
            resourceVersion === UNHEALTHY || (nodes[name as 'a'] ?? UNHEALTHY) === UNHEALTHY;
          const { evaluation } = evaluating((one) => (isIll(one) ? { verdict: WAITING } : {}));
          const found = pass(list, now, ['c'], evaluation);
          expect(found.names).toEqual(now.machines.map(({ metadata: { name } }) => name));
          expect(namesOf(found)).toEqual(found.names.filter((name, i) => name === 'c' || isIll(now.machines[i] as Machine)));
        }
      }),
    );
  });
});

const UNHEALTHY = '3';
type State = Readonly<Record<'a' | 'b' | 'c', string | undefined>>;

function seenAs(target: Partial<TargetObservation['target']>, verdict: HealthVerdict = HEALTHY): Partial<TargetObservation> {
  return { target: { machine: b, node: { kind: 'there', node: node('b') }, cluster: { kind: 'local' }, ...target }, verdict };
}

function elsewhere(): Partial<TargetObservation> {
  return seenAs({ cluster: { kind: 'other', name: 'away', controlPlaneSince: undefined, infrastructureSince: undefined } });
}
