import { describe, expect, test } from 'vitest';
import type { Machine } from '../../api/machine/machine.ts';
import type { TargetSeen } from './observe-check.ts';
import { Roll, type Look } from './roll.ts';
import type { Verdict } from './verdict.ts';

const machine = (name: string): Machine =>
  ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine', metadata: { name, uid: name, resourceVersion: '1' }, spec: {} }) as Machine;

const [a, b, c] = ['a', 'b', 'c'].map(machine) as [Machine, Machine, Machine];
const HEALTHY: Verdict = { kind: 'healthy' };

/** Looks at Machines and notes at which. */
function looking(verdicts: Readonly<Record<string, Verdict>> = {}) {
  const looked: string[] = [];
  const gone = new Set<string>();
  const look: Look = {
    see(one) {
      looked.push(one.metadata.name);
      if (one.metadata.name === 'other') return undefined;
      const target = { machine: one, node: { kind: 'unnamed' }, cluster: { kind: 'local' } } as const;
      return { target, verdict: verdicts[one.metadata.name] ?? HEALTHY, others: [] };
    },
    isStill: ({ target }) => !gone.has(target.machine.metadata.name),
  };
  return { look, gone, looked: () => looked.splice(0) };
}

const namesOf = (targets: readonly TargetSeen[]): readonly string[] => targets.map(({ target }) => target.machine.metadata.name);

describe('the roll of a check', () => {
  test('those that are well and unchanged are taken over as they are', () => {
    const { look, looked } = looking();
    const roll = new Roll();
    const first = roll.call([a, b], ['same'], look);
    expect(looked()).toEqual(['a', 'b']);
    const second = roll.call([a, b], ['same'], look);
    expect(looked()).toEqual([]);
    expect(second).toEqual(first);
    expect(second[0]).toBe(first[0]);
  });

  test.each<{
    readonly reason: string;
    readonly now: readonly Machine[];
    readonly restsOn?: readonly unknown[];
    readonly want: readonly string[];
  }>([
    { reason: 'a Machine that is another', now: [a, machine('b'), c], want: ['b'] },
    { reason: 'a Machine more: all behind it', now: [a, machine('aa'), b, c], want: ['aa', 'b', 'c'] },
    { reason: 'a Machine fewer: all behind it', now: [a, c], want: ['c'] },
    { reason: 'something that all rest on', now: [a, b, c], restsOn: ['another'], want: ['a', 'b', 'c'] },
    { reason: 'something more that all rest on', now: [a, b, c], restsOn: ['same', 'more'], want: ['a', 'b', 'c'] },
    { reason: 'something less that all rest on', now: [a, b, c], restsOn: [], want: ['a', 'b', 'c'] },
  ])('looks anew after a change: $reason', ({ now, restsOn = ['same'], want }) => {
    const { look, looked } = looking();
    const roll = new Roll();
    roll.call([a, b, c], ['same'], look);
    looked();
    expect(namesOf(roll.call(now, restsOn, look))).toEqual(now.map(({ metadata }) => metadata.name));
    expect(looked()).toEqual(want);
  });

  test('looks anew where the Node is not the one that was seen', () => {
    const { look, looked, gone } = looking();
    const roll = new Roll();
    roll.call([a, b], [], look);
    looked();
    gone.add('b');
    roll.call([a, b], [], look);
    expect(looked()).toEqual(['b']);
  });

  test.each<Verdict>([
    { kind: 'unhealthy', fault: 'UnhealthyNode', messages: [] },
    { kind: 'waiting', until: 1 as never },
    { kind: 'unjudged', why: 'no word' },
  ])('looks each time at what is $kind: it changes with time', (verdict) => {
    const { look, looked } = looking({ b: verdict });
    const roll = new Roll();
    roll.call([a, b, c], [], look);
    looked();
    roll.call([a, b, c], [], look);
    expect(looked()).toEqual(['b']);
  });

  test('what the check is not about is left out, and looked at once', () => {
    const { look, looked } = looking();
    const other = machine('other');
    const roll = new Roll();
    expect(namesOf(roll.call([a, other], [], look))).toEqual(['a']);
    looked();
    expect(namesOf(roll.call([a, other], [], look))).toEqual(['a']);
    expect(looked()).toEqual([]);
  });
});
