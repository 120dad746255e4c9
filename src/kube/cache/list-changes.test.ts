import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/meta.ts';
import { listChanges } from './list-changes.ts';

const object = (name: string, resourceVersion = '1'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'shop', uid: name, resourceVersion, creationTimestamp: '' },
});
const [a, b, c] = [object('a'), object('b'), object('c')];
const b2 = object('b', '2');

describe('what lies between two lists', () => {
  test.each<{
    readonly reason: string;
    readonly before: readonly KubeObject[];
    readonly now: readonly KubeObject[];
    readonly gone: readonly KubeObject[];
    readonly come: readonly KubeObject[];
  }>([
    { reason: 'the same', before: [a, b], now: [a, b], gone: [], come: [] },
    { reason: 'nothing before', before: [], now: [a, b], gone: [], come: [a, b] },
    { reason: 'nothing left', before: [a, b], now: [], gone: [a, b], come: [] },
    { reason: 'one changed', before: [a, b, c], now: [a, b2, c], gone: [b], come: [b2] },
    { reason: 'one more in the middle', before: [a, c], now: [a, b, c], gone: [], come: [b] },
    { reason: 'one fewer in the middle', before: [a, b, c], now: [a, c], gone: [b], come: [] },
    { reason: 'one fewer at the end', before: [a, b], now: [a], gone: [b], come: [] },
  ])('$reason', ({ before, now, gone, come }) => {
    expect(listChanges(before, now)).toEqual({ gone, come });
  });

  test('taking away what went and adding what came makes the second of the first, in whatever order they are', () => {
    const lists = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('1', '2')), { maxLength: 6 });
    const kept = new Map<string, KubeObject>();
    const listOf = (entries: readonly (readonly [string, string])[]): readonly KubeObject[] =>
      [...new Map(entries)].map(([name, version]) => {
        const one = kept.get(`${name} ${version}`) ?? object(name, version);
        kept.set(`${name} ${version}`, one);
        return one;
      });
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const [before, now] = [listOf(first), listOf(second)];
        const { gone, come } = listChanges(before, now);
        const result = new Map(before.map((one) => [one.metadata.name, one]));
        for (const { metadata } of gone) result.delete(metadata.name);
        for (const one of come) result.set(one.metadata.name, one);
        expect(result).toEqual(new Map(now.map((one) => [one.metadata.name, one])));
      }),
    );
  });
});
